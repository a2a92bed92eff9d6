import Layers
import Platform
public import Rendering
import Time

/// Runs a program frame by frame: sleeps until something is due, handles all events, advances to the time at which the
/// frame will be visible, draws, swaps and logs.
///
/// It also serves the client's secondary windows, which are drawn after its own window with the same video frame, or on
/// their own schedule if only they have something new.
///
/// Threads: main thread. Blocks only in its sleep and in the swap.
@MainActor public final class FrameLoop {
    /// Records the cost of each frame and when it was visible.
    public let log: FrameLog
    private let client: any FrameLoopClient
    private let main: WindowPresenter
    private var surface: any FrameSurface { main.surface }
    private(set) var pacer: FramePacer
    private var rateSchedule: RefreshRateSchedule
    private var secondaryWindows: [WindowPresenter] = []
    private(set) var secondaryPacer: FramePacer
    private var secondaryRateSchedule: RefreshRateSchedule
    private let filmThread = FilmThread()
    private var events: [WindowEvent] = []
    private var reports: [DisplayReport] = []
    private var lastRefresh: DisplayClock.Refresh?
    /// The last measured refresh rate that the client was told.
    private var reportedRate: Double?
    /// Whether the loop's own window is visible in this round.
    private var isMainSeen = false
    /// When refreshes may be requested again.
    private var nextRequest = HostTime(nanoseconds: 0)
    /// How many refreshes are requested at a time while the clock is unknown.
    private static let requestedRefreshes = 16

    /// The windows to draw in one round of the loop.
    private struct Draw {
        var visibleAt: HostTime
        var framesBy: HostTime
        /// Whether the loop's own window is visible and due.
        var isMainsTurn: Bool
        var takesFrame: Bool
    }

    /// Creates a loop that draws with `renderer` into `surface`; `log` records each frame.
    public init(surface: any FrameSurface, renderer: any Renderer, client: any FrameLoopClient, log: FrameLog) {
        main = WindowPresenter(content: nil, surface: surface, renderer: renderer)
        self.client = client
        self.log = log
        pacer = FramePacer(refreshRate: surface.refreshRate)
        secondaryPacer = FramePacer(refreshRate: surface.refreshRate)
        rateSchedule = RefreshRateSchedule(readAt: .now(), monitorGeneration: surface.monitorGeneration)
        secondaryRateSchedule = rateSchedule
    }

    /// Runs until the client is finished.
    ///
    /// - Throws: The error that keeps a window from being drawn or shown, or the client's own failure.
    public func run() throws(RenderingError) {
        defer {
            filmThread.end()
            secondaryWindows = []
        }
        while true {
            // Polls the window system without waiting, so that a loop that always has something to draw also gets
            // events.
            surface.wait(until: HostTime(nanoseconds: 0))
            var now = HostTime.now()
            surface.pollGeometry(at: now)
            for window in secondaryWindows { window.surface.pollGeometry(at: now) }
            drainEvents()
            takeReports()
            now = .now()
            client.advance(to: now)
            for window in secondaryWindows { window.content?.advance(to: now) }
            if client.isFinished { return }
            updateSecondaryWindows()
            readRefreshRates(at: now)
            isMainSeen = main.isSeen(at: now)
            if !isMainSeen { filmThread.rest(in: main.renderer) }
            let areSecondaryWindowsSeen = secondaryWindows.contains { $0.isSeen(at: now) }
            guard isMainSeen || areSecondaryWindowsSeen else {
                filmThread.rest()
                client.skip(to: now)
                log.interrupt()
                let due = Self.earliest(client.nextFrameDue, client.nextWake(now: now))
                surface.wait(until: Self.earliest(due, nextWake(now: now)))
                continue
            }
            now = .now()
            var deadline: HostTime?
            if let draw = mainPlan(now: now, &deadline)
                ?? (areSecondaryWindowsSeen ? secondaryPlan(now: now, &deadline) : nil)
            {
                try self.draw(draw)
                if let failure = client.failure { throw failure }
            } else {
                surface.wait(until: Self.earliest(deadline, nextWake(now: now)))
            }
        }
    }

    /// When a window or its content must be called again, visible or not.
    private func nextWake(now: HostTime) -> HostTime? {
        secondaryWindows.reduce(main.nextWake(now: now)) { wake, window in
            Self.earliest(wake, Self.earliest(window.content?.nextWake(now: now), window.nextWake(now: now)))
        }
    }

    // MARK: - Windows

    private func drainEvents() {
        takeMainEvents()
        updateSecondaryWindows()
        for window in secondaryWindows { drainEvents(of: window) }
    }

    private func takeMainEvents() {
        events.removeAll(keepingCapacity: true)
        surface.drainEvents(into: &events)
        if events.isEmpty { return }
        let now = HostTime.now()
        // Handlers may call other functions of this loop, but not this one: it owns the storage until the storage is
        // returned.
        var taken: [WindowEvent] = []
        swap(&taken, &events)
        rateSchedule.take(taken)
        if taken.contains(.needsRedraw) { main.setDamaged() }
        if taken.contains(where: Self.changesWindow) { filmThread.rest(in: main.renderer) }
        for event in taken {
            client.handle(event, now: now)
        }
        swap(&taken, &events)
    }

    /// Whether the list that is on screen no longer fits the window.
    private static func changesWindow(_ event: WindowEvent) -> Bool {
        switch event {
        case .resized, .scaleChanged, .fullscreenChanged, .iconified: true
        default: false
        }
    }

    private func drainEvents(of window: WindowPresenter) {
        guard let content = window.content else { return }
        events.removeAll(keepingCapacity: true)
        window.surface.drainEvents(into: &events)
        if events.isEmpty { return }
        let now = HostTime.now()
        if events.contains(.needsRedraw) { window.setDamaged() }
        if events.contains(where: Self.changesWindow) { filmThread.rest(in: window.renderer) }
        secondaryRateSchedule.take(events)
        for index in events.indices {
            // A handler may have closed the window.
            guard client.secondaryWindows.contains(where: { $0 === content }) else { return }
            content.handle(events[index], now: now)
        }
    }

    /// Reads refresh rates again if they may have changed. All secondary windows share one pacer, which uses the rate
    /// of the fastest of their displays.
    private func readRefreshRates(at now: HostTime) {
        let generation = surface.monitorGeneration
        if rateSchedule.isDue(at: now, monitorGeneration: generation) { pacer.setRefreshRate(surface.refreshRate) }
        guard !secondaryWindows.isEmpty, secondaryRateSchedule.isDue(at: now, monitorGeneration: generation) else {
            return
        }
        secondaryPacer.setRefreshRate(
            secondaryWindows.compactMap { $0.surface.refreshRate }.max() ?? surface.refreshRate)
    }

    /// Creates presenters for new secondary windows and drops those of closed ones.
    private func updateSecondaryWindows() {
        let current = client.secondaryWindows
        if current.isEmpty, secondaryWindows.isEmpty { return }
        for window in secondaryWindows where !current.contains(where: { $0 === window.content }) {
            filmThread.rest(in: window.renderer)
        }
        secondaryWindows.removeAll { window in !current.contains { $0 === window.content } }
        for content in current where !secondaryWindows.contains(where: { $0.content === content }) {
            secondaryWindows.append(
                WindowPresenter(content: content, surface: content.surface, renderer: content.renderer))
            secondaryPacer.setRefreshRate(
                secondaryWindows.compactMap { $0.surface.refreshRate }.max() ?? surface.refreshRate)
        }
    }

    // MARK: - The display's clock

    private func takeReports() {
        reports.removeAll(keepingCapacity: true)
        surface.takeReports(into: &reports)
        if reports.isEmpty { return }
        for report in reports {
            if report.event != .refreshed { log.recordPresented(report) }
            guard let refresh = report.refresh else { continue }
            // The first report comes at once: it tells the counter, not when that refresh was. For a window that is not
            // seen, servers make refreshes up, a second or 17 ms apart.
            if lastRefresh != nil, isMainSeen { pacer.observe(refresh) }
            lastRefresh = refresh
        }
        let rate = pacer.clock.refreshRate
        if rate != reportedRate {
            reportedRate = rate
            client.displayRateChanged(to: rate)
        }
    }

    /// Requests reports while the clock is unknown, or if presented frames produce none.
    private func requestRefreshes(at now: HostTime) {
        guard now >= nextRequest else { return }
        if pacer.clock.period == nil {
            surface.requestRefreshes(Self.requestedRefreshes, after: lastRefresh?.count)
            nextRequest = now + (lastRefresh == nil ? .milliseconds(50) : .milliseconds(300))
        } else if let lastRefresh, now - lastRefresh.time > .milliseconds(250) {
            surface.requestRefreshes(1, after: pacer.clock.refresh(after: now)?.count ?? lastRefresh.count)
            nextRequest = now + .milliseconds(100)
        }
    }

    // MARK: - When to draw

    /// The plan of the loop's own window; nil and a deadline if it has nothing to do yet.
    private func mainPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        guard isMainSeen, main.isReady(at: now) else { return nil }
        let plan = pacer.plan(
            now: now, frameDue: client.nextFrameDue, isAnimating: client.isAnimating && !client.needsImmediateRelayout,
            needsRedraw: client.needsRedraw || main.isRetryDue(at: now), wake: client.nextWake(now: now))
        switch plan {
        case .draw(let visible, let framesBy):
            return Draw(visibleAt: visible, framesBy: framesBy, isMainsTurn: true, takesFrame: true)
        case .sleep(let until):
            deadline = until
            return nil
        }
    }

    /// The plan of the secondary windows. If the loop's own window is not visible, they take the video frames.
    private func secondaryPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        let takesFrame = !isMainSeen
        var wake = takesFrame ? client.nextWake(now: now) : nil
        var (isAnimating, needsRedraw) = (false, false)
        for window in secondaryWindows where window.isSeen(at: now) {
            guard let content = window.content else { continue }
            wake = Self.earliest(wake, content.nextWake(now: now))
            guard window.isReady(at: now) else { continue }
            isAnimating = isAnimating || content.isAnimating
            guard content.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: now) else { continue }
            // A mouse may report a thousand times a second, so a window that was just shown waits for the next tick.
            if let last = window.lastPresent?.time, now - last < secondaryPacer.period {
                isAnimating = true
            } else {
                needsRedraw = true
            }
        }
        let due = client.nextFrameDue
        // A tick close to a video frame is drawn with it.
        if !takesFrame, !needsRedraw, isAnimating, let due, due - now < secondaryPacer.period / 2 {
            deadline = Self.earliest(deadline, wake)
            return nil
        }
        let plan = secondaryPacer.plan(
            now: now, frameDue: takesFrame ? due : nil, isAnimating: isAnimating, needsRedraw: needsRedraw, wake: wake)
        switch plan {
        case .draw(let visible, let framesBy):
            return Draw(visibleAt: visible, framesBy: framesBy, isMainsTurn: false, takesFrame: takesFrame)
        case .sleep(let until):
            deadline = Self.earliest(deadline, until)
            return nil
        }
    }

    // MARK: - Drawing

    private func draw(_ draw: Draw) throws(RenderingError) {
        var began = HostTime.now()
        var hasNewFrame = false
        var presentTime: HostTime?
        var taken = Duration.zero
        if draw.takesFrame {
            let pacer = draw.isMainsTurn ? pacer : secondaryPacer
            presentTime = pacer.swapTime(
                frameDue: client.nextFrameDue, framesBy: draw.framesBy, visibleAt: draw.visibleAt, now: began)
            surface.makeCurrent()
            hasNewFrame = client.update(visibleAt: draw.visibleAt, framesBy: draw.framesBy)
            if hasNewFrame, draw.isMainsTurn, let due = client.takenFrameDue {
                self.pacer.didChoose(due: due, visibleAt: draw.visibleAt)
            }
            taken = .now() - began
        }
        var (hasDrawn, hasDrawnSecondary) = (false, false)
        if draw.isMainsTurn {
            if client.needsRedraw || main.isRetryDue(at: began) || client.wantsDraw(hasNewFrame: hasNewFrame) {
                try drawMain(visibleAt: draw.visibleAt, presentTime: presentTime, began: began, taken: taken)
                hasDrawn = true
                began = .now()
            } else if !hasNewFrame {
                pacer.didPass(at: began)
            }
        }
        for window in secondaryWindows where window.surface.isVisible && window.isReady(at: began) {
            guard let content = window.content,
                content.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: began)
                    || content.wantsDraw(hasNewFrame: hasNewFrame),
                client.secondaryWindows.contains(where: { $0 === content })
            else { continue }
            try self.draw(content, in: window, visibleAt: draw.visibleAt, presentTime: presentTime, began: began)
            hasDrawn = true
            hasDrawnSecondary = true
            began = .now()
        }
        // Between two draws, the context of the loop's own window must be current, as the client expects.
        if hasDrawnSecondary { surface.makeCurrent() }
        if !draw.isMainsTurn, !hasDrawn, !hasNewFrame { secondaryPacer.didPass(at: began) }
    }

    /// - Parameter taken: How long taking the video frame took.
    private func drawMain(
        visibleAt visible: HostTime, presentTime: HostTime?, began: HostTime, taken: Duration
    ) throws(RenderingError) {
        var (laidOut, brought) = (Duration.zero, Duration.zero)
        var listBegan = began
        let times = try main.present(
            presentTime: presentTime,
            compose: {
                let layoutBegan = HostTime.now()
                client.layout(scale: surface.scale, visibleAt: visible)
                let layoutEnded = HostTime.now()
                client.bringPicture()
                listBegan = .now()
                (laidOut, brought) = (layoutEnded - layoutBegan, listBegan - layoutEnded)
                client.compose(&$0, scale: surface.scale, visibleAt: visible)
            },
            targets: { client.videoTarget(for: $0) },
            willPresent: { client.willPresent($0) },
            catchUp: {
                surface.wait(until: HostTime(nanoseconds: 0))
                takeMainEvents()
                return true
            })
        guard let times else {
            if main.retryTime != nil { client.didLeaveOut() }
            return
        }
        pacer.didSwap(
            began: began, held: times.held, swapCalled: times.presentCalled, returned: times.returned,
            visibleAt: visible)
        requestRefreshes(at: times.returned)
        rateSchedule.didPresent()
        log.recordPresent(
            compose: laidOut + (times.drawBegan - listBegan), bring: taken + brought,
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled, at: times.returned)
        client.didPresent(at: pacer.clock.refresh(after: times.presentCalled)?.time ?? times.returned)
        handOver(main, pacer) { client.videoTarget(for: $0) }
    }

    private func draw(
        _ content: any FrameLoopWindow, in window: WindowPresenter, visibleAt visible: HostTime, presentTime: HostTime?,
        began: HostTime
    ) throws(RenderingError) {
        let times = try window.present(
            presentTime: presentTime,
            compose: { content.compose(&$0, scale: window.surface.scale, visibleAt: visible) },
            targets: { content.videoTarget(for: $0) },
            willPresent: { _ in },
            catchUp: {
                surface.wait(until: HostTime(nanoseconds: 0))
                // Event handlers expect the context of the loop's own window.
                surface.makeCurrent()
                drainEvents(of: window)
                return client.secondaryWindows.contains { $0 === content }
            })
        guard let times else { return }
        secondaryPacer.didSwap(
            began: began, held: times.held, swapCalled: times.presentCalled, returned: times.returned,
            visibleAt: visible)
        secondaryRateSchedule.didPresent()
        let last = window.lastPresent.flatMap { $0.stretch == log.stretch ? $0.time : nil }
        log.recordFloatingPresent(
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled,
            interval: last.map { times.returned - $0 })
        window.lastPresent = (times.returned, log.stretch)
        content.didPresent(at: times.returned)
        handOver(window, secondaryPacer) { content.videoTarget(for: $0) }
    }

    /// Lets the film go on in the list that is on screen if this thread is late for its next frame.
    private func handOver(
        _ window: WindowPresenter, _ pacer: FramePacer, target: (SurfaceID) -> (any VideoTarget)?
    ) {
        guard window.renderer.drawsOnAnyThread else { return }
        guard let film = client.lateFilm else { return filmThread.rest() }
        window.handOver(to: filmThread, film: film, start: pacer.lateStart, target: target)
    }

    private static func earliest(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
