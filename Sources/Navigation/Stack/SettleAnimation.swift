import Animation
import Time

/// How a page goes on by itself once the hand has let go: by a critically damped spring that takes over the hand's speed.
///
/// The spring's response is 0.35 s. A page that goes back to where it was is there within those 0.35 s, whatever the
/// distance: where the spring would take longer, it is a stiffer one. A page that was thrown beyond its end stops there;
/// what may swing past its target and come back to it is said so.
struct SettleAnimation {
    /// The spring's response, and the longest that going back may take, in seconds.
    static let response = 0.35
    /// A page is where it belongs once it is nearer to it than this, in points.
    static let tolerance = 0.5

    private(set) var target: Double
    private let spring: Spring
    private var from: Double
    private var velocity: Double
    private let began: HostTime
    /// When it is where it belongs.
    let end: HostTime
    private let stopsAtTarget: Bool

    /// - Parameters:
    ///   - from: where the page's edge is, in points.
    ///   - target: where it is to be.
    ///   - velocity: points a second at which it moves now.
    ///   - limit: the longest that it may take, in seconds; nil takes what the spring takes.
    ///   - tolerance: how near to the target it has arrived, in the unit of the positions.
    ///   - stopsAtTarget: whether it has arrived where it crosses the target, or comes back to it.
    init(
        from: Double, to target: Double, velocity: Double, limit: Double?,
        tolerance: Double = SettleAnimation.tolerance,
        stopsAtTarget: Bool = true, at now: HostTime
    ) {
        self.from = from
        self.target = target
        self.velocity = velocity
        self.stopsAtTarget = stopsAtTarget
        began = now
        let distance = from - target
        var spring = Spring(response: Self.response)
        if let limit {
            spring = spring.stiffened(
                toSettleWithin: .nanoseconds(Int64(clampingNanoseconds: limit)), tolerance: tolerance,
                distance: distance, velocity: velocity)
        }
        self.spring = spring
        end =
            now
            + Self.length(
                spring, distance: distance, velocity: velocity, tolerance: tolerance, stopsAtTarget: stopsAtTarget)
    }

    /// Where the page's edge is at `now`: never beyond the target, if it stops there.
    func position(at now: HostTime) -> Double {
        if now >= end { return target }
        let value = spring.value(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
        let isBeyond = stopsAtTarget && (value - target) * (from - target) < 0
        return isBeyond ? target : value
    }

    /// Points a second at `now`.
    func velocity(at now: HostTime) -> Double {
        if now >= end { return 0 }
        return spring.velocity(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
    }

    func isFinished(at now: HostTime) -> Bool { now >= end }

    /// The same movement in a container that is `factor` times as wide.
    func scaled(by factor: Double) -> SettleAnimation {
        var scaled = self
        scaled.target *= factor
        scaled.from *= factor
        scaled.velocity *= factor
        return scaled
    }

    /// Until it is within the tolerance for good, or has reached the target at which it stops.
    private static func length(
        _ spring: Spring, distance: Double, velocity: Double, tolerance: Double, stopsAtTarget: Bool
    ) -> Duration {
        // Critically damped, it crosses its target at most once: there it has arrived.
        let slope = velocity + spring.angularFrequency * distance
        if stopsAtTarget, slope * distance < 0 { return .nanoseconds(Int64(clampingNanoseconds: -distance / slope)) }
        return spring.settlingTime(within: tolerance, distance: distance, velocity: velocity) ?? .zero
    }
}
