import Motion

/// When to try again after a connection was lost: at once, then with growing pauses, for a bounded time.
///
/// Pure. A server that gives a few bytes and hangs up, again and again, is one that has failed all along: only after
/// `recoveredBytes` do the pauses start over.
struct RetrySchedule {
    static let recoveredBytes = 256 << 10

    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0

    init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there has been a failure since things last went well.
    var hasFailed: Bool { firstFailure != nil }

    /// How long to wait before the next attempt; nil where `patience` is over.
    mutating func failed(at now: HostTime, patience: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        received = 0
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < patience ? pause : nil
    }

    mutating func received(_ count: Int) {
        guard firstFailure != nil else { return }
        received += count
        if received >= Self.recoveredBytes { (failures, firstFailure) = (0, nil) }
    }
}
