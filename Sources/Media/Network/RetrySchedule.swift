import Time

/// The schedule of retries after a lost connection. The delays come from a list, and the schedule ends after a limited
/// time.
///
/// Pure. The delays start over only once the connection has recovered: `recoveredBytes` have arrived without a failure,
/// or data has arrived for `recoveredTime`. So a server that repeatedly sends a few bytes and hangs up counts as
/// failing all along.
struct RetrySchedule {
    /// The number of bytes that must arrive for the connection to count as recovered.
    static let recoveredBytes = 256 << 10
    /// How long data must arrive for the connection to count as recovered. A stream with a low bit rate takes half a
    /// minute for `recoveredBytes`.
    static let recoveredTime = Duration.seconds(5)

    /// The delays before the attempts, in this order. The last delay repeats. If the list is empty, there is no delay.
    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0
    private var firstReceived: HostTime?

    init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there has been a failure since the last recovery.
    var hasFailed: Bool { firstFailure != nil }

    /// Records a failure. Returns the delay before the next attempt; nil if that attempt would come `timeout` or more
    /// after the first failure.
    mutating func failed(at now: HostTime, timeout: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        (received, firstReceived) = (0, nil)
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < timeout ? pause : nil
    }

    /// Records that `count` bytes were received, after which the connection may count as recovered.
    mutating func received(_ count: Int, at now: HostTime) {
        guard firstFailure != nil else { return }
        received += count
        let first = firstReceived ?? now
        firstReceived = first
        guard received >= Self.recoveredBytes || now - first >= Self.recoveredTime else { return }
        (failures, firstFailure) = (0, nil)
    }
}
