import Time

/// When to retry after a lost connection: immediately, then with growing delays, for a limited time.
///
/// Pure. A server that repeatedly sends a few bytes and hangs up counts as failing all along: the delays start over
/// only after `recoveredBytes`, or after `recoveredTime` without a failure.
struct RetrySchedule {
    static let recoveredBytes = 256 << 10
    /// A low-bit-rate stream needs half a minute for `recoveredBytes`.
    static let recoveredTime = Duration.seconds(5)

    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0
    private var firstReceived: HostTime?

    init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there was a failure since the last recovery.
    var hasFailed: Bool { firstFailure != nil }

    /// Notes a failure. Returns the delay before the next attempt; nil once `timeout` has passed.
    mutating func failed(at now: HostTime, timeout: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        (received, firstReceived) = (0, nil)
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < timeout ? pause : nil
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
