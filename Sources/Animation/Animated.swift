/// A property that can move: the value that it will have, and the one that is seen meanwhile.
///
/// The *model* value is what its owner sets and reads; it is the end of every movement. The *presentation* value is
/// what shows at a time: the model value, unless an animation is running. Setting the model value leaves a running
/// animation alone; when that has ended, the model value shows.
///
/// It lives on its owner's thread and is told the time. Nobody need tell it each frame: `advance` only retires what has
/// ended. At rest it costs one null pointer to ask; while it moves, no question allocates.
///
/// A class, not a value, for two reasons. A completion may begin the next movement of the same property: that would be
/// an overlapping access of a value in the middle of its own mutation, which Swift ends the program for. And it is to be
/// called exactly once, which two copies could not promise. A property that goes away in mid-movement calls nothing.
///
/// What is not finite, or beyond 1e150, is not taken: a model value stays what it was, an animation to such a value ends
/// at once, unfinished, and leaves alone what runs.
public final class Animated<Value: Animatable> {
    /// Told once, when the animation has ended (true) or was removed or replaced (false).
    public typealias Completion = (_ isFinished: Bool) -> Void

    // Read in every frame by everything drawn: checks for overlapping accesses would double what that costs. None is
    // possible, as these are set and read whole, and by this file only.
    @exclusivity(unchecked) @usableFromInline var storage: Value
    @exclusivity(unchecked) @usableFromInline var running: Running?
    /// Hears that an animation begins, or goes on.
    package var onMove: (() -> Void)?

    /// In a box, so that a property at rest carries a pointer instead of room for an animation.
    @usableFromInline final class Running {
        @exclusivity(unchecked) @usableFromInline var animation: Animation<Value>
        /// Whether it has ended, and only its last value goes on showing.
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

    /// The value at rest. Setting it does not move what is seen of a running animation.
    public var model: Value {
        @inlinable get { storage }
        set { if newValue.isUsable { storage = newValue } }
    }

    /// Whether an animation runs, waits to begin, or is paused; also until `advance` has retired one that has ended.
    @inlinable public var isAnimating: Bool {
        guard let running else { return false }
        return !running.isOver
    }

    /// Whether an animation is on its way and not paused, so that the next frame may show something else.
    @inlinable public var isMoving: Bool {
        guard let running, !running.isOver else { return false }
        return running.animation.timing.speed != 0
    }

    /// The value that is seen at a time of the layer's.
    @inlinable public func presentation(at now: LocalTime) -> Value {
        guard let running else { return storage }
        return running.animation.value(at: now) ?? storage
    }

    /// How fast what is seen moves, in units per second; zero at rest.
    public func velocity(at now: LocalTime) -> Value { running?.animation.velocity(at: now) ?? .zero }

    /// Moves from where it is seen to `target`, which becomes the model value. Replaces a running animation.
    ///
    /// - Parameters:
    ///   - delay: how long the present value holds before.
    ///   - completion: called from `advance`, or when this is replaced or removed.
    public func animate(
        to target: Value, now: LocalTime, duration: Duration, curve: TimingCurve = .easeInOut, delay: Duration = .zero,
        completion: Completion? = nil
    ) {
        let timing = MediaTiming(beginTime: now + delay, duration: duration, fillMode: .backwards)
        move(
            along: Animation(from: presentation(at: now), to: target, timing: timing, curve: curve), to: target,
            completion: completion)
    }

    /// Moves by a spring, from where it is seen and as fast as it is seen to move.
    ///
    /// - Parameters:
    ///   - velocity: a hand's, in units per second, in place of the one it has.
    ///   - tolerance: how near the end counts as there, in the value's units: a fraction of what can be seen.
    ///   - completion: as with the other.
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

    /// Runs any animation, in place of one that does. The model value stays: it is seen again afterwards.
    public func run(_ animation: Animation<Value>, completion: Completion? = nil) {
        replace(by: Running(animation, completion), isFinished: false)
    }

    /// Jumps to the model value.
    public func removeAnimations() { replace(by: nil, isFinished: false) }

    /// Stops where it is seen: that becomes the model value.
    public func freeze(at now: LocalTime) {
        model = presentation(at: now)
        removeAnimations()
    }

    /// Stops what runs where it is seen; `resume` lets it go on from there.
    public func pause(at now: LocalTime) { running?.animation.timing.pause(at: now) }

    /// Continues what `pause` has stopped, from where it is seen. Nothing happens without a pause.
    public func resume(at now: LocalTime) {
        running?.animation.timing.resume(at: now)
        if isMoving { onMove?() }
    }

    /// Retires an animation that has ended by `now`. Where its fill mode says so its last value goes on showing.
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

    /// The completion comes last, when all is in place: it may do anything to this property.
    private func replace(by next: Running?, isFinished: Bool) {
        let previous = running
        running = next
        if next != nil { onMove?() }
        previous?.complete(isFinished)
    }
}
