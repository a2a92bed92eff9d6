import Time

/// When to retry after a lost connection: immediately, then with growing delays, for a limited time.
///
/// Pure. The delays start over only once `recoveredBytes` have arrived, or data has arrived for `recoveredTime`,
/// without a failure. So a server that repeatedly sends a few bytes and hangs up counts as failing all along.
struct RetrySchedule {
    /// The number of bytes after which the connection counts as recovered.
    static let recoveredBytes = 256 << 10
    /// The duration of receiving data after which the connection counts as recovered. A low-bit-rate stream takes half
    /// a minute for `recoveredBytes`.
    static let recoveredTime = Duration.seconds(5)

    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0
    private var firstReceived: HostTime?

    init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there has been a failure since the last recovery.
    var hasFailed: Bool { firstFailure != nil }

    /// Records a failure. Returns the delay before the next attempt; nil if that attempt would be more than `timeout`
    /// after the first failure.
    mutating func failed(at now: HostTime, timeout: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        (received, firstReceived) = (0, nil)
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < timeout ? pause : nil
    }

    /// Records received bytes, after which the connection may count as recovered.
    mutating func received(_ count: Int, at now: HostTime) {
        guard firstFailure != nil else { return }
        received += count
        let first = firstReceived ?? now
        firstReceived = first
        guard received >= Self.recoveredBytes || now - first >= Self.recoveredTime else { return }
        (failures, firstFailure) = (0, nil)
    }
}
