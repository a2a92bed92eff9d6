public import Time

/// Computes when the film thread must begin to draw a video frame because the main thread has not begun to draw it.
///
/// Pure: the time is passed in. A value; any thread.
public struct LateStart: Hashable, Sendable {
    /// The time of one refresh, from which the times of all others are computed.
    private var refresh = HostTime(nanoseconds: 0)
    /// The time between two refreshes; nil if the display's clock is unknown (`FramePacer`).
    private var period: Duration?
    /// The longest time after a refresh at which a frame for that refresh may be due, in periods (`FrameCadence`).
    private var threshold = 0.0
    /// How long before its refresh a draw must begin.
    private var cost = Duration.zero
    /// The time from the refresh for which a frame is sent to the refresh that shows it.
    private var delay = Duration.zero

    /// How long after its due time a frame counts as late if the display's clock is unknown.
    static let lateness = Duration.milliseconds(4)

    /// Creates a value for a display whose clock is unknown.
    init() {}

    init(refresh: HostTime, period: Duration, threshold: Double, cost: Duration, delay: Duration = .zero) {
        (self.refresh, self.period, self.threshold, self.cost) = (refresh, period, threshold, cost)
        self.delay = delay
    }

    /// Returns the time of the refresh that shows a frame due at `due`; nil if the display's clock is unknown.
    private func target(_ due: HostTime) -> HostTime? {
        guard let period, period > .zero else { return nil }
        let periods = ((due - period * threshold - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods : nil
    }

    /// Returns when the film thread must begin to draw a frame due at `due`, if the main thread has not begun.
    public func time(_ due: HostTime) -> HostTime { target(due).map { $0 - delay - cost } ?? due + Self.lateness }

    /// Returns the latest due time of the frames that a draw may take. The draw begins at `now`, because a frame is due
    /// at `due`, and takes the newest of these frames.
    public func framesBy(_ due: HostTime, now: HostTime) -> HostTime {
        guard let period, let own = target(due) else { return max(due, now) }
        // The draw may be too late for the refresh that the frame belongs to. Half of `cost` is a reserve, so only the
        // other half is added.
        return max(own, visible(after: now + cost / 2)) + period * threshold
    }

    /// Returns when a frame sent at `time` becomes visible: `delay` after the next refresh, or at once if the display's
    /// clock is unknown.
    public func visible(after time: HostTime) -> HostTime {
        guard let period, period > .zero else { return time }
        let periods = ((time - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods + delay : time
    }
}

extension FramePacer {
    /// Returns how long before its refresh the film thread begins to draw. That is later than the main thread would
    /// begin, and after the previous refresh.
    private func lateLead(_ period: Duration) -> Duration {
        let least = deadline(period) + min(mean, period / 2) * 1.5
        return min(least, startLead(period) - period / 8, period * 0.85)
    }

    /// The rule by which the film thread begins to draw in place of the main thread.
    public var lateStart: LateStart {
        guard let period = clockPeriod, let next = clock.refresh(after: lastSwap ?? HostTime(nanoseconds: 0)) else {
            return LateStart()
        }
        return LateStart(
            refresh: next.time, period: period, threshold: cadence.threshold,
            cost: lateLead(period), delay: delay(period))
    }
}
