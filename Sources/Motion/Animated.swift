/// A property that can be animated: its *model* value, where it is going to be, and its *presentation* value, where it
/// is at a given time.
///
/// A value with one owner, told the time. Setting the model value while an animation runs does not move what is seen.
/// Each animation's completion is called once: with true when it has ended, with false when it was replaced or removed.
/// What rests costs a pointer that is nil.
public struct Animated<Value: Animatable> {
    /// Where it is once nothing runs.
    public var model: Value
    private var running: Running?

    /// Not shared between copies in any way that shows: it is only read, and its completion is called once.
    private final class Running {
        let animation: Animation<Value>
        private var completion: ((Bool) -> Void)?

        init(_ animation: Animation<Value>, _ completion: ((Bool) -> Void)?) {
            self.animation = animation
            self.completion = completion
        }

        func complete(_ finished: Bool) {
            let call = completion
            completion = nil
            call?(finished)
        }
    }

    public init(_ value: Value) { model = value }

    public var isAnimating: Bool { running != nil }
    /// What runs.
    public var animation: Animation<Value>? { running?.animation }

    /// Where it is seen at `time`.
    public func presentation(at time: LocalTime) -> Value {
        guard let running else { return model }
        return running.animation.value(at: time) ?? model
    }

    /// How fast it is seen to change at `time`, a second.
    public func velocity(at time: LocalTime) -> Value { running?.animation.velocity(at: time) ?? .zero }

    /// Runs `animation` instead of what runs; the model value stays what it is.
    public mutating func run(_ animation: Animation<Value>, completion: ((Bool) -> Void)? = nil) {
        let old = running
        running = Running(animation, completion)
        old?.complete(false)
    }

    /// Goes from where it is seen now to `target`, which becomes the model value, along a curve.
    public mutating func animate(
        to target: Value, duration: Duration, curve: TimingCurve = .easeOut, now: LocalTime,
        completion: ((Bool) -> Void)? = nil
    ) {
        let seen = presentation(at: now)
        model = target
        run(
            Animation(from: seen, to: target, curve: curve, timing: MediaTiming(beginTime: now, duration: duration)),
            completion: completion)
    }

    /// Goes from where it is seen now to `target`, which becomes the model value, by a spring that takes over its speed.
    ///
    /// - Parameters:
    ///   - velocity: a second; nil is the one at which it is seen to move.
    ///   - epsilon: so near to the target it counts as there.
    public mutating func animate(
        to target: Value, spring: Spring, velocity: Value? = nil, epsilon: Double = 1e-3, now: LocalTime,
        completion: ((Bool) -> Void)? = nil
    ) {
        let (seen, speed) = (presentation(at: now), velocity ?? self.velocity(at: now))
        model = target
        run(
            Animation(
                from: seen, to: target, spring: spring, velocity: speed, beginTime: now, epsilon: epsilon),
            completion: completion)
    }

    /// Is at the model value at once.
    public mutating func removeAnimations() {
        let old = running
        running = nil
        old?.complete(false)
    }

    /// Stays where it is seen at `time`: that becomes the model value.
    public mutating func freeze(at time: LocalTime) {
        model = presentation(at: time)
        removeAnimations()
    }

    /// Lets go of an animation that is over at `time`, unless its last value is to go on showing.
    public mutating func advance(to time: LocalTime) {
        guard let running, running.animation.hasEnded(at: time) else { return }
        let fill = running.animation.timing.fillMode
        if fill != .forwards && fill != .both { self.running = nil }
        running.complete(true)
    }
}
