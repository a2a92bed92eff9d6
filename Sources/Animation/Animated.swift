/// An animatable property: a model value, which the owner sets, and a presentation value, which is shown.
///
/// The *model* value is the one that the owner sets and reads. `animate` sets it to the animation's target. The
/// *presentation* value is the one shown at a given time: the animation's value if it has one at that time, otherwise
/// the model value. Setting the model value does not affect a running animation. The new value is shown after the
/// animation has ended, unless the fill mode keeps the animation's last value.
///
/// Threads: confined to the owner's thread. `advance` only completes animations that have ended, so it need not be
/// called in every frame. Reading the property allocates nothing.
///
/// A class, because a completion may start the next animation of the same property. In a struct, that would be an
/// overlapping access. If the property is released during an animation, the completion is not called.
///
/// A value is invalid if it is not finite or its magnitude exceeds 1e150. Setting `model` to an invalid value has no
/// effect. The initializer replaces an invalid value with zero. If the target is invalid, `animate` only calls the
/// completion with false.
public final class Animated<Value: Animatable> {
    /// An animation's completion handler, called at most once. `isFinished` is true if the animation has ended, and
    /// false if it was removed or replaced, or its target was invalid.
    public typealias Completion = (_ isFinished: Bool) -> Void

    // Read for every layer in every frame, where exclusivity checks would double the cost. Accesses cannot overlap:
    // both variables are read and written whole, and only by the code in this file.
    @exclusivity(unchecked) @usableFromInline var storage: Value
    @exclusivity(unchecked) @usableFromInline var running: Running?
    /// Called when an animation is added, and by `resume` if `isMoving` is true afterwards.
    package var onMove: (() -> Void)?

    /// The current animation and its completion. A class, so that a property at rest stores only a nil pointer.
    @usableFromInline final class Running {
        @exclusivity(unchecked) @usableFromInline var animation: Animation<Value>
        /// Whether the animation has ended but its fill mode keeps showing the last value.
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

    /// The model value, which is shown unless an animation shows another value. Setting it does not affect a running
    /// animation.
    public var model: Value {
        @inlinable get { storage }
        set { if newValue.isUsable { storage = newValue } }
    }

    /// Whether there is a running, delayed or paused animation. Stays true after the animation's end until the next
    /// `advance`.
    @inlinable public var isAnimating: Bool {
        guard let running else { return false }
        return !running.isOver
    }

    /// Whether there is an animation that is not paused. Also true during the animation's delay.
    @inlinable public var isMoving: Bool {
        guard let running, !running.isOver else { return false }
        return running.animation.timing.speed != 0
    }

    /// The presentation value at `now`, in the layer's local time.
    @inlinable public func presentation(at now: LocalTime) -> Value {
        guard let running else { return storage }
        return running.animation.value(at: now) ?? storage
    }

    /// The velocity of the presentation value, in the value's units per second; zero at rest.
    public func velocity(at now: LocalTime) -> Value { running?.animation.velocity(at: now) ?? .zero }

    /// Animates along `curve` from the presentation value to `target`, which becomes the model value. Replaces a
    /// running animation.
    ///
    /// - Parameters:
    ///   - delay: The time before the animation starts, during which the presentation value does not change.
    ///   - completion: Called with true from `advance` once the animation has ended, or with false when it is
    ///     replaced or removed.
    public func animate(
        to target: Value, now: LocalTime, duration: Duration, curve: TimingCurve = .easeInOut, delay: Duration = .zero,
        completion: Completion? = nil
    ) {
        let timing = MediaTiming(beginTime: now + delay, duration: duration, fillMode: .backwards)
        move(
            along: Animation(from: presentation(at: now), to: target, timing: timing, curve: curve), to: target,
            completion: completion)
    }

    /// Animates with a spring from the presentation value to `target`, which becomes the model value. Replaces a
    /// running animation.
    ///
    /// - Parameters:
    ///   - velocity: The initial velocity, in the value's units per second, for instance that of a gesture. If nil, the
    ///     current velocity is used.
    ///   - tolerance: The distance from `target`, in the value's units, within which the animation ends. Choose a
    ///     distance too small to see.
    ///   - completion: Called with true from `advance` once the animation has ended, or with false when it is replaced
    ///     or removed.
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

    /// Replaces the current animation with `animation`. The model value does not change, and is shown again after the
    /// animation unless the fill mode keeps the animation's last value.
    public func run(_ animation: Animation<Value>, completion: Completion? = nil) {
        replace(by: Running(animation, completion), isFinished: false)
    }

    /// Removes the animation, so that the model value is shown. The animation's completion is called with false.
    public func removeAnimations() { replace(by: nil, isFinished: false) }

    /// Sets the model value to the value shown at `now`, and removes the animation. The animation's completion is
    /// called with false.
    public func freeze(at now: LocalTime) {
        model = presentation(at: now)
        removeAnimations()
    }

    /// Pauses the animation at the value shown at `now`.
    public func pause(at now: LocalTime) { running?.animation.timing.pause(at: now) }

    /// Resumes a paused animation from its current value. Does nothing if the animation is not paused.
    public func resume(at now: LocalTime) {
        running?.animation.timing.resume(at: now)
        if isMoving { onMove?() }
    }

    /// Completes the animation if it has ended by `now`: calls its completion with true, and removes the animation
    /// unless the fill mode keeps its last value.
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

    /// Replaces the current animation with `next`, or removes it if `next` is nil. Calls the old animation's completion
    /// last, because the completion may change this property.
    private func replace(by next: Running?, isFinished: Bool) {
        let previous = running
        running = next
        if next != nil { onMove?() }
        previous?.complete(isFinished)
    }
}
