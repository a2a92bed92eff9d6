import GlissadeTime

/// Converts the X server's timestamps, in milliseconds since an arbitrary origin, to host times.
///
/// The offset between the two clocks is estimated from the events that were received soonest after they happened.
struct ServerClock {
    /// The largest plausible difference between the time at which an event was received and the time estimated for it.
    /// An event with a larger difference does not affect the estimate.
    static let longestDelay = Duration.seconds(2)
    /// The number of consecutive implausible events after which the estimate starts over, because the server's clock
    /// must have jumped.
    static let mostDisbelieved = 8
    /// The maximum rate at which the estimated offset grows. The growth accounts for clocks that run at different
    /// speeds.
    static let drift = 1e-4

    /// The maximum time between two events for which the offset grows. Without this limit, a long pause would spoil the
    /// estimate.
    static let longestGrowth = Duration.seconds(10)
    /// The maximum age that is reported for an event. Without this limit, an animation started by a delayed event would
    /// seem to have started long ago.
    static let longestAge = Duration.milliseconds(100)

    /// A server timestamp, and the estimated host time at which an event with that timestamp would be received without
    /// delay. Nil before the first event.
    private var reference: (server: UInt32, host: HostTime)?
    private var disbelieved = 0

    /// Updates the estimate with an event. If several events are read together, call this for all of them before the
    /// first call of `hostTime`.
    ///
    /// - Parameters:
    ///   - milliseconds: The server's timestamp of the event, which wraps around after 49.7 days.
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

    /// Returns when an event happened. The result is never later than `received`, and at most `longestAge` earlier.
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
