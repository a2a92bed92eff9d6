/// A property that can be animated: a model value, and the value that is shown meanwhile.
///
/// The *model* value is what its owner sets and reads; it is the end of every animation. The *presentation* value is
/// what is shown at a given time: the model value, unless an animation is running. Setting the model value leaves a
/// running animation alone; when that has ended, the model value is shown.
///
/// Confined to its owner's thread; the time is passed in. It need not be advanced each frame: `advance` only retires
/// animations that have ended. At rest, reading it costs a check for nil; while it is animated, reading allocates
/// nothing.
///
/// A class, not a value, for two reasons. A completion may start the next animation of the same property: for a value,
/// that would be an overlapping access, which Swift traps. And a completion must be called exactly once, which two
/// copies could not guarantee. A property that is released during an animation does not call its completion.
///
/// Values that are not finite, or beyond 1e150, are ignored: the model value stays, and an animation to such a value
/// ends at once, unfinished, without replacing a running one.
public final class Animated<Value: Animatable> {
    /// Called once, when the animation has ended (true) or was removed or replaced (false).
    public typealias Completion = (_ isFinished: Bool) -> Void

    // Read for every layer in every frame: checks for overlapping accesses would double the cost. There are none, as
    // these are set and read whole, and only in this file.
    @exclusivity(unchecked) @usableFromInline var storage: Value
    @exclusivity(unchecked) @usableFromInline var running: Running?
    /// Called when an animation starts or resumes.
    package var onMove: (() -> Void)?

    /// Boxed, so that a property at rest stores a pointer instead of an animation.
    @usableFromInline final class Running {
        @exclusivity(unchecked) @usableFromInline var animation: Animation<Value>
        /// Whether it has ended and only its last value still shows.
        @exclusivity(unchecked) @usableFromInline var isOver = false
        private var completion: Completion?

        init(_ animation: Animation<Value>, _ completion: Completion?) {
            self.animation = animation
            self.completion = completion
        }

        func complete(_ isFinished: Bool) {
            let call = completion
            completion = nil
            call?(isFinished)
        }
    }

    public init(_ model: Value) { self.storage = model.isUsable ? model : .zero }

    /// The value at rest. Setting it does not affect a running animation.
    public var model: Value {
        @inlinable get { storage }
        set { if newValue.isUsable { storage = newValue } }
    }

    /// Whether an animation runs, is delayed, or is paused. Also true after it has ended, until `advance` retires it.
    @inlinable public var isAnimating: Bool {
        guard let running else { return false }
        return !running.isOver
    }

    /// Whether an animation is running and not paused, so that the next frame may differ.
    @inlinable public var isMoving: Bool {
        guard let running, !running.isOver else { return false }
        return running.animation.timing.speed != 0
    }

    /// The value shown at a time of the layer.
    @inlinable public func presentation(at now: LocalTime) -> Value {
        guard let running else { return storage }
        return running.animation.value(at: now) ?? storage
    }

    /// The velocity of the value shown, in units per second; zero at rest.
    public func velocity(at now: LocalTime) -> Value { running?.animation.velocity(at: now) ?? .zero }

    /// Animates from the value on screen to `target`, which becomes the model value. Replaces a running animation.
    ///
    /// - Parameters:
    ///   - delay: How long the present value holds before the animation starts.
    ///   - completion: Called from `advance`, or when this animation is replaced or removed.
    public func animate(
        to target: Value, now: LocalTime, duration: Duration, curve: TimingCurve = .easeInOut, delay: Duration = .zero,
        completion: Completion? = nil
    ) {
        let timing = MediaTiming(beginTime: now + delay, duration: duration, fillMode: .backwards)
        move(
            along: Animation(from: presentation(at: now), to: target, timing: timing, curve: curve), to: target,
            completion: completion)
    }

    /// Animates with a spring, from the value shown and with its velocity.
    ///
    /// - Parameters:
    ///   - velocity: The velocity of a gesture, in units per second, in place of the present one.
    ///   - tolerance: The distance from the end that counts as arrived, in the value's units: a fraction of what is
    ///     visible.
    ///   - completion: As for the other `animate`.
    public func animate(
        to target: Value, now: LocalTime, spring: Spring, velocity: Value? = nil, tolerance: Double = 0.005,
        completion: Completion? = nil
    ) {
        let animation = Animation(
            from: presentation(at: now), to: target, velocity: velocity ?? self.velocity(at: now),
            timing: MediaTiming(beginTime: now, fillMode: .backwards), spring: spring, tolerance: tolerance)
        move(along: animation, to: target, completion: completion)
    }

    private func move(along animation: Animation<Value>, to target: Value, completion: Completion?) {
        guard target.isUsable else {
            completion?(false)
            return
        }
        storage = target
        run(animation, completion: completion)
    }

    /// Runs any animation, and replaces a running one. The model value stays, and is shown again afterwards.
    public func run(_ animation: Animation<Value>, completion: Completion? = nil) {
        replace(by: Running(animation, completion), isFinished: false)
    }

    /// Removes the animation, so that the model value is shown.
    public func removeAnimations() { replace(by: nil, isFinished: false) }

    /// Stops at the value shown, which becomes the model value.
    public func freeze(at now: LocalTime) {
        model = presentation(at: now)
        removeAnimations()
    }

    /// Pauses the animation; `resume` continues it from the same value.
    public func pause(at now: LocalTime) { running?.animation.timing.pause(at: now) }

    /// Resumes a paused animation from the value on screen. Does nothing if it is not paused.
    public func resume(at now: LocalTime) {
        running?.animation.timing.resume(at: now)
        if isMoving { onMove?() }
    }

    /// Retires an animation that has ended by `now`. Its last value stays if its fill mode says so.
    @inlinable public func advance(to now: LocalTime) {
        guard let running, !running.isOver, running.animation.hasEnded(at: now) else { return }
        retire(running)
    }

    @usableFromInline func retire(_ ended: Running) {
        let fill = ended.animation.timing.fillMode
        if fill == .forwards || fill == .both {
            ended.isOver = true
            ended.complete(true)
        } else {
            replace(by: nil, isFinished: true)
        }
    }

    /// Replaces the running animation. Calls its completion last, when the state is consistent: it may do anything to
    /// this property.
    private func replace(by next: Running?, isFinished: Bool) {
        let previous = running
        running = next
        if next != nil { onMove?() }
        previous?.complete(isFinished)
    }
}
