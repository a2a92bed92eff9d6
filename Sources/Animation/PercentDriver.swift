/// The progress of an interactive transition, 0…1: set by a gesture, then animated to 1 or 0.
///
/// While the progress is held, it is the last value passed to `update`. `finish` releases the progress, which then runs
/// to 1; `cancel` lets it run to 0. `pause` holds it again at its visible value.
///
/// The released progress moves with `spring`. If `spring` is nil, the progress follows `completionCurve` instead, in a
/// time proportional to the remaining distance. With a spring, the velocity is continuous at the release; with a curve,
/// it jumps.
///
/// Overshoot is clamped to 0…1. A critically damped or overdamped spring counts as finished when it reaches its end. An
/// underdamped spring swings back into range, and counts as finished once it has settled.
///
/// NaN progress is ignored. A `completionSpeed` that is not positive and finite counts as 1. For times before the
/// release, the progress is that at the release.
public struct PercentDriver: Sendable {
    /// The duration of a whole transition, from 0 to 1, along the curve at a `completionSpeed` of 1.
    public var duration: Duration
    /// The speed of the movement along the curve, as a multiple of the normal speed. Ignored with a spring.
    public var completionSpeed: Double
    /// The timing curve of the movement after the release. Ignored with a spring.
    public var completionCurve: TimingCurve
    /// The spring that moves the progress after the release; nil to use the curve.
    public var spring: Spring?
    /// The maximum settling time of the spring; nil for no limit. A spring that would take longer is stiffened.
    public var settleLimit: Duration?
    /// The distance from the end, in units of progress, within which a spring counts as settled. The default is half a
    /// pixel on a page 1000 pixels wide.
    public var tolerance: Double

    /// What drives the progress: a gesture (`held`), or a movement to 1 (`finishing`) or to 0 (`cancelling`).
    public enum State: Hashable, Sendable { case held, finishing, cancelling }
    /// The current state. Does not change when the progress arrives at its end; see `isFinished`.
    public private(set) var state = State.held

    private var start = 0.0
    private var startVelocity = 0.0
    private var began = LocalTime.zero
    private var settleTime = Duration.zero
    private var settleCurve = TimingCurve.linear
    private var settleSpring: Spring?

    public init(
        duration: Duration = .milliseconds(350), completionSpeed: Double = 1, completionCurve: TimingCurve = .easeOut,
        spring: Spring? = nil, settleLimit: Duration? = nil, tolerance: Double = 0.0005
    ) {
        self.duration = duration
        self.completionSpeed = completionSpeed
        self.completionCurve = completionCurve
        self.spring = spring
        self.settleLimit = settleLimit
        self.tolerance = tolerance
    }

    /// Sets the progress, clamped to 0…1, and holds it at that value. Stops any movement begun by `finish` or `cancel`.
    public mutating func update(_ progress: Double) {
        guard !progress.isNaN else { return }
        state = .held
        start = progress.held(to: 0...1)
        startVelocity = 0
    }

    /// Holds the progress at its visible value.
    public mutating func pause(at now: LocalTime) { update(progress(at: now)) }

    /// Releases the progress, which then runs to 1.
    ///
    /// - Parameter velocity: The gesture's velocity, in progress per second. If nil, the current velocity is used.
    ///   Ignored with a curve.
    public mutating func finish(velocity: Double? = nil, at now: LocalTime) {
        settle(.finishing, velocity: velocity, at: now)
    }

    /// Releases the progress, which then runs back to 0.
    ///
    /// - Parameter velocity: The gesture's velocity, in progress per second; negative if it is toward 0. If nil, the
    ///   current velocity is used. Ignored with a curve.
    public mutating func cancel(velocity: Double? = nil, at now: LocalTime) {
        settle(.cancelling, velocity: velocity, at: now)
    }

    private mutating func settle(_ next: State, velocity: Double?, at now: LocalTime) {
        let speed = velocity ?? self.velocity(at: now)
        start = progress(at: now)
        startVelocity = speed.isFinite ? speed.held(to: -1e6...1e6) : 0
        began = now
        state = next
        settleCurve = completionCurve
        settleSpring = spring
        guard let spring else {
            let factor = completionSpeed > 0 && completionSpeed.isFinite ? completionSpeed : 1
            let whole = max(duration, .zero).inSeconds
            settleTime = .nanoseconds(Int64(clampingNanoseconds: abs(target - start) * whole / factor))
            return
        }
        let distance = start - target
        var chosen = spring
        if let settleLimit {
            chosen = spring.stiffened(
                toSettleWithin: settleLimit, tolerance: tolerance, distance: distance, velocity: startVelocity)
        }
        settleSpring = chosen
        settleTime =
            chosen.settlingTime(within: tolerance, distance: distance, velocity: startVelocity)
            ?? .nanoseconds(Int64.max)
    }

    private func hasSettled(at now: LocalTime) -> Bool { settleTime <= .zero || now - began >= settleTime }

    private var target: Double { state == .finishing ? 1 : 0 }

    /// The visible progress at `now`, 0…1.
    public func progress(at now: LocalTime) -> Double { free(at: now).held(to: 0...1) }

    /// The velocity of the visible progress, in progress per second. Zero while the progress is held.
    public func velocity(at now: LocalTime) -> Double {
        guard state != .held, !isFinished(at: now) else { return 0 }
        // Past an end, the visible progress is clamped and does not move.
        guard (0...1).contains(free(at: now)) else { return 0 }
        let seconds = max((now - began).inSeconds, 0)
        guard let settleSpring else {
            return (target - start) * settleCurve.slope(at: seconds / settleTime.inSeconds) / settleTime.inSeconds
        }
        return settleSpring.velocity(at: seconds, from: start, to: target, velocity: startVelocity)
    }

    /// Whether the released progress has arrived at its end. False while the progress is held.
    public func isFinished(at now: LocalTime) -> Bool {
        guard state != .held else { return false }
        if hasSettled(at: now) { return true }
        guard let settleSpring, settleSpring.dampingRatio >= 1 else { return false }
        // Past its end, such a spring only creeps back, which clamping hides.
        let value = free(at: now)
        return state == .finishing ? value >= 1 : value <= 0
    }

    /// The progress before clamping to 0…1.
    private func free(at now: LocalTime) -> Double {
        guard state != .held else { return start }
        if hasSettled(at: now) { return target }
        let seconds = (now - began).inSeconds
        guard let settleSpring else {
            return start.mixed(with: target, fraction: settleCurve.value(at: seconds / settleTime.inSeconds))
        }
        return settleSpring.value(at: seconds, from: start, to: target, velocity: startVelocity)
    }
}
