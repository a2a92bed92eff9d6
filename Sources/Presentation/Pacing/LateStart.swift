package import GlissadeTime

/// Computes when the film thread must begin to draw a video frame that the main thread has not begun to draw.
///
/// Pure: the time is passed in.
package struct LateStart: Hashable, Sendable {
    /// The time of one refresh, from which the times of all other refreshes are computed.
    private var refresh = HostTime(nanoseconds: 0)
    /// The time between two refreshes; nil if the display's clock is unknown (`FramePacer`).
    private var period: Duration?
    /// How long after a refresh a frame shown at that refresh may be due, in periods (`FrameCadence`).
    private var threshold = 0.0
    /// The minimum time from the start of a draw to its refresh.
    private var cost = Duration.zero
    /// The time from the first refresh after a frame's swap to the refresh that shows the frame.
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
    package func time(_ due: HostTime) -> HostTime { target(due).map { $0 - delay - cost } ?? due + Self.lateness }

    /// Returns the latest due time that the frame of a draw may have. The draw begins at `now`, because the next frame
    /// is due at `due`.
    package func framesBy(_ due: HostTime, now: HostTime) -> HostTime {
        guard let period, let own = target(due) else { return max(due, now) }
        // The draw may be too late for the refresh that the frame belongs to. Half of `cost` is a reserve, so only the
        // other half is added.
        return max(own, visible(after: now + cost / 2)) + period * threshold
    }

    /// Returns when a frame sent at `time` becomes visible: `delay` after the next refresh, or at once if the display's
    /// clock is unknown.
    package func visible(after time: HostTime) -> HostTime {
        guard let period, period > .zero else { return time }
        let periods = ((time - refresh).inSeconds / period.inSeconds).rounded(.up)
        return abs(periods) < 1e9 ? refresh + period * periods + delay : time
    }
}

extension FramePacer {
    /// Returns the time from the start of a draw on the film thread to its refresh. The film thread begins later than
    /// the main thread would, and after the previous refresh.
    private func lateLead(_ period: Duration) -> Duration {
        let least = deadline(period) + min(mean, period / 2) * 1.5
        return min(least, startLead(period) - period / 8, period * 0.85)
    }

    /// The current rule for when the film thread draws in place of the main thread.
    package var lateStart: LateStart {
        guard let period = clockPeriod, let next = clock.refresh(after: lastSwap ?? HostTime(nanoseconds: 0)) else {
            return LateStart()
        }
        return LateStart(
            refresh: next.time, period: period, threshold: cadence.threshold,
            cost: lateLead(period), delay: delay(period))
    }
}
