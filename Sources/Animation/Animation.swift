/// An animation from one value to another, along a timing curve or with a spring.
///
/// The value is a pure function of time: it can be computed for any time, in any order, without allocating.
///
/// A spring animation lasts until the value stays within the tolerance of `end`. The value then jumps to `end`. A
/// start, end or velocity that is not finite, or whose magnitude exceeds 1e150, counts as zero.
public struct Animation<Value: Animatable>: Sendable {
    @usableFromInline enum Movement: Sendable {
        case curve(TimingCurve)
        /// A spring and its initial velocity, in units per second.
        case spring(Spring, velocity: Value)
    }

    /// The value at the start of an iteration.
    public let start: Value
    /// The value at the end of an iteration.
    public let end: Value
    /// When and how often the animation runs, in the layer's time. A spring animation's duration is its settling
    /// time.
    public var timing: MediaTiming
    @usableFromInline let movement: Movement

    /// Creates an animation along a curve. One iteration from `start` to `end` takes `timing.duration`.
    public init(from start: Value, to end: Value, timing: MediaTiming, curve: TimingCurve) {
        self.start = start.isUsable ? start : .zero
        self.end = end.isUsable ? end : .zero
        self.timing = timing
        self.movement = .curve(curve)
    }

    /// Creates a spring animation.
    ///
    /// - Parameters:
    ///   - timing: When the animation runs. The spring's settling time replaces `timing.duration`.
    ///   - tolerance: The distance from `end`, in the value's units, within which the spring counts as settled.
    public init(
        from start: Value, to end: Value, velocity: Value = .zero, timing: MediaTiming, spring: Spring,
        tolerance: Double
    ) {
        self.start = start.isUsable ? start : .zero
        self.end = end.isUsable ? end : .zero
        let speed = velocity.isUsable ? velocity : .zero
        self.movement = .spring(spring, velocity: speed)
        self.timing = timing
        // A spring that never settles gets the longest possible duration.
        self.timing.duration =
            spring.settlingTime(
                within: tolerance, distance: (self.start - self.end).magnitude, velocity: speed.magnitude)
            ?? .nanoseconds(Int64.max)
    }

    /// Returns the value at `now`, in the layer's local time. Before the begin time and after the end, returns nil if
    /// the fill mode shows the model value.
    @inlinable public func value(at now: LocalTime) -> Value? {
        guard let position = timing.position(parent: now) else { return nil }
        switch movement {
        case .curve(let curve): return start.mixed(with: end, fraction: curve.value(at: position.progress))
        case .spring(let spring, let velocity):
            if position.progress >= 1 { return end }
            return spring.value(at: position.time.seconds, from: start, to: end, velocity: velocity)
        }
    }

    /// Returns the velocity at `now`, in the value's units per second of the layer's time. Zero before the begin time,
    /// after the end and while paused.
    public func velocity(at now: LocalTime) -> Value {
        guard let position = timing.position(parent: now), position.rate != 0 else { return .zero }
        switch movement {
        case .curve(let curve):
            let duration = timing.duration.inSeconds
            guard duration > 0 else { return .zero }
            let velocity = (end - start).scaled(by: curve.slope(at: position.progress) / duration * position.rate)
            return velocity.isUsable ? velocity : .zero
        case .spring(let spring, let velocity):
            return spring.velocity(at: position.time.seconds, from: start, to: end, velocity: velocity)
                .scaled(by: position.rate)
        }
    }

    /// Whether the last iteration is over at `now`.
    @inlinable public func hasEnded(at now: LocalTime) -> Bool { timing.hasEnded(parent: now) }
}
