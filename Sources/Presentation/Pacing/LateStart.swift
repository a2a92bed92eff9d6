public import Time

/// When a video frame must be drawn by another thread because the main thread has not begun to.
///
/// Pure: the time is passed in. A value; any thread.
public struct LateStart: Hashable, Sendable {
    /// A refresh of the display.
    private var refresh = HostTime(nanoseconds: 0)
    /// The time between two refreshes; nil without a clock.
    private var period: Duration?
    /// The part of a period by which a frame may come too early.
    private var threshold = 0.0
    /// How long before its refresh a draw must begin.
    private var cost = Duration.zero
    /// The time from the refresh that a frame is sent for to the one that shows it.
    private var delay = Duration.zero

    /// Without a clock, a frame is late this long after its time.
    static let lateness = Duration.milliseconds(4)

    /// Without a clock.
    init() {}

    init(refresh: HostTime, period: Duration, threshold: Double, cost: Duration, delay: Duration = .zero) {
        (self.refresh, self.period, self.threshold, self.cost) = (refresh, period, threshold, cost)
        self.delay = delay
    }

    /// The refresh that shows a frame due at `due`; nil without a clock.
    private func target(_ due: HostTime) -> HostTime? {
        guard let period, period > .zero else { return nil }
        let periods = ((due - period * threshold - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods : nil
    }

    /// When to draw a frame due at `due`.
    public func time(_ due: HostTime) -> HostTime { target(due).map { $0 - delay - cost } ?? due + Self.lateness }

    /// By when the frames are due that belong to the same draw, if it begins at `now`.
    public func framesBy(_ due: HostTime, now: HostTime) -> HostTime {
        guard let period, let own = target(due) else { return max(due, now) }
        // It may be too late for that refresh. Half of the cost is a reserve.
        return max(own, visible(after: now + cost / 2)) + period * threshold
    }

    /// When what is sent at `time` is visible: usually at the next refresh, or at once without a clock.
    public func visible(after time: HostTime) -> HostTime {
        guard let period, period > .zero else { return time }
        let periods = ((time - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods + delay : time
    }
}

extension FramePacer {
    /// How long before its refresh another thread begins to draw: later than the main thread would, and after the previous
    /// refresh.
    private func lateLead(_ period: Duration) -> Duration {
        let least = deadline(period) + min(mean, period / 2) * 1.5
        return min(least, startLead(period) - period / 8, period * 0.85)
    }

    /// When another thread must draw in place of the main thread.
    public var lateStart: LateStart {
        guard let period = clockPeriod, let next = clock.refresh(after: lastSwap ?? HostTime(nanoseconds: 0)) else {
            return LateStart()
        }
        return LateStart(
            refresh: next.time, period: period, threshold: cadence.threshold,
            cost: lateLead(period), delay: delay(period))
    }
}
