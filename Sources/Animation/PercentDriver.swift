/// The progress of a transition, 0…1: driven by a gesture, then finished or cancelled on its own.
///
/// While it is held, `progress` is what the gesture last reported. Once released, it runs to 1 or 0: along
/// `completionCurve`, in the time for the remaining distance, or by a spring that takes over value and velocity. It can
/// be caught at any time (`pause`, `update`), at the progress that is shown.
///
/// Progress never leaves 0…1. A spring that overshoots is shown at the end; if it is critically damped or more, it has
/// then arrived, and if it oscillates, it comes back into range. Along a curve the value is continuous at the release,
/// but not the velocity; use a spring to avoid that. The gesture's velocity is not measured here: `VelocityTracker`
/// does so, and `finish` and `cancel` are given it.
///
/// NaN is ignored; a speed that is not positive counts as 1; time that runs backwards shows the start.
public struct PercentDriver: Sendable {
    /// The duration of the whole transition along the curve.
    public var duration: Duration
    /// Divides the remaining duration; not used for a spring.
    public var completionSpeed: Double
    /// The curve along which the remaining distance is covered after the user lets go.
    public var completionCurve: TimingCurve
    /// The spring for finishing and cancelling, used instead of the curve.
    public var spring: Spring?
    /// The longest settling time of a spring, which is stiffened if it would take longer.
    public var settleLimit: Duration?
    /// The distance from the end at which a spring has arrived: by default half a pixel of a page of 1000.
    public var tolerance: Double

    /// Whether it is held or runs on its own, and in which direction.
    public enum State: Hashable, Sendable { case held, finishing, cancelling }
    /// Whether it is held, or heading for 1 or 0; unchanged on arrival.
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

    /// Sets the progress from a gesture; catches it if it was running on its own.
    public mutating func update(_ progress: Double) {
        guard !progress.isNaN else { return }
        state = .held
        start = progress.held(to: 0...1)
        startVelocity = 0
    }

    /// Catches it at the progress that is shown.
    public mutating func pause(at now: LocalTime) { update(progress(at: now)) }

    /// Runs to 1.
    ///
    /// - Parameter velocity: The gesture's velocity, in progress per second; if nil, the present one.
    public mutating func finish(velocity: Double? = nil, at now: LocalTime) {
        settle(.finishing, velocity: velocity, at: now)
    }

    /// Runs back to 0.
    ///
    /// - Parameter velocity: As for `finish`; negative if the gesture already moves back.
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

    /// The progress that is shown, 0…1.
    public func progress(at now: LocalTime) -> Double { free(at: now).held(to: 0...1) }

    /// The velocity that is shown, in progress per second. Zero while it is held: only the gesture knows it.
    public func velocity(at now: LocalTime) -> Double {
        guard state != .held, !isFinished(at: now) else { return 0 }
        // Beyond an end, no movement is visible.
        guard (0...1).contains(free(at: now)) else { return 0 }
        let seconds = max((now - began).inSeconds, 0)
        guard let settleSpring else {
            return (target - start) * settleCurve.slope(at: seconds / settleTime.inSeconds) / settleTime.inSeconds
        }
        return settleSpring.velocity(at: seconds, from: start, to: target, velocity: startVelocity)
    }

    /// Whether it has arrived on its own; never while it is held.
    public func isFinished(at now: LocalTime) -> Bool {
        guard state != .held else { return false }
        if hasSettled(at: now) { return true }
        guard let settleSpring, settleSpring.dampingRatio >= 1 else { return false }
        // Past its end, it would only creep back unseen.
        let value = free(at: now)
        return state == .finishing ? value >= 1 : value <= 0
    }

    /// The value without clamping to 0…1.
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
