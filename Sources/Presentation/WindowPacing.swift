import GlissadeTime

/// Paces one window of the frame loop, using the reports of that window's display. Main thread.
@MainActor final class WindowPacing {
    private(set) var pacer: FramePacer
    private let surface: any FrameSurface
    private var rateSchedule: RefreshRateSchedule
    private var reports: [DisplayReport] = []
    private var lastRefresh: DisplayClock.Refresh?
    /// The earliest time of the next request for refresh reports.
    private var nextRequest = HostTime(nanoseconds: 0)
    /// The number of refresh reports in one request while the clock is unknown.
    private static let requestedRefreshes = 16

    init(surface: any FrameSurface) {
        self.surface = surface
        pacer = FramePacer(refreshRate: surface.refreshRate)
        rateSchedule = RefreshRateSchedule(readAt: .now(), monitorGeneration: surface.monitorGeneration)
    }

    /// Takes the window's events. A move, a resize or a fullscreen change invalidates the refresh rate. A fullscreen
    /// change also resets the latch estimate.
    func take(_ events: [WindowEvent]) {
        rateSchedule.take(events)
        // A fullscreen window may bypass the compositor, which changes how early frames must be sent.
        let isElsewhere = events.contains { if case .fullscreenChanged = $0 { true } else { false } }
        if isElsewhere { pacer.resetLatch() }
    }

    /// Takes the display's reports.
    ///
    /// - Parameters:
    ///   - isSeen: Whether the window is visible. If false, the clock ignores the reported refreshes.
    ///   - record: Called with each report about a frame.
    func takeReports(isSeen: Bool, record: (DisplayReport) -> Void = { _ in }) {
        reports.removeAll(keepingCapacity: true)
        surface.takeReports(into: &reports)
        for report in reports {
            if report.event != .refreshed { record(report) }
            guard let refresh = report.refresh else { continue }
            // The first report arrives at once: its counter is right, but its time is not that of the refresh. For an
            // invisible window, the server makes up refreshes, 17 ms or a second apart.
            if lastRefresh != nil, isSeen {
                pacer.observe(refresh)
                if let sent = report.sentTime { pacer.didShow(at: refresh, sent: sent) }
            }
            lastRefresh = refresh
        }
    }

    /// Reads the nominal refresh rate again if it may have changed.
    func readRefreshRate(at now: HostTime) {
        guard rateSchedule.isDue(at: now, monitorGeneration: surface.monitorGeneration) else { return }
        pacer.setRefreshRate(surface.refreshRate)
    }

    /// Sets whether the display has a variable refresh rate (`FramePacer.isVariable`).
    func setVariable(_ isVariable: Bool) {
        if pacer.isVariable != isVariable { pacer.isVariable = isVariable }
    }

    /// The measured refresh rate in Hz; nil if the rate is unknown or variable.
    var refreshRate: Double? { pacer.isVariable ? nil : pacer.clock.refreshRate }

    /// Records which video frame was taken for a draw (`FramePacer.didChoose`).
    func didChoose(due: HostTime, visibleAt visible: HostTime) { pacer.didChoose(due: due, visibleAt: visible) }

    /// Records that there was nothing to draw (`FramePacer.didPass`).
    func didPass(at time: HostTime) { pacer.didPass(at: time) }

    /// Records a draw that began at `began` and was meant to be visible at `visible`.
    func didPresent(_ times: WindowPresenter.Times, began: HostTime, visibleAt visible: HostTime) {
        pacer.didSwap(
            began: began, held: times.held, swapCalled: times.presentCalled, returned: times.returned,
            visibleAt: visible)
        requestRefreshes(at: times.returned)
        rateSchedule.didPresent()
    }

    /// Returns the best estimate of when a frame with the given `times` becomes visible.
    func visibleTime(_ times: WindowPresenter.Times) -> HostTime {
        pacer.visibleTime(sent: times.presentCalled) ?? times.returned
    }

    /// Requests refresh reports if the clock is unknown, or if no refresh has been reported for a while.
    private func requestRefreshes(at now: HostTime) {
        guard now >= nextRequest, !pacer.isVariable else { return }
        if pacer.clock.period == nil {
            surface.requestRefreshes(Self.requestedRefreshes, after: lastRefresh?.count)
            nextRequest = now + (lastRefresh == nil ? .milliseconds(50) : .milliseconds(300))
        } else if let lastRefresh, now - lastRefresh.time > .milliseconds(250) {
            surface.requestRefreshes(1, after: pacer.clock.refresh(after: now)?.count ?? lastRefresh.count)
            nextRequest = now + .milliseconds(100)
        }
    }
}
