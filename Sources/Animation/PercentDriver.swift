/// How far a transition has come, 0…1: led by a hand, then finished or cancelled by itself.
///
/// While it is held, `progress` is what the hand last said. Let go, it runs to 1 or 0: along `completionCurve`, in the
/// time that the rest of the way is worth, or by a spring that takes over value and velocity. It can be taken hold of
/// at any time (`pause`, `update`): it is then where it is seen.
///
/// Progress never leaves 0…1. A spring thrown past its end is seen to stop there, and one damped critically or more has
/// then arrived; one that swings comes back into view. Along a curve the value is continuous at the hand-over and the
/// velocity is not, whatever the hand's was; that is what the spring is for. The hand's own velocity is not guessed
/// here: `VelocityTracker` measures it, and `finish` and `cancel` are told.
///
/// What is no number is not taken; a speed that is not positive is 1; time that runs back shows the begin again.
public struct PercentDriver: Sendable {
    /// How long the whole way takes along the curve.
    public var duration: Duration
    /// Divides the time that the rest takes; not the spring's.
    public var completionSpeed: Double
    /// How the rest of the way runs over its time after the hand has let go.
    public var completionCurve: TimingCurve
    /// What finishes and cancels in place of the curve.
    public var spring: Spring?
    /// The longest that a spring may take to settle; it is stiffened where it would take longer.
    public var settleLimit: Duration?
    /// How near the end a spring has arrived: half a pixel of a page of 1000 by default.
    public var tolerance: Double

    /// Whether it runs by itself, and where to.
    public enum State: Hashable, Sendable { case held, finishing, cancelling }
    /// Whether it is held, or on its way to 1 or 0; stays so after it has arrived.
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

    /// The hand says where it is; takes hold of what was running by itself.
    public mutating func update(_ progress: Double) {
        guard !progress.isNaN else { return }
        state = .held
        start = progress.held(to: 0...1)
        startVelocity = 0
    }

    /// Takes hold of it where it is seen.
    public mutating func pause(at now: LocalTime) { update(progress(at: now)) }

    /// Runs to 1. - Parameter velocity: the hand's, in progress per second; without one, what it has by itself.
    public mutating func finish(velocity: Double? = nil, at now: LocalTime) {
        settle(.finishing, velocity: velocity, at: now)
    }

    /// Runs back to 0. - Parameter velocity: as with `finish`: negative where the hand already goes back.
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

    /// Where it is seen, 0…1.
    public func progress(at now: LocalTime) -> Double { free(at: now).held(to: 0...1) }

    /// How fast it is seen to move, in progress per second. Zero while it is held: only the hand knows.
    public func velocity(at now: LocalTime) -> Double {
        guard state != .held, !isFinished(at: now) else { return 0 }
        // Thrown past an end, it is not seen to move.
        guard (0...1).contains(free(at: now)) else { return 0 }
        let seconds = max((now - began).inSeconds, 0)
        guard let settleSpring else {
            return (target - start) * settleCurve.slope(at: seconds / settleTime.inSeconds) / settleTime.inSeconds
        }
        return settleSpring.velocity(at: seconds, from: start, to: target, velocity: startVelocity)
    }

    /// Whether it has arrived by itself; never while it is held.
    public func isFinished(at now: LocalTime) -> Bool {
        guard state != .held else { return false }
        if hasSettled(at: now) { return true }
        guard let settleSpring, settleSpring.dampingRatio >= 1 else { return false }
        // Past its end, it would only creep back from outside, unseen.
        let value = free(at: now)
        return state == .finishing ? value >= 1 : value <= 0
    }

    /// Where it would be without the walls at 0 and 1.
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
