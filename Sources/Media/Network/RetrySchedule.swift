package import GlissadeTime

/// The schedule of retries after a lost connection: a list of delays, and a time limit.
///
/// The delays start over once the connection has recovered. For that, `recoveredBytes` must arrive without a failure,
/// or data must keep arriving for `recoveredTime`. A server that repeatedly sends a few bytes and hangs up does not
/// count as recovered.
package struct RetrySchedule {
    /// The number of bytes that must arrive for the connection to count as recovered.
    static let recoveredBytes = 256 << 10
    /// How long data must keep arriving for the connection to count as recovered.
    static let recoveredTime = Duration.seconds(5)

    /// The delays before successive attempts. The last delay repeats. If the list is empty, there is no delay.
    let pauses: [Duration]
    private var failures = 0
    private var firstFailure: HostTime?
    private var received = 0
    private var firstReceived: HostTime?

    package init(pauses: [Duration]) { self.pauses = pauses }

    /// Whether there has been a failure since the last recovery.
    package var hasFailed: Bool { firstFailure != nil }

    /// Records a failure. Returns the delay before the next attempt; nil if that attempt would come `timeout` or more
    /// after the first failure.
    package mutating func failed(at now: HostTime, timeout: Duration) -> Duration? {
        let first = firstFailure ?? now
        firstFailure = first
        (received, firstReceived) = (0, nil)
        let pause = pauses.isEmpty ? .zero : pauses[min(failures, pauses.count - 1)]
        failures += 1
        return now + pause - first < timeout ? pause : nil
    }

    /// Records that `count` bytes were received. If the connection has recovered, forgets all failures.
    package mutating func received(_ count: Int, at now: HostTime) {
        guard firstFailure != nil else { return }
        received += count
        let first = firstReceived ?? now
        firstReceived = first
        guard received >= Self.recoveredBytes || now - first >= Self.recoveredTime else { return }
        (failures, firstFailure) = (0, nil)
    }
}
