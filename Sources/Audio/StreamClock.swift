import Motion

/// Which frame of a stream is heard at which instant, smoothed from what the server says now and then.
///
/// Pure. The server's word jitters by milliseconds (its timer, the scheduler, our own lateness), but stream and host
/// run at nearly the same rate: so only the difference between the two is filtered.
struct StreamClock {
    /// The share of a new difference that is believed.
    static let gain = 0.1
    /// A difference beyond this is no jitter: the stream stood still, or jumped.
    static let jumpThreshold = 0.03

    /// Stream seconds less host seconds.
    private var difference: Double?

    mutating func reset() { difference = nil }

    /// `position` seconds of the stream are heard at `host`.
    mutating func observe(_ position: Double, at host: HostTime) {
        let observed = position - Double(host.nanoseconds) / 1e9
        if let difference, abs(observed - difference) < Self.jumpThreshold {
            self.difference = difference + (observed - difference) * Self.gain
        } else {
            difference = observed
        }
    }

    /// The stream's position in seconds at `host`; nil before the first word.
    func position(at host: HostTime) -> Double? { difference.map { $0 + Double(host.nanoseconds) / 1e9 } }
}
