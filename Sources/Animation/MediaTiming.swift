/// The relation of a time space to its parent: the hierarchical timing model of layer animation (Core Animation's
/// `CAMediaTiming`, SMIL's timing model).
///
/// There are two conversions. *Active* local time is linear, `t = (tp - beginTime) * speed + timeOffset`, and composes
/// into a tree: a child's parent time is its parent's active time, so speeds multiply, and a paused parent pauses its
/// children. *Basic* local time folds active time into `0…duration`, for an animation, which repeats, autoreverses and
/// ends. There `timeOffset` is a phase: it moves the position, not the begin or end time.
///
/// All times are whole nanoseconds. Time is exact at integral speeds; at others, positions are rounded to the
/// nanosecond until the time since `beginTime` exceeds 53 bits (104 days); after that they have a precision of 53 bits.
/// Pausing and resuming is exact at *every* speed: the elapsed time is kept as it is, not recomputed from the speed.
///
/// Nothing here traps or overflows: a negative duration counts as zero, a count that is not positive as one, a speed of
/// NaN as zero, and sums saturate.
public struct MediaTiming: Hashable, Sendable {
    /// The value shown outside the active time.
    public enum FillMode: Hashable, Sendable {
        /// The model value, before and after.
        case removed
        /// The last value, after the end.
        case forwards
        /// The first value, before the begin time.
        case backwards
        /// The first value before the begin time, the last after the end.
        case both
    }

    /// The start of the active time, in the parent's time.
    public var beginTime: LocalTime { didSet { carried = 0 } }
    /// The length of one iteration from the first to the last value.
    public var duration: Duration {
        get { .nanoseconds(run) }
        set { run = newValue.nanoseconds }
    }
    /// Local seconds per second of the parent; 0 stands still. Setting it ends a pause, without resuming.
    public var speed: Double { didSet { held = nil } }
    /// Added to the local time: the phase of a repetition, and the position of a paused space.
    public var timeOffset: Duration {
        get { .nanoseconds(offset) }
        set { offset = newValue.nanoseconds }
    }
    /// The number of iterations, possibly fractional; 0 (or anything not positive) is one, infinity never ends.
    public var repeatCount: Double
    /// How long it repeats, in local time; if positive, used instead of `repeatCount`.
    public var repeatDuration: Duration {
        get { .nanoseconds(repeats) }
        set { repeats = newValue.nanoseconds }
    }
    /// Whether each iteration is followed by one backwards; both together count as one for `repeatCount`.
    public var autoreverses: Bool
    /// The value shown before the begin time and after the end.
    public var fillMode: FillMode

    // Read in every frame, so stored in nanoseconds: converting a `Duration` takes a division.
    private var run: Int64
    private var offset: Int64
    private var repeats: Int64
    /// The state that `resume` restores; nil while not paused.
    private var held: Held?
    /// The local time that had elapsed at `beginTime`: not zero only after a resume at a speed for which no integral
    /// `beginTime` would express it.
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

    /// Converts the parent's time to this space's active time, which is the parent time of its children.
    public func activeTime(parent: LocalTime) -> LocalTime {
        LocalTime(nanoseconds: elapsed(parent: parent).addingClamped(phase))
    }

    /// The local time since the begin time, with repeats but without the phase.
    private func elapsed(parent: LocalTime) -> Int64 {
        if let held { return offset.subtractingClamped(held.phase) }
        return parent.nanoseconds.subtractingClamped(beginTime.nanoseconds).scaledClamped(by: speed)
            .addingClamped(carried)
    }

    private var phase: Int64 { held?.phase ?? offset }
}

/// Pausing.
extension MediaTiming {
    /// Whether it was paused by `pause`.
    public var isPaused: Bool { held != nil }

    /// Pauses the space: `timeOffset` becomes its time at `now`, and `speed` zero. Does nothing while paused.
    ///
    /// While paused, `timeOffset` is the active time: to move it, set `timeOffset`. Its former phase is subtracted.
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

    /// Resumes a paused space where it stopped, with its former speed and phase. Does nothing if it is not paused.
    ///
    /// At speed 1, `beginTime` moves by the length of the pause. At other speeds it becomes `now`, and the elapsed time
    /// is stored beside it, to the nanosecond.
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

/// Folding.
extension MediaTiming {
    /// A position within one iteration.
    public struct Position: Hashable, Sendable {
        /// 0…`duration`.
        public var time: LocalTime
        /// `time` as a fraction of the duration, 0…1; with a zero duration, 0 before the begin time and 1 after it.
        public var progress: Double
        /// Seconds of `time` per second of the parent: negative while reversed, zero outside the active time.
        public var rate: Double
    }

    /// The position within an iteration, or nil if the model value is shown.
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

    /// Basic local time, 0…`duration`, or nil if the model value is shown.
    public func basicTime(parent: LocalTime) -> LocalTime? { position(parent: parent)?.time }

    /// Whether the last iteration is over. Never true of one that is paused within its active time.
    public func hasEnded(parent: LocalTime) -> Bool {
        let active = activeNanoseconds
        return active < .max && elapsed(parent: parent) >= active
    }

    /// The total of all iterations in local time; nil if it is infinite.
    public var activeDuration: Duration? {
        let active = activeNanoseconds
        return active == .max ? nil : .nanoseconds(active)
    }

    /// Clamped to half of the range of `Int64`, so that an iteration plus its reverse cannot overflow.
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
