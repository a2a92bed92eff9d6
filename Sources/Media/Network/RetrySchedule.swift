import Time

/// When to try again after a connection was lost: at once, then with growing pauses, for a bounded time.
///
/// Pure. A server that gives a few bytes and hangs up, again and again, is one that has failed all along: only after
/// `recoveredBytes`, or `recoveredTime` without a failure, do the pauses start over.
struct RetrySchedule {
    static let recoveredBytes = 256 << 10
    /// A stream of a low bit rate needs half a minute for so many bytes.
    static let recoveredTime = Duration.seconds(5)

    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0
    private var firstReceived: HostTime?

    init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there has been a failure since things last went well.
    var hasFailed: Bool { firstFailure != nil }

    /// How long to wait before the next attempt; nil where `patience` is over.
    mutating func failed(at now: HostTime, patience: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        (received, firstReceived) = (0, nil)
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < patience ? pause : nil
    }

    mutating func received(_ count: Int, at now: HostTime) {
        guard firstFailure != nil else { return }
        received += count
        let first = firstReceived ?? now
        firstReceived = first
        guard received >= Self.recoveredBytes || now - first >= Self.recoveredTime else { return }
        (failures, firstFailure) = (0, nil)
    }
}
