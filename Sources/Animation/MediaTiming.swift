/// The mapping from a parent's timeline to a child's, as in Core Animation's `CAMediaTiming` and SMIL.
///
/// The parent's time `tp` is converted to active time and to basic time.
///
/// *Active* time is linear: `t = (tp - beginTime) * speed + timeOffset`. A layer's active time is the parent time of
/// its sublayers, so speeds multiply and a paused layer pauses its sublayers.
///
/// *Basic* time is the position within an animation's iteration, `0…duration`. It is derived from active time by
/// repeating, reversing and filling. For basic time, `timeOffset` is a phase: it moves the position, not the begin or
/// end time.
///
/// All times are whole nanoseconds. They are exact at integral speeds. At other speeds, they are rounded to the
/// nanosecond within 104 days (53 bits) of `beginTime`, and to 53 bits beyond that. Pausing and resuming are exact at
/// *every* speed, because the elapsed time is stored rather than recomputed from the speed.
///
/// Invalid values do not trap. A negative duration or a NaN speed counts as zero, and a repeat count that is not
/// positive counts as one. Sums saturate.
public struct MediaTiming: Hashable, Sendable {
    /// Which values are shown before the begin time and after the end.
    public enum FillMode: Hashable, Sendable {
        /// The model value before the begin time and after the end.
        case removed
        /// The model value before the begin time, the last value after the end.
        case forwards
        /// The first value before the begin time, the model value after the end.
        case backwards
        /// The first value before the begin time, the last value after the end.
        case both
    }

    /// The parent's time at which an animation begins. For a layer, the parent's time at which the layer's active time
    /// is `timeOffset`.
    public var beginTime: LocalTime { didSet { carried = 0 } }
    /// The length of one iteration in local time, without the reverse run that `autoreverses` adds.
    public var duration: Duration {
        get { .nanoseconds(run) }
        set { run = newValue.nanoseconds }
    }
    /// Local seconds per parent second; 0 stops time. Setting the speed discards the state saved by `pause`, so a later
    /// `resume` does nothing.
    public var speed: Double { didSet { held = nil } }
    /// An offset added to the local time. For an animation, the offset is the phase within an iteration. While the
    /// timeline is paused, the offset is its active time.
    public var timeOffset: Duration {
        get { .nanoseconds(offset) }
        set { offset = newValue.nanoseconds }
    }
    /// The number of iterations, possibly fractional. If infinite, the animation never ends. 0, negative values and NaN
    /// count as 1.
    public var repeatCount: Double
    /// The total length of all iterations, in local time. If positive, it is used instead of `repeatCount`.
    public var repeatDuration: Duration {
        get { .nanoseconds(repeats) }
        set { repeats = newValue.nanoseconds }
    }
    /// Whether each iteration also runs backward. The forward and the backward run together count as one iteration.
    public var autoreverses: Bool
    /// The value shown before the begin time and after the end.
    public var fillMode: FillMode

    // Stored in nanoseconds because they are read in every frame, and converting a `Duration` takes a division.
    private var run: Int64
    private var offset: Int64
    private var repeats: Int64
    /// The state that `resume` restores; nil unless paused.
    private var held: Held?
    /// The local time already elapsed at `beginTime`; normally zero. Set by `resume` if the speed is not 1. At such a
    /// speed, a `beginTime` in whole nanoseconds cannot always express the elapsed time.
    private var carried: Int64 = 0

    private struct Held: Hashable, Sendable {
        var speed: Double
        var phase: Int64
    }

    public init(
        beginTime: LocalTime = .zero, duration: Duration = .zero, speed: Double = 1, timeOffset: Duration = .zero,
        repeatCount: Double = 0, repeatDuration: Duration = .zero, autoreverses: Bool = false,
        fillMode: FillMode = .removed
    ) {
        self.beginTime = beginTime
        run = duration.nanoseconds
        self.speed = speed
        offset = timeOffset.nanoseconds
        self.repeatCount = repeatCount
        repeats = repeatDuration.nanoseconds
        self.autoreverses = autoreverses
        self.fillMode = fillMode
    }

    /// Converts the parent's time to active time, which is the parent time of a layer's sublayers.
    public func activeTime(parent: LocalTime) -> LocalTime {
        LocalTime(nanoseconds: elapsed(parent: parent).addingClamped(phase))
    }

    /// The local time since `beginTime`, across all iterations and without the phase.
    private func elapsed(parent: LocalTime) -> Int64 {
        if let held { return offset.subtractingClamped(held.phase) }
        return parent.nanoseconds.subtractingClamped(beginTime.nanoseconds).scaledClamped(by: speed)
            .addingClamped(carried)
    }

    private var phase: Int64 { held?.phase ?? offset }
}

/// Pausing and resuming.
extension MediaTiming {
    /// Whether `pause` has stopped the timeline.
    public var isPaused: Bool { held != nil }

    /// Stops the timeline: `timeOffset` becomes its active time at `now`, and `speed` becomes zero. Does nothing if the
    /// timeline is already paused.
    ///
    /// While the timeline is paused, setting `timeOffset` sets its active time. Basic time keeps the phase from before
    /// the pause.
    ///
    /// - Parameter now: The parent's time.
    public mutating func pause(at now: LocalTime) {
        guard held == nil else { return }
        let before = Held(speed: speed, phase: offset)
        offset = activeTime(parent: now).nanoseconds
        carried = 0
        speed = 0
        held = before
    }

    /// Continues a paused timeline from where it stopped, with its previous speed and phase. Does nothing if it is
    /// not paused.
    ///
    /// At speed 1, `beginTime` normally moves by the length of the pause. At other speeds, `beginTime` becomes `now`,
    /// and the elapsed time is stored separately, to the nanosecond.
    ///
    /// - Parameter now: The parent's time.
    public mutating func resume(at now: LocalTime) {
        guard let held else { return }
        let done = elapsed(parent: now)
        let (begin, overflows) = now.nanoseconds.subtractingReportingOverflow(done)
        speed = held.speed
        offset = held.phase
        if held.speed == 1, !overflows {
            beginTime = LocalTime(nanoseconds: begin)
        } else {
            beginTime = now
            carried = done
        }
    }
}

/// Basic time: the elapsed time folded into iterations.
extension MediaTiming {
    /// A position within one iteration.
    public struct Position: Hashable, Sendable {
        /// The basic time, 0…`duration`. Decreases while reversed.
        public var time: LocalTime
        /// `time` as a fraction of the duration, 0…1. With a zero duration, it is 0 before the begin time and 1 from
        /// then on.
        public var progress: Double
        /// Seconds of `time` per parent second; negative while reversed. Zero before the begin time, after the end
        /// and while paused.
        public var rate: Double
    }

    /// Returns the position within the current iteration. Before the begin time and after the end, returns nil if the
    /// fill mode shows the model value.
    public func position(parent: LocalTime) -> Position? {
        let (elapsed, active, duration) = (elapsed(parent: parent), activeNanoseconds, runNanoseconds)
        let time: Int64
        var rate = 0.0
        if elapsed < 0 {
            guard fillMode == .backwards || fillMode == .both else { return nil }
            time = fold(phase).time
        } else if elapsed >= active {
            guard fillMode == .forwards || fillMode == .both else { return nil }
            let last = active.addingClamped(phase)
            // The end of the active time is the last value of an iteration, not the first of the next.
            let isWhole = cycleNanoseconds > 0 && last % cycleNanoseconds == 0
            time = isWhole && !autoreverses ? duration : fold(last).time
        } else {
            let folded = fold(elapsed.addingClamped(phase))
            time = folded.time
            rate = speed.isFinite ? speed * folded.direction : 0
        }
        return Position(
            time: LocalTime(nanoseconds: time),
            progress: duration > 0 ? Double(time) / Double(duration) : (elapsed < 0 ? 0 : 1), rate: rate)
    }

    /// Returns the basic time at the parent's time `parent`, 0…`duration`; nil if the model value is shown at that
    /// time.
    public func basicTime(parent: LocalTime) -> LocalTime? { position(parent: parent)?.time }

    /// Whether the last iteration is over. Stays false while the timeline is paused before its end.
    public func hasEnded(parent: LocalTime) -> Bool {
        let active = activeNanoseconds
        return active < .max && elapsed(parent: parent) >= active
    }

    /// The total length of all iterations, in local time; nil if it is infinite.
    public var activeDuration: Duration? {
        let active = activeNanoseconds
        return active == .max ? nil : .nanoseconds(active)
    }

    /// The duration, clamped to half of `Int64.max` so that an iteration plus its reverse cannot overflow.
    private var runNanoseconds: Int64 { min(max(run, 0), .max / 2) }
    private var cycleNanoseconds: Int64 { autoreverses ? 2 * runNanoseconds : runNanoseconds }

    private var activeNanoseconds: Int64 {
        if repeats > 0 { return repeats }
        return cycleNanoseconds.scaledClamped(by: repeatCount > 0 ? repeatCount : 1)
    }

    private func fold(_ time: Int64) -> (time: Int64, direction: Double) {
        let cycle = cycleNanoseconds
        guard cycle > 0 else { return (0, 1) }
        let rest = time % cycle
        let place = rest < 0 ? rest + cycle : rest
        return autoreverses && place > runNanoseconds ? (cycle - place, -1) : (place, 1)
    }
}
