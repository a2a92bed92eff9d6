import GlissadeLayers
import GlissadePlatform
public import GlissadeRendering
import GlissadeTime

/// Runs a program frame by frame. Each iteration handles events, and then draws, shows and logs a frame, or sleeps
/// until the next step is due.
///
/// The surface passed to `init` is the main window. The client may also have secondary windows. Secondary windows are
/// usually drawn along with the main window and show the same video frame. If only secondary windows have changed, they
/// are drawn on their own schedule.
///
/// Threads: main thread. Blocks only while it sleeps, holds a finished frame, or waits for a swap or for `RenderLock`.
@MainActor public final class FrameLoop {
    /// Records what each frame cost and when it became visible.
    public let log: FrameLog
    private let client: any FrameLoopClient
    private let main: WindowPresenter
    private var surface: any FrameSurface { main.surface }
    private var secondaryWindows: [WindowPresenter] = [] { didSet { windows = [main] + secondaryWindows } }
    /// All windows, the main window first.
    private var windows: [WindowPresenter]
    private let filmThread = FilmThread()
    private var events: [WindowEvent] = []
    /// The refresh rate last reported to the client, in Hz; nil if it was unknown or variable.
    private var reportedRate: Double?
    /// What the client wanted after it was advanced in this iteration.
    private var demand = LoopDemand()
    /// Whether the main window is visible in this iteration.
    private var isMainSeen = false
    /// The window whose display decides when the video frames are taken; nil if no window is visible.
    private weak var pacingWindow: WindowPresenter?
    var pacer: FramePacer { main.pacing.pacer }

    /// Creates a loop. `surface` is the main window, `renderer` draws it, and `log` records each frame.
    public init(surface: any FrameSurface, renderer: any Renderer, client: any FrameLoopClient, log: FrameLog) {
        main = WindowPresenter(content: nil, surface: surface, renderer: renderer)
        windows = [main]
        self.client = client
        self.log = log
    }

    /// Runs until the client's demand `isFinished`.
    ///
    /// - Throws: The error that prevented drawing or showing a window, or the `failure` in the client's demand.
    public func run() throws(RenderingError) {
        defer {
            filmThread.end()
            secondaryWindows = []
        }
        while true {
            // Polls without waiting. Otherwise no event would be read while there is always something to draw.
            surface.wait(until: HostTime(nanoseconds: 0))
            var now = HostTime.now()
            surface.pollGeometry(at: now)
            for window in secondaryWindows { window.surface.pollGeometry(at: now) }
            drainEvents()
            takeReports()
            now = .now()
            if surface.frameHoldDeadline(at: now) != nil { filmThread.rest(in: main.renderer) }
            client.advance(to: now)
            for window in secondaryWindows { window.content?.advance(to: now) }
            demand = client.demand
            if demand.isFinished {
                filmThread.rest()
                client.film?.end()
                return
            }
            updateSecondaryWindows()
            for window in windows { window.pacing.readRefreshRate(at: now) }
            main.pacing.setVariable(demand.usesVariableRefresh)
            isMainSeen = main.isSeen(at: now)
            if !isMainSeen { filmThread.rest(in: main.renderer) }
            choosePacingWindow(at: now)
            guard pacingWindow != nil else {
                filmThread.rest()
                let isDropped = windows.contains { $0.surface.isVisible }
                if let film = client.film { while film.take(by: now) != nil { film.leaveOut(isDropped: isDropped) } }
                log.interrupt()
                let due = HostTime.earliest(client.film?.nextFrameDue, client.nextWake(now: now))
                surface.wait(until: HostTime.earliest(due, nextWake(now: now)))
                continue
            }
            now = .now()
            var deadline: HostTime?
            if let draw = mainPlan(now: now, &deadline) ?? secondaryPlan(now: now, &deadline) {
                try self.draw(draw)
                if let failure = client.demand.failure { throw failure }
            } else {
                surface.wait(until: HostTime.earliest(deadline, nextWake(now: now)))
            }
        }
    }

    /// Returns the earliest time at which the loop must run for a window or for the content of a secondary window,
    /// visible or not; nil if there is no such time.
    private func nextWake(now: HostTime) -> HostTime? {
        secondaryWindows.reduce(main.nextWake(now: now)) { wake, window in
            HostTime.earliest(wake, HostTime.earliest(window.content?.nextWake(now: now), window.nextWake(now: now)))
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
        // Handlers may call other functions of this loop, but not this one, which keeps the storage of `events` until
        // it returns.
        var taken: [WindowEvent] = []
        swap(&taken, &events)
        main.pacing.take(taken)
        if taken.contains(.needsRedraw) { main.setDamaged() }
        if taken.contains(where: Self.changesWindow) { filmThread.rest(in: main.renderer) }
        for event in taken {
            client.handle(event, now: now)
        }
        swap(&taken, &events)
    }

    /// Whether the window's last display list may no longer fit the window after `event`.
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
        window.pacing.take(events)
        for index in events.indices {
            // A handler may have closed the window.
            guard client.secondaryWindows.contains(where: { $0 === content }) else { return }
            content.handle(events[index], now: now)
        }
    }

    /// Chooses the window whose display decides when video frames are taken.
    ///
    /// This is usually the main window. A secondary window is chosen if the main window is not visible. A secondary
    /// window is also chosen if only that window shows the video and its refresh rate has been measured.
    private func choosePacingWindow(at now: HostTime) {
        var (first, video): (WindowPresenter?, WindowPresenter?)
        for window in secondaryWindows {
            window.wasSeen = window.isSeen(at: now)
            guard window.wasSeen else { continue }
            first = first ?? window
            if window.showsFilm { video = video ?? window }
        }
        guard isMainSeen else {
            pacingWindow = video ?? first
            return
        }
        pacingWindow = main
        if !main.showsFilm, let video, video.pacing.refreshRate != nil { pacingWindow = video }
    }

    /// Creates presenters for new secondary windows and drops the presenters of closed ones.
    private func updateSecondaryWindows() {
        let current = client.secondaryWindows
        if current.isEmpty, secondaryWindows.isEmpty { return }
        let isGone = { (window: WindowPresenter) in !current.contains { $0 === window.content } }
        if secondaryWindows.contains(where: isGone) {
            for window in secondaryWindows where isGone(window) { filmThread.rest(in: window.renderer) }
            secondaryWindows.removeAll(where: isGone)
        }
        for content in current where !secondaryWindows.contains(where: { $0.content === content }) {
            secondaryWindows.append(
                WindowPresenter(content: content, surface: content.surface, renderer: content.renderer))
        }
    }

    // MARK: - The display's clock

    private func takeReports() {
        main.pacing.takeReports(isSeen: isMainSeen) { log.recordPresented($0) }
        for window in secondaryWindows { window.pacing.takeReports(isSeen: window.wasSeen) }
        let rate = (pacingWindow ?? main).pacing.refreshRate
        if rate != reportedRate {
            reportedRate = rate
            client.handle(.displayRateChanged(rate), now: .now())
        }
    }
}

// MARK: - What to draw, and when

extension FrameLoop {
    /// What to draw in one iteration of the loop.
    private struct Draw {
        var began: HostTime
        var visibleAt: HostTime
        var window: WindowPresenter
        /// The video frame to take for this draw; nil to take none.
        var frame: Frame?

        struct Frame {
            /// The window whose display decides when video frames are taken.
            var pacingWindow: WindowPresenter
            var visibleAt: HostTime
            /// The latest due time of the video frames that may be taken.
            var framesBy: HostTime
        }
    }

    /// Returns what to draw if the main window must be drawn now. Otherwise, returns nil and, if the window is ready,
    /// sets `deadline` to the time at which to check again (nil if unknown).
    private func mainPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        guard isMainSeen else { return nil }
        if let end = surface.frameHoldDeadline(at: now) {
            deadline = end
            return nil
        }
        guard main.isReady(at: now) else { return nil }
        let takesFrame = pacingWindow === main
        let plan = pacer.plan(
            now: now, frameDue: takesFrame ? client.film?.nextFrameDue : nil,
            isAnimating: demand.window.isAnimating && !demand.window.needsImmediateRelayout,
            needsRedraw: demand.window.needsRedraw || main.isRetryDue(at: now), wake: client.nextWake(now: now))
        switch plan {
        case .draw(let visible, let framesBy):
            var draw = Draw(began: now, visibleAt: visible, window: main)
            if takesFrame {
                draw.frame = .init(pacingWindow: main, visibleAt: visible, framesBy: framesBy)
            } else if let pacingWindow,
                case .draw(let visible, let framesBy)? = secondaryPlan(
                    of: pacingWindow, from: now, to: now + pacer.mean)
            {
                // If another window must take a video frame before this draw is over, that window is drawn first.
                draw.frame = .init(pacingWindow: pacingWindow, visibleAt: visible, framesBy: framesBy)
            }
            return draw
        case .sleep(let until):
            deadline = until
            return nil
        }
    }

    /// Returns what to draw if a secondary window must be drawn now; otherwise nil. If a secondary window must be
    /// checked again before `deadline`, moves `deadline` to that time.
    private func secondaryPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        for window in secondaryWindows where window.wasSeen {
            switch secondaryPlan(of: window, now: now) {
            case .draw(let visible, let framesBy):
                var draw = Draw(began: now, visibleAt: visible, window: window)
                if window === pacingWindow {
                    draw.frame = .init(pacingWindow: window, visibleAt: visible, framesBy: framesBy)
                }
                return draw
            case .sleep(let until): deadline = HostTime.earliest(deadline, until)
            case nil: break
            }
        }
        return nil
    }

    /// Returns the plan of a secondary window for the time from `start` to `end`, while another window is drawn. Nil
    /// for the main window. If the window would sleep at `start` and wake up by `end`, returns the plan at its wake-up.
    private func secondaryPlan(
        of window: WindowPresenter, from start: HostTime, to end: HostTime
    ) -> FramePacer.Plan? {
        let plan = secondaryPlan(of: window, now: start)
        guard case .sleep(let until?)? = plan, until > start, until <= end else { return plan }
        return secondaryPlan(of: window, now: until)
    }

    /// Returns the plan of a secondary window at `now`; nil for the main window.
    private func secondaryPlan(of window: WindowPresenter, now: HostTime) -> FramePacer.Plan? {
        guard let content = window.content else { return nil }
        let takesFrame = window === pacingWindow
        let due = client.film?.nextFrameDue
        var wake = content.nextWake(now: now)
        if takesFrame, !isMainSeen { wake = HostTime.earliest(wake, client.nextWake(now: now)) }
        guard window.isReady(at: now) else { return .sleep(until: wake) }
        let pacer = window.pacing.pacer
        let demand = content.demand
        var isAnimating = demand.isAnimating
        var needsRedraw = demand.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: now)
        // A mouse may report motion a thousand times a second, so a window that was just shown waits for the next
        // animation tick.
        if needsRedraw, let last = window.lastPresent?.time, now - last < pacer.period {
            (isAnimating, needsRedraw) = (true, false)
        }
        // An animation tick close to a video frame is drawn together with that frame.
        if !takesFrame, !needsRedraw, isAnimating, let due, due - now < pacer.period / 2 { return .sleep(until: wake) }
        return pacer.plan(
            now: now, frameDue: takesFrame ? due : nil, isAnimating: isAnimating, needsRedraw: needsRedraw, wake: wake)
    }
}

// MARK: - Drawing

extension FrameLoop {
    private func draw(_ draw: Draw) throws(RenderingError) {
        var began = HostTime.now()
        var hasNewFrame = false
        var presentTime: HostTime?
        var taken = Duration.zero
        if let frame = draw.frame {
            let pacing = frame.pacingWindow.pacing
            presentTime = pacing.pacer.swapTime(
                frameDue: client.film?.nextFrameDue, framesBy: frame.framesBy, visibleAt: frame.visibleAt, now: began)
            surface.makeCurrent()
            if let film = client.film {
                let new = film.take(by: frame.framesBy)
                hasNewFrame = new != nil
                client.placeFilm(hasNewFrame: hasNewFrame)
                film.fit(isLaidOut: false)
                if let due = new?.due { pacing.didChoose(due: due, visibleAt: frame.visibleAt) }
            }
            taken = .now() - began
        }
        var (hasDrawn, hasDrawnSecondary) = (false, false)
        func drawSecondary(_ window: WindowPresenter) throws(RenderingError) {
            guard window.surface.isVisible, window.isReady(at: began), let content = window.content,
                mustDraw(content, in: window, draw, hasNewFrame: hasNewFrame),
                client.secondaryWindows.contains(where: { $0 === content })
            else { return }
            var visible = draw.visibleAt
            if window === draw.frame?.pacingWindow, let frame = draw.frame {
                visible = frame.visibleAt
            } else if window !== draw.window, let own = window.pacing.pacer.visibleTime(sent: presentTime ?? began) {
                // The draw was planned for another window, so this window's own pacer predicts when the frame is
                // visible.
                visible = own
            }
            try self.draw(content, in: window, visibleAt: visible, presentTime: presentTime, began: began)
            (hasDrawn, hasDrawnSecondary) = (true, true)
            began = .now()
        }
        // The window that paces the film is drawn before the main window.
        let first = draw.window === main && draw.frame?.pacingWindow !== main ? draw.frame?.pacingWindow : nil
        if let first { try drawSecondary(first) }
        if draw.window === main {
            let demand = client.demand.window
            if demand.needsRedraw || main.isRetryDue(at: began) || demand.wantsDraw(hasNewFrame: hasNewFrame) {
                let isPacing = draw.frame?.pacingWindow === main
                let swap = isPacing ? presentTime : nil
                try drawMain(
                    visibleAt: pacer.visibleTime(planned: draw.visibleAt, swapTime: swap), presentTime: swap,
                    began: began, taken: taken)
                hasDrawn = true
                began = .now()
            } else if !hasNewFrame {
                main.pacing.didPass(at: began)
            }
        } else if hasNewFrame, isMainSeen, main.isReady(at: began), surface.frameHoldDeadline(at: began) == nil,
            case let demand = client.demand.window, demand.showsFilm, !demand.isAnimating
        {
            let visible = pacer.visibleTime(sent: began) ?? draw.visibleAt
            try drawMain(visibleAt: visible, presentTime: nil, began: began, taken: taken)
            began = .now()
        }
        for window in secondaryWindows where window !== first { try drawSecondary(window) }
        // Between draws, the client expects the main window's context to be current.
        if hasDrawnSecondary { surface.makeCurrent() }
        if draw.window !== main, !hasDrawn, !hasNewFrame { draw.window.pacing.didPass(at: began) }
    }

    /// Whether a secondary window must be drawn in the iteration that performs `draw`.
    private func mustDraw(
        _ content: any FrameLoopWindow, in window: WindowPresenter, _ draw: Draw, hasNewFrame: Bool
    ) -> Bool {
        let demand = content.demand
        if demand.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: .now()) { return true }
        // Without a new video frame, a window whose display reports refreshes follows its own plan.
        if !hasNewFrame, window !== draw.window, window.pacing.refreshRate != nil {
            guard case .draw? = secondaryPlan(of: window, from: draw.began, to: .now()) else { return false }
        }
        return demand.wantsDraw(hasNewFrame: hasNewFrame)
    }

    /// Draws and shows the main window, and records the frame in the log.
    ///
    /// - Parameter taken: How long taking the video frame took, for the log.
    private func drawMain(
        visibleAt visible: HostTime, presentTime: HostTime?, began: HostTime, taken: Duration
    ) throws(RenderingError) {
        var (laidOut, fitted) = (Duration.zero, Duration.zero)
        var listBegan = began
        let times = try main.present(
            presentTime: presentTime, film: client.film?.surface,
            compose: {
                let layoutBegan = HostTime.now()
                client.layout(scale: surface.scale, visibleAt: visible)
                let layoutEnded = HostTime.now()
                client.film?.fit(isLaidOut: true)
                listBegan = .now()
                (laidOut, fitted) = (layoutEnded - layoutBegan, listBegan - layoutEnded)
                client.compose(&$0, scale: surface.scale, visibleAt: visible)
            },
            targets: { client.videoTarget(for: $0) },
            willPresent: {
                client.film?.willPresent()
                client.willPresent($0)
            },
            catchUp: {
                surface.wait(until: HostTime(nanoseconds: 0))
                takeMainEvents()
                return true
            })
        guard let times else {
            if main.retryTime != nil, client.demand.window.showsFilm { client.film?.postpone() }
            return
        }
        main.pacing.didPresent(times, began: began, visibleAt: visible)
        log.recordPresent(
            compose: laidOut + (times.drawBegan - listBegan), take: taken + fitted,
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled, at: times.returned)
        let visibleTime = main.pacing.visibleTime(times)
        client.didPresent(at: visibleTime)
        if client.demand.window.showsFilm { client.film?.didPresent(at: visibleTime) }
        handOver(main) { client.videoTarget(for: $0) }
    }

    private func draw(
        _ content: any FrameLoopWindow, in window: WindowPresenter, visibleAt visible: HostTime, presentTime: HostTime?,
        began: HostTime
    ) throws(RenderingError) {
        let times = try window.present(
            presentTime: presentTime, film: client.film?.surface,
            compose: { content.compose(&$0, scale: window.surface.scale, visibleAt: visible) },
            targets: { content.videoTarget(for: $0) },
            willPresent: { _ in client.film?.willPresent() },
            catchUp: {
                surface.wait(until: HostTime(nanoseconds: 0))
                // Event handlers expect the main window's context to be current.
                surface.makeCurrent()
                drainEvents(of: window)
                return client.secondaryWindows.contains { $0 === content }
            })
        guard let times else { return }
        window.pacing.didPresent(times, began: began, visibleAt: visible)
        let last = window.lastPresent.flatMap { $0.stretch == log.stretch ? $0.time : nil }
        log.recordFloatingPresent(
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled,
            interval: last.map { times.returned - $0 })
        window.lastPresent = (times.returned, log.stretch)
        let visibleTime = window.pacing.visibleTime(times)
        if content.demand.showsFilm { client.film?.didPresent(at: visibleTime) }
        content.didPresent(at: visibleTime)
        handOver(window) { content.videoTarget(for: $0) }
    }

    /// Hands the window's display list to the film thread, or stops the film thread if there is no film.
    private func handOver(_ window: WindowPresenter, target: (SurfaceID) -> (any VideoTarget)?) {
        guard window.renderer.drawsOnAnyThread else { return }
        // The list does not fit the window after the change.
        if window.surface.frameHoldDeadline(at: .now()) != nil { return filmThread.rest(in: window.renderer) }
        // The reader of the pixels is told only of this thread's frames.
        if window.renderer.keepsPixels { return filmThread.rest(in: window.renderer) }
        guard let film = client.film?.threadSource else { return filmThread.rest() }
        window.handOver(to: filmThread, film: film, start: window.pacing.pacer.lateStart, target: target)
    }
}
