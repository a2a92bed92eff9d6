import Animation
import Time

/// The movement of a page after it is released: a critically damped spring that continues the drag's velocity.
///
/// The spring's response is 0.35 s. A page that returns arrives within 0.35 s, whatever the distance: a stiffer spring
/// is used if needed. A page thrown past its target stops there, unless the animation allows overshoot.
struct SettleAnimation {
    /// The spring's response, and the longest time for a return, in seconds.
    static let response = 0.35
    /// A page has arrived once it is closer than this to its target, in points.
    static let tolerance = 0.5

    private(set) var target: Double
    private let spring: Spring
    private var from: Double
    private var velocity: Double
    private let began: HostTime
    /// When it arrives.
    let end: HostTime
    private let stopsAtTarget: Bool

    /// - Parameters:
    ///   - from: The position of the page's edge, in points.
    ///   - target: Its destination.
    ///   - velocity: The current velocity, in points per second.
    ///   - limit: The longest duration in seconds; nil for the spring's own.
    ///   - tolerance: The distance at which it has arrived, in the unit of the positions.
    ///   - stopsAtTarget: Whether it ends when it reaches or crosses the target.
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

    /// The position of the page's edge at `now`; never past the target if it stops there.
    func position(at now: HostTime) -> Double {
        if now >= end { return target }
        let value = spring.value(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
        let isBeyond = stopsAtTarget && (value - target) * (from - target) < 0
        return isBeyond ? target : value
    }

    /// The velocity at `now`, in points per second.
    func velocity(at now: HostTime) -> Double {
        if now >= end { return 0 }
        return spring.velocity(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
    }

    func isFinished(at now: HostTime) -> Bool { now >= end }

    /// The same movement in a container `factor` times as wide.
    func scaled(by factor: Double) -> SettleAnimation {
        var scaled = self
        scaled.target *= factor
        scaled.from *= factor
        scaled.velocity *= factor
        return scaled
    }

    /// The time until it stays within the tolerance, or reaches the target at which it stops.
    private static func length(
        _ spring: Spring, distance: Double, velocity: Double, tolerance: Double, stopsAtTarget: Bool
    ) -> Duration {
        // A critically damped spring crosses its target at most once, and that is the arrival.
        let slope = velocity + spring.angularFrequency * distance
        if stopsAtTarget, slope * distance < 0 { return .nanoseconds(Int64(clampingNanoseconds: -distance / slope)) }
        return spring.settlingTime(within: tolerance, distance: distance, velocity: velocity) ?? .zero
    }
}
