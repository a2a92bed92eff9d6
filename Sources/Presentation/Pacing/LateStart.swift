public import Time

/// Computes when the film thread must draw a video frame because the main thread has not begun to.
///
/// Pure: the time is passed in. A value; any thread.
public struct LateStart: Hashable, Sendable {
    /// The time of any refresh, from which the others are computed.
    private var refresh = HostTime(nanoseconds: 0)
    /// The time between two refreshes; nil if the display's clock is unknown (`FramePacer`).
    private var period: Duration?
    /// How long after a refresh a frame for that refresh may still be due, in periods (`FrameCadence`).
    private var threshold = 0.0
    /// How long a draw must begin before the refresh that it is for.
    private var cost = Duration.zero
    /// The time from the refresh that a frame is sent for to the one that shows it.
    private var delay = Duration.zero

    /// If the display's clock is unknown, a frame counts as late this long after it is due.
    static let lateness = Duration.milliseconds(4)

    /// Creates a value for a display whose clock is unknown.
    init() {}

    init(refresh: HostTime, period: Duration, threshold: Double, cost: Duration, delay: Duration = .zero) {
        (self.refresh, self.period, self.threshold, self.cost) = (refresh, period, threshold, cost)
        self.delay = delay
    }

    /// The refresh that shows a frame due at `due`; nil if the display's clock is unknown.
    private func target(_ due: HostTime) -> HostTime? {
        guard let period, period > .zero else { return nil }
        let periods = ((due - period * threshold - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods : nil
    }

    /// When the film thread must begin to draw a frame due at `due`, if the main thread has not.
    public func time(_ due: HostTime) -> HostTime { target(due).map { $0 - delay - cost } ?? due + Self.lateness }

    /// Returns the time by which a frame must be due to be taken by a draw that begins at `now` because of a frame due
    /// at `due`. The draw takes the newest such frame.
    public func framesBy(_ due: HostTime, now: HostTime) -> HostTime {
        guard let period, let own = target(due) else { return max(due, now) }
        // The draw may be too late for the refresh that the frame belongs to. Half of `cost` is a reserve, so only the
        // other half is added.
        return max(own, visible(after: now + cost / 2)) + period * threshold
    }

    /// When a frame sent at `time` is visible: `delay` after the next refresh, or at once if the display's clock is
    /// unknown.
    public func visible(after time: HostTime) -> HostTime {
        guard let period, period > .zero else { return time }
        let periods = ((time - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods + delay : time
    }
}

extension FramePacer {
    /// How long before its refresh the film thread begins to draw: later than the main thread would, and after the
    /// previous refresh.
    private func lateLead(_ period: Duration) -> Duration {
        let least = deadline(period) + min(mean, period / 2) * 1.5
        return min(least, startLead(period) - period / 8, period * 0.85)
    }

    /// When the film thread must draw in place of the main thread.
    public var lateStart: LateStart {
        guard let period = clockPeriod, let next = clock.refresh(after: lastSwap ?? HostTime(nanoseconds: 0)) else {
            return LateStart()
        }
        return LateStart(
            refresh: next.time, period: period, threshold: cadence.threshold,
            cost: lateLead(period), delay: delay(period))
    }
}
