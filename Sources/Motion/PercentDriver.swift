/// Drives something by its progress, 0…1: under a hand, and then by itself to one of its ends.
///
/// Pure; told the time. Without a spring it goes on along `completionCurve`, in the share of `duration` that is left,
/// divided by `completionSpeed`. With one, the hand's velocity is taken over, so that neither place nor speed jumps.
public struct PercentDriver: Sendable {
    /// Of the whole way, from 0 to 1.
    public var duration: Duration
    public var completionSpeed = 1.0
    public var completionCurve = TimingCurve.easeOut
    /// What finishes and cancels instead of the curve.
    public var spring: Spring?

    private enum State: Sendable {
        case held(Double)
        case curve(from: Double, to: Double, began: LocalTime, length: Duration)
        case spring(Spring, from: Double, to: Double, velocity: Double, began: LocalTime, length: Duration)
    }

    private var state = State.held(0)

    /// - Parameter progress: where it begins.
    public init(duration: Duration, progress: Double = 0, spring: Spring? = nil) {
        self.duration = duration
        self.spring = spring
        state = .held(progress.held(to: 0...1))
    }

    /// The hand has it at `progress`.
    public mutating func update(_ progress: Double) {
        if progress.isNaN { return }
        state = .held(progress.held(to: 0...1))
    }

    /// Goes on to 1.
    /// - Parameter velocity: shares of the way a second; only a spring takes it over.
    public mutating func finish(velocity: Double = 0, at now: LocalTime) { go(to: 1, velocity, now) }

    /// Goes back to 0.
    public mutating func cancel(velocity: Double = 0, at now: LocalTime) { go(to: 0, velocity, now) }

    /// Stops where it is at `now`.
    public mutating func pause(at now: LocalTime) { state = .held(progress(at: now)) }

    /// Within what a spring counts as there, as a share of the way.
    private static let epsilon = 1e-4

    private mutating func go(to end: Double, _ velocity: Double, _ now: LocalTime) {
        let from = progress(at: now)
        let velocity = velocity.isFinite ? velocity : 0
        if let spring {
            let length = spring.settlingTime(from: from, to: end, velocity: velocity, within: Self.epsilon)
            state = .spring(
                spring, from: from, to: end, velocity: velocity, began: now,
                length: .nanoseconds(Int64(clampingNanoseconds: length)))
        } else {
            let speed = completionSpeed.isFinite && completionSpeed > 0 ? completionSpeed : 1
            let seconds = abs(end - from) * max(0, duration.inSeconds) / speed
            state = .curve(
                from: from, to: end, began: now, length: .nanoseconds(Int64(clampingNanoseconds: seconds)))
        }
    }

    /// Where it is at `now`, 0…1.
    public func progress(at now: LocalTime) -> Double {
        switch state {
        case .held(let progress): return progress
        case .curve(let from, let to, let began, let length):
            if now - began >= length { return to }
            return from.mixed(with: to, by: completionCurve.value(at: (now - began).inSeconds / length.inSeconds))
                .held(to: 0...1)
        case .spring(let spring, let from, let to, let velocity, let began, let length):
            if now - began >= length { return to }
            return spring.value(at: (now - began).inSeconds, from: from, to: to, velocity: velocity).held(to: 0...1)
        }
    }

    /// Shares of the way a second at `now`; zero under a hand, which knows its own.
    public func velocity(at now: LocalTime) -> Double {
        switch state {
        case .held: return 0
        case .curve(let from, let to, let began, let length):
            if now - began >= length || length <= .zero { return 0 }
            let share = (now - began).inSeconds / length.inSeconds
            return (to - from) * completionCurve.slope(at: share) / length.inSeconds
        case .spring(let spring, let from, let to, let velocity, let began, let length):
            if now - began >= length { return 0 }
            return spring.velocity(at: (now - began).inSeconds, from: from, to: to, velocity: velocity)
        }
    }

    /// Whether it has gone to its end by itself.
    public func isFinished(at now: LocalTime) -> Bool {
        switch state {
        case .held: false
        case .curve(_, _, let began, let length), .spring(_, _, _, _, let began, let length): now - began >= length
        }
    }
}
