import GlissadeAnimation
import GlissadeTime

/// The movement of one value, such as the position of a page's left edge, after a drag. A critically damped spring
/// continues the drag's velocity.
///
/// The spring's response is 0.35 s, unless a time limit requires a stiffer spring. If `stopsAtTarget` is true, the
/// movement ends at the target, even if the fling was fast enough to overshoot the target.
struct SettleAnimation {
    /// The spring's response, in seconds. Also the time limit for a page whose transition is reverted.
    static let response = 0.35
    /// The default distance from the target within which the value counts as arrived, in points.
    static let tolerance = 0.5

    private(set) var target: Double
    private let spring: Spring
    private var from: Double
    private var velocity: Double
    private let began: HostTime
    /// The time at which the value arrives at the target.
    let end: HostTime
    private let stopsAtTarget: Bool

    /// Creates the movement of a value from its position and velocity at `now`.
    ///
    /// - Parameters:
    ///   - from: The current position, such as that of a page's left edge, in points or another unit.
    ///   - target: The position at which the value comes to rest.
    ///   - velocity: The current velocity, in the unit of the positions per second.
    ///   - limit: The longest duration, in seconds; nil for no limit.
    ///   - tolerance: The distance from the target within which the value counts as arrived, in the unit of the
    ///     positions.
    ///   - stopsAtTarget: Whether the movement ends when it reaches the target, instead of overshooting.
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

    /// The position at `now`; never past the target if `stopsAtTarget` is true.
    func position(at now: HostTime) -> Double {
        if now >= end { return target }
        let value = spring.value(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
        let isBeyond = stopsAtTarget && (value - target) * (from - target) < 0
        return isBeyond ? target : value
    }

    /// The velocity at `now`, in the unit of the positions per second.
    func velocity(at now: HostTime) -> Double {
        if now >= end { return 0 }
        return spring.velocity(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
    }

    func isFinished(at now: HostTime) -> Bool { now >= end }

    /// Returns the movement with positions and velocities multiplied by `factor`. Used when the stack is resized.
    func scaled(by factor: Double) -> SettleAnimation {
        var scaled = self
        scaled.target *= factor
        scaled.from *= factor
        scaled.velocity *= factor
        return scaled
    }

    /// Returns the time until the value stays within `tolerance` of the target. If `stopsAtTarget` is true and the
    /// value crosses the target, returns the time until the crossing.
    private static func length(
        _ spring: Spring, distance: Double, velocity: Double, tolerance: Double, stopsAtTarget: Bool
    ) -> Duration {
        // A critically damped spring crosses its target at most once. That crossing is the arrival.
        let slope = velocity + spring.angularFrequency * distance
        if stopsAtTarget, slope * distance < 0 { return .nanoseconds(Int64(clampingNanoseconds: -distance / slope)) }
        return spring.settlingTime(within: tolerance, distance: distance, velocity: velocity) ?? .zero
    }
}
