/// An animation from one value to another: along a curve in a given time, or by a spring.
///
/// A pure function of time: it has no state, does not allocate when it is evaluated, and gives the same answer for the
/// same time, in any order. Its `timing` is relative to its layer's time, and repeats, autoreverses and fills like any
/// `MediaTiming`.
///
/// A spring lasts until it stays within a tolerance of its end. It then jumps to the end, by at most the tolerance.
/// Values that are not finite, or beyond 1e150, count as zero.
public struct Animation<Value: Animatable>: Sendable {
    @usableFromInline enum Movement: Sendable {
        case curve(TimingCurve)
        /// The initial velocity, in units per second.
        case spring(Spring, velocity: Value)
    }

    /// The value at the start of a run.
    public let start: Value
    /// The value at the end of a run.
    public let end: Value
    /// When and how often it runs, in the layer's time; for a spring, with its settling time as the duration.
    public var timing: MediaTiming
    @usableFromInline let movement: Movement

    /// Animates along a curve, in `timing.duration`.
    public init(from start: Value, to end: Value, timing: MediaTiming, curve: TimingCurve) {
        self.start = start.isUsable ? start : .zero
        self.end = end.isUsable ? end : .zero
        self.timing = timing
        self.movement = .curve(curve)
    }

    /// Animates with a spring that starts with `velocity`, in units per second.
    ///
    /// - Parameters:
    ///   - timing: Its duration is replaced by the spring's settling time.
    ///   - tolerance: The distance from the end that counts as settled, in the value's units.
    public init(
        from start: Value, to end: Value, velocity: Value = .zero, timing: MediaTiming, spring: Spring,
        tolerance: Double
    ) {
        self.start = start.isUsable ? start : .zero
        self.end = end.isUsable ? end : .zero
        let speed = velocity.isUsable ? velocity : .zero
        self.movement = .spring(spring, velocity: speed)
        self.timing = timing
        // A spring that never settles gets the longest duration there is.
        self.timing.duration =
            spring.settlingTime(
                within: tolerance, distance: (self.start - self.end).magnitude, velocity: speed.magnitude)
            ?? .nanoseconds(Int64.max)
    }

    /// The value at a time of the layer, or nil if the model value is shown.
    @inlinable public func value(at now: LocalTime) -> Value? {
        guard let position = timing.position(parent: now) else { return nil }
        switch movement {
        case .curve(let curve): return start.mixed(with: end, fraction: curve.value(at: position.progress))
        case .spring(let spring, let velocity):
            if position.progress >= 1 { return end }
            return spring.value(at: position.time.seconds, from: start, to: end, velocity: velocity)
        }
    }

    /// The velocity, in units per second of the layer's time; zero outside its active time.
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

    /// Whether its last repeat is over.
    @inlinable public func hasEnded(at now: LocalTime) -> Bool { timing.hasEnded(parent: now) }
}
