/// How a time space lies in its parent's: the hierarchical time model of layer animation (Core Animation's
/// `CAMediaTiming`, SMIL's timing model).
///
/// Two conversions. *Active* local time is a line, `t = (tp - beginTime) * speed + timeOffset`, and what a tree of
/// spaces is made of: a child's parent time is its parent's active time, so speeds multiply, and a parent that stands
/// still holds its children. *Basic* local time folds that line into `0…duration`: for an animation, which repeats,
/// turns back and ends. There `timeOffset` is a phase: it moves the position, not the begin or the end.
///
/// All of it is whole nanoseconds. Time is exact at whole speeds; at others a position is the nearest nanosecond, as
/// long as the time since `beginTime` has 53 bits (104 days), and beyond that as good as 53 bits are. Pausing and
/// resuming is exact at *every* speed: what has run by then is kept as it is, not recomputed through the speed.
///
/// Nothing here traps or leaves the numbers: a negative duration is none, a count that is not positive is one, a speed
/// that is no number stands still, and what overflows stays at the end of its range.
public struct MediaTiming: Hashable, Sendable {
    /// What shows outside the active time.
    public enum FillMode: Hashable, Sendable {
        /// The model value, before and after.
        case removed
        /// The last value, after the end.
        case forwards
        /// The first value, before the begin.
        case backwards
        /// The first value before the begin, the last after the end.
        case both
    }

    /// When the active time begins, in the parent's time.
    public var beginTime: LocalTime { didSet { carried = 0 } }
    /// One run from first to last value, without repeats.
    public var duration: Duration {
        get { .nanoseconds(run) }
        set { run = newValue.nanoseconds }
    }
    /// Local seconds in a second of the parent; 0 stands still. Setting it ends a pause, without a resume.
    public var speed: Double { didSet { held = nil } }
    /// Added to the local time: a phase of what repeats, and where a paused space stands.
    public var timeOffset: Duration {
        get { .nanoseconds(offset) }
        set { offset = newValue.nanoseconds }
    }
    /// How many runs, fractions included; 0 (or anything not positive) is one, infinity has no end.
    public var repeatCount: Double
    /// How long it repeats, in local time; where positive it counts instead of `repeatCount`.
    public var repeatDuration: Duration {
        get { .nanoseconds(repeats) }
        set { repeats = newValue.nanoseconds }
    }
    /// Whether each run is followed by one backwards; both together then count as one for `repeatCount`.
    public var autoreverses: Bool
    /// What shows before the begin and after the end.
    public var fillMode: FillMode

    // Asked for in every frame, so kept in nanoseconds: a `Duration` has to be divided for them.
    private var run: Int64
    private var offset: Int64
    private var repeats: Int64
    /// What `resume` brings back; nil while not paused.
    private var held: Held?
    /// The local time that had run by `beginTime`: not zero only after a resume at a speed at which no whole
    /// `beginTime` would say the same.
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

    /// The parent's time as this space counts it; what children of this space take as their parent's time.
    public func activeTime(parent: LocalTime) -> LocalTime {
        LocalTime(nanoseconds: elapsed(parent: parent).addingClamped(phase))
    }

    /// The local time since the begin, repeats included, phase not.
    private func elapsed(parent: LocalTime) -> Int64 {
        if let held { return offset.subtractingClamped(held.phase) }
        return parent.nanoseconds.subtractingClamped(beginTime.nanoseconds).scaledClamped(by: speed)
            .addingClamped(carried)
    }

    private var phase: Int64 { held?.phase ?? offset }
}

/// Pausing.
extension MediaTiming {
    /// Whether `pause` stopped it.
    public var isPaused: Bool { held != nil }

    /// Stops the space where it is: `timeOffset` becomes its time at `now`, `speed` zero. Nothing where it is paused.
    ///
    /// While it is paused, setting `timeOffset` moves it (minus a phase it may have had).
    /// - Parameter now: the parent's time.
    public mutating func pause(at now: LocalTime) {
        guard held == nil else { return }
        let before = Held(speed: speed, phase: offset)
        offset = activeTime(parent: now).nanoseconds
        carried = 0
        speed = 0
        held = before
    }

    /// Lets a paused space go on from where it stands, at the speed and with the phase it had. Nothing where it is not
    /// paused.
    ///
    /// At speed 1 `beginTime` moves by the length of the pause: `now` less the time that had run. At other speeds it
    /// becomes `now`, and what had run is kept beside it, to the nanosecond.
    /// - Parameter now: the parent's time.
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
    /// A place within one run.
    public struct Position: Hashable, Sendable {
        /// 0…`duration`.
        public var time: LocalTime
        /// The same as a share of the duration, 0…1; of no duration, 0 before the begin and 1 from there on.
        public var progress: Double
        /// Seconds of `time` in a second of the parent: negative on the way back, zero outside the active time.
        public var rate: Double
    }

    /// Where in its run it is, or nil where the model value shows.
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
            // The end of a run is its last value, not the first of the next.
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

    /// Basic local time, 0…`duration`, or nil where the model value shows.
    public func basicTime(parent: LocalTime) -> LocalTime? { position(parent: parent)?.time }

    /// Whether the last repeat is over. Never true of one that stands still within its active time.
    public func hasEnded(parent: LocalTime) -> Bool {
        let active = activeNanoseconds
        return active < .max && elapsed(parent: parent) >= active
    }

    /// All repeats together in local time; nil where they have no end.
    public var activeDuration: Duration? {
        let active = activeNanoseconds
        return active == .max ? nil : .nanoseconds(active)
    }

    /// At most half of the range, so that there and back is in it.
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
