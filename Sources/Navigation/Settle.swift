import Motion

/// How a page goes on by itself once the hand has let go: by a critically damped spring that takes over the hand's speed.
///
/// The spring's response is 0.35 s. A page that goes back to where it was is there within those 0.35 s, whatever the
/// distance: where the spring would take longer, it is a stiffer one. A page that was thrown beyond its end stops there.
struct Settle {
    /// The spring's response, and the longest that going back may take, in seconds.
    static let response = 0.35
    /// A page is where it belongs once it is nearer to it than this, in points.
    static let tolerance = 0.5

    private(set) var target: Double
    private let spring: Spring
    private var from: Double
    private var velocity: Double
    private let began: HostTime
    private let end: HostTime

    /// - Parameters:
    ///   - from: where the page's edge is, in points.
    ///   - target: where it is to be.
    ///   - velocity: points a second at which it moves now.
    ///   - limit: the longest that it may take, in seconds; nil takes what the spring takes.
    init(from: Double, to target: Double, velocity: Double, limit: Double?, at now: HostTime) {
        self.from = from
        self.target = target
        self.velocity = velocity
        began = now
        var response = Self.response
        var spring = Spring(response: response, dampingRatio: 1)
        var duration = Self.duration(spring, from: from, to: target, velocity: velocity)
        // The time to settle is all but proportional to the response: a few steps suffice.
        for _ in 0..<16 {
            guard let limit, duration > limit else { break }
            response *= min(0.98, limit / duration)
            spring = Spring(response: response, dampingRatio: 1)
            duration = Self.duration(spring, from: from, to: target, velocity: velocity)
        }
        self.spring = spring
        end = now + .nanoseconds(Int64(clampingNanoseconds: limit.map { min($0, duration) } ?? duration))
    }

    /// Where the page's edge is at `now`: never beyond the target.
    func position(at now: HostTime) -> Double {
        if now >= end { return target }
        let value = spring.value(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
        let isBeyond = (value - target) * (from - target) < 0
        return isBeyond ? target : value
    }

    /// Points a second at `now`.
    func velocity(at now: HostTime) -> Double {
        if now >= end { return 0 }
        return spring.velocity(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
    }

    func isFinished(at now: HostTime) -> Bool { now >= end }

    /// The same movement in a container that is `factor` times as wide.
    func scaled(by factor: Double) -> Settle {
        var scaled = self
        scaled.target *= factor
        scaled.from *= factor
        scaled.velocity *= factor
        return scaled
    }

    /// Until it is within the tolerance for good, or has reached its target.
    private static func duration(_ spring: Spring, from: Double, to target: Double, velocity: Double) -> Double {
        let distance = from - target
        guard abs(distance) > tolerance || abs(velocity) > 1 else { return 0 }
        // Critically damped, it crosses its target at most once: there it has arrived.
        let frequency = 2 * Double.pi / spring.response
        let slope = velocity + frequency * distance
        if slope * distance < 0 { return -distance / slope }
        return spring.settlingTime(from: from, to: target, velocity: velocity, within: tolerance)
    }
}
