/// A change from one value to another over time: along a curve, or by a spring.
///
/// It lies in a time space like any other: `timing` says when it begins, how it repeats, and what shows before and after.
public struct Animation<Value: Animatable>: Sendable {
    public enum Course: Hashable, Sendable {
        /// Over the timing's duration.
        case curve(TimingCurve)
        /// As long as it takes; the timing's duration is when it counts as ended.
        case spring(Spring)
    }

    public var from: Value
    public var to: Value
    /// A second; only a spring takes it over.
    public var initialVelocity: Value
    public var course: Course
    public var timing: MediaTiming

    /// Along `curve`, within the timing's duration.
    public init(from: Value, to: Value, curve: TimingCurve = .easeOut, timing: MediaTiming) {
        self.from = from
        self.to = to
        initialVelocity = .zero
        course = .curve(curve)
        self.timing = timing
    }

    /// By `spring`, from `beginTime` until it is within `epsilon` of its end for good.
    public init(
        from: Value, to: Value, spring: Spring, velocity: Value = .zero, beginTime: LocalTime, epsilon: Double = 1e-3
    ) {
        self.from = from
        self.to = to
        initialVelocity = velocity
        course = .spring(spring)
        let length = spring.settlingTime(from: from, to: to, velocity: velocity, within: epsilon)
        timing = MediaTiming(beginTime: beginTime, duration: .nanoseconds(Int64(clampingNanoseconds: length)))
    }

    /// The value at `time` of the space that the animation is in; nil where the model value shows.
    public func value(at time: LocalTime) -> Value? {
        guard let position = timing.position(parent: time) else { return nil }
        switch course {
        case .curve(let curve): return from.mixed(with: to, by: curve.value(at: position.progress))
        case .spring(let spring):
            return spring.value(at: position.time.seconds, from: from, to: to, velocity: initialVelocity)
        }
    }

    /// How fast the value changes at `time`, a second; zero where it does not.
    public func velocity(at time: LocalTime) -> Value {
        guard let position = timing.position(parent: time), position.rate != 0 else { return .zero }
        switch course {
        case .curve(let curve):
            let length = timing.duration.inSeconds
            guard length > 0 else { return .zero }
            return (to - from).scaled(by: curve.slope(at: position.progress) / length * position.rate)
        case .spring(let spring):
            return spring.velocity(at: position.time.seconds, from: from, to: to, velocity: initialVelocity)
                .scaled(by: position.rate)
        }
    }

    public func hasEnded(at time: LocalTime) -> Bool { timing.hasEnded(parent: time) }
}
