import Time

/// Converts the X server's times, in milliseconds since an arbitrary origin, to host times.
///
/// The difference between the two clocks is estimated from the events that arrive soonest after they happened. Pure:
/// the time of receipt is passed in.
struct ServerClock {
    /// An event that arrives this much later than the estimate allows is not believed.
    static let longestDelay = Duration.seconds(2)
    /// The number of consecutive events that are not believed after which the estimate starts again: the server's
    /// clock has jumped.
    static let mostDisbelieved = 8
    /// How much the estimate may grow with time, so that it follows clocks of different speeds.
    static let drift = 1e-4

    /// The longest time over which the estimate grows at once, so that a pause does not make it wrong.
    static let longestGrowth = Duration.seconds(10)
    /// Events are reported as no older than this: what a late event starts must not seem to have happened long ago.
    static let longestAge = Duration.milliseconds(100)

    /// A server time and its host time, if no time had passed until receipt; nil before the first event.
    private var reference: (server: UInt32, host: HostTime)?
    private var disbelieved = 0

    /// Takes an event into account for the estimate. If several events are read together, call this for all of them
    /// before the first `hostTime`.
    ///
    /// - Parameters:
    ///   - milliseconds: The server's time of the event. It wraps around after 49.7 days.
    ///   - received: When the event was received.
    mutating func observe(_ milliseconds: UInt32, received: HostTime) {
        guard let reference else { return start(milliseconds, received) }
        let elapsed = Self.elapsed(from: reference.server, to: milliseconds)
        let delay = received - (reference.host + elapsed)
        guard max(delay, .zero - delay) <= Self.longestDelay else {
            disbelieved += 1
            if disbelieved >= Self.mostDisbelieved { start(milliseconds, received) }
            return
        }
        // An event that arrives sooner than any before shows that the estimate was too late.
        if delay < .zero { return start(milliseconds, received) }
        disbelieved = 0
        guard elapsed > .zero else { return }
        let growth = min(min(elapsed, Self.longestGrowth) * Self.drift, delay)
        self.reference = (milliseconds, reference.host + elapsed + growth)
    }

    /// Returns when an event happened: no later than `received`, and at most `longestAge` before that.
    func hostTime(of milliseconds: UInt32, received: HostTime) -> HostTime {
        guard let reference else { return received }
        let earliest = reference.host + Self.elapsed(from: reference.server, to: milliseconds)
        let delay = received - earliest
        guard delay >= .zero, delay <= Self.longestDelay else { return received }
        // The server truncates to milliseconds. An event received within the same millisecond tells the rest.
        if delay < .milliseconds(1) { return received }
        return max(earliest + .microseconds(500), received - Self.longestAge)
    }

    private static func elapsed(from first: UInt32, to second: UInt32) -> Duration {
        .milliseconds(Int(Int32(bitPattern: second &- first)))
    }

    private mutating func start(_ milliseconds: UInt32, _ received: HostTime) {
        reference = (milliseconds, received)
        disbelieved = 0
    }
}
