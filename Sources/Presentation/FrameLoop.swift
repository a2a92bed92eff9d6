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
    private var secondaryWindows: [WindowPresenter] = [] { didSet { windows = [main] + secondaryWindows } }
    /// All windows, the loop's own first.
    private var windows: [WindowPresenter]
    private let filmThread = FilmThread()
    private var events: [WindowEvent] = []
    /// The last measured refresh rate that the client was told.
    private var reportedRate: Double?
    /// Whether the loop's own window is visible in this round.
    private var isMainSeen = false
    /// The window whose display decides when the video frames are taken; nil if no window is visible.
    private weak var frameTaker: WindowPresenter?
    var pacer: FramePacer { main.pacing.pacer }

    /// What to draw in one round of the loop.
    private struct Draw {
        var began: HostTime
        var visibleAt: HostTime
        /// The window that is due.
        var window: WindowPresenter
        /// When the video frame is visible that is taken in this round; nil if none is.
        var frame: Frame?

        struct Frame {
            /// The window whose display decides.
            var taker: WindowPresenter
            var visibleAt: HostTime
            /// By when the frame must be due.
            var framesBy: HostTime
        }
    }

    /// Creates a loop that draws with `renderer` into `surface`; `log` records each frame.
    public init(surface: any FrameSurface, renderer: any Renderer, client: any FrameLoopClient, log: FrameLog) {
        main = WindowPresenter(content: nil, surface: surface, renderer: renderer)
        windows = [main]
        self.client = client
        self.log = log
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
            for window in windows { window.pacing.readRefreshRate(at: now) }
            main.pacing.setVariable(client.usesVariableRefresh)
            isMainSeen = main.isSeen(at: now)
            if !isMainSeen { filmThread.rest(in: main.renderer) }
            chooseFrameTaker(at: now)
            guard frameTaker != nil else {
                filmThread.rest()
                client.skip(to: now)
                log.interrupt()
                let due = Self.earliest(client.nextFrameDue, client.nextWake(now: now))
                surface.wait(until: Self.earliest(due, nextWake(now: now)))
                continue
            }
            now = .now()
            var deadline: HostTime?
            if let draw = mainPlan(now: now, &deadline) ?? secondaryPlan(now: now, &deadline) {
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
        main.pacing.take(taken)
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
        window.pacing.take(events)
        for index in events.indices {
            // A handler may have closed the window.
            guard client.secondaryWindows.contains(where: { $0 === content }) else { return }
            content.handle(events[index], now: now)
        }
    }

    /// Chooses the window whose display decides when video frames are taken.
    ///
    /// It is the loop's own window if that is visible, unless the video is only in another one whose display reports its
    /// refreshes: what does not draw learns nothing about its own display.
    private func chooseFrameTaker(at now: HostTime) {
        var (first, video): (WindowPresenter?, WindowPresenter?)
        for window in secondaryWindows {
            window.wasSeen = window.isSeen(at: now)
            guard window.wasSeen else { continue }
            first = first ?? window
            if window.showsVideo { video = video ?? window }
        }
        guard isMainSeen else {
            frameTaker = video ?? first
            return
        }
        frameTaker = main
        if !main.showsVideo, let video, video.pacing.refreshRate != nil { frameTaker = video }
    }

    /// Creates presenters for new secondary windows and drops those of closed ones.
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
        let rate = (frameTaker ?? main).pacing.refreshRate
        if rate != reportedRate {
            reportedRate = rate
            client.displayRateChanged(to: rate)
        }
    }

    // MARK: - When to draw

    /// The plan of the loop's own window; nil and a deadline if it has nothing to do yet.
    private func mainPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        guard isMainSeen, main.isReady(at: now) else { return nil }
        let takesFrame = frameTaker === main
        let plan = pacer.plan(
            now: now, frameDue: takesFrame ? client.nextFrameDue : nil,
            isAnimating: client.isAnimating && !client.needsImmediateRelayout,
            needsRedraw: client.needsRedraw || main.isRetryDue(at: now), wake: client.nextWake(now: now))
        switch plan {
        case .draw(let visible, let framesBy):
            var draw = Draw(began: now, visibleAt: visible, window: main)
            if takesFrame {
                draw.frame = .init(taker: main, visibleAt: visible, framesBy: framesBy)
            } else if let frameTaker,
                case .draw(let visible, let framesBy)? = secondaryPlan(of: frameTaker, from: now, to: now + pacer.mean)
            {
                // A frame that another window must take before this draw is over is drawn first.
                draw.frame = .init(taker: frameTaker, visibleAt: visible, framesBy: framesBy)
            }
            return draw
        case .sleep(let until):
            deadline = until
            return nil
        }
    }

    /// The plan of the first secondary window that is due; nil and a deadline if none has anything to do yet.
    private func secondaryPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        for window in secondaryWindows where window.wasSeen {
            switch secondaryPlan(of: window, now: now) {
            case .draw(let visible, let framesBy):
                var draw = Draw(began: now, visibleAt: visible, window: window)
                if window === frameTaker {
                    draw.frame = .init(taker: window, visibleAt: visible, framesBy: framesBy)
                }
                return draw
            case .sleep(let until): deadline = Self.earliest(deadline, until)
            case nil: break
            }
        }
        return nil
    }

    /// The plan of a secondary window that cannot begin between `start` and `end`; nil if it is gone.
    private func secondaryPlan(
        of window: WindowPresenter, from start: HostTime, to end: HostTime
    ) -> FramePacer.Plan? {
        let plan = secondaryPlan(of: window, now: start)
        guard case .sleep(let until?)? = plan, until > start, until <= end else { return plan }
        return secondaryPlan(of: window, now: until)
    }

    /// The plan of a secondary window; nil if it is gone.
    private func secondaryPlan(of window: WindowPresenter, now: HostTime) -> FramePacer.Plan? {
        guard let content = window.content else { return nil }
        let takesFrame = window === frameTaker
        let due = client.nextFrameDue
        var wake = content.nextWake(now: now)
        if takesFrame, !isMainSeen { wake = Self.earliest(wake, client.nextWake(now: now)) }
        guard window.isReady(at: now) else { return .sleep(until: wake) }
        let pacer = window.pacing.pacer
        var isAnimating = content.isAnimating
        var needsRedraw = content.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: now)
        // A mouse may report a thousand times a second, so a window that was just shown waits for the next tick.
        if needsRedraw, let last = window.lastPresent?.time, now - last < pacer.period {
            (isAnimating, needsRedraw) = (true, false)
        }
        // A tick close to a video frame is drawn with it.
        if !takesFrame, !needsRedraw, isAnimating, let due, due - now < pacer.period / 2 { return .sleep(until: wake) }
        return pacer.plan(
            now: now, frameDue: takesFrame ? due : nil, isAnimating: isAnimating, needsRedraw: needsRedraw, wake: wake)
    }

    // MARK: - Drawing

    private func draw(_ draw: Draw) throws(RenderingError) {
        var began = HostTime.now()
        var hasNewFrame = false
        var presentTime: HostTime?
        var taken = Duration.zero
        if let frame = draw.frame {
            let pacing = frame.taker.pacing
            presentTime = pacing.pacer.swapTime(
                frameDue: client.nextFrameDue, framesBy: frame.framesBy, visibleAt: frame.visibleAt, now: began)
            surface.makeCurrent()
            hasNewFrame = client.update(visibleAt: frame.visibleAt, framesBy: frame.framesBy)
            if hasNewFrame, let due = client.takenFrameDue { pacing.didChoose(due: due, visibleAt: frame.visibleAt) }
            taken = .now() - began
        }
        var (hasDrawn, hasDrawnSecondary) = (false, false)
        func drawSecondary(_ window: WindowPresenter) throws(RenderingError) {
            window.videoSurface = client.videoSurface
            guard window.surface.isVisible, window.isReady(at: began), let content = window.content,
                mustDraw(content, in: window, draw, hasNewFrame: hasNewFrame),
                client.secondaryWindows.contains(where: { $0 === content })
            else { return }
            var visible = draw.visibleAt
            if window === draw.frame?.taker, let frame = draw.frame {
                visible = frame.visibleAt
            } else if window !== draw.window, let own = window.pacing.pacer.visibleTime(sent: presentTime ?? began) {
                // In the round of another window, it is visible when its own display shows it.
                visible = own
            }
            try self.draw(content, in: window, visibleAt: visible, presentTime: presentTime, began: began)
            (hasDrawn, hasDrawnSecondary) = (true, true)
            began = .now()
        }
        // The film comes first.
        let first = draw.window === main && draw.frame?.taker !== main ? draw.frame?.taker : nil
        if let first { try drawSecondary(first) }
        if draw.window === main {
            if client.needsRedraw || main.isRetryDue(at: began) || client.wantsDraw(hasNewFrame: hasNewFrame) {
                let isTaker = draw.frame?.taker === main
                try drawMain(
                    visibleAt: draw.visibleAt, presentTime: isTaker ? presentTime : nil, began: began, taken: taken)
                hasDrawn = true
                began = .now()
            } else if !hasNewFrame {
                main.pacing.didPass(at: began)
            }
        } else if hasNewFrame, isMainSeen, !client.isAnimating, main.isReady(at: began),
            client.wantsDraw(hasNewFrame: true)
        {
            let visible = pacer.visibleTime(sent: began) ?? draw.visibleAt
            try drawMain(visibleAt: visible, presentTime: nil, began: began, taken: taken)
            began = .now()
        }
        for window in secondaryWindows where window !== first { try drawSecondary(window) }
        // Between two draws, the context of the loop's own window must be current, as the client expects.
        if hasDrawnSecondary { surface.makeCurrent() }
        if draw.window !== main, !hasDrawn, !hasNewFrame { draw.window.pacing.didPass(at: began) }
    }

    /// Whether a secondary window is drawn in the round `draw`.
    private func mustDraw(
        _ content: any FrameLoopWindow, in window: WindowPresenter, _ draw: Draw, hasNewFrame: Bool
    ) -> Bool {
        if content.needsRedraw || window.hasPendingDamage || window.isRetryDue(at: .now()) { return true }
        // With a clock of its own, it moves when its own display refreshes.
        if !hasNewFrame, window !== draw.window, window.pacing.refreshRate != nil {
            guard case .draw? = secondaryPlan(of: window, from: draw.began, to: .now()) else { return false }
        }
        return content.wantsDraw(hasNewFrame: hasNewFrame)
    }

    /// - Parameter taken: How long taking the video frame took.
    private func drawMain(
        visibleAt visible: HostTime, presentTime: HostTime?, began: HostTime, taken: Duration
    ) throws(RenderingError) {
        var (laidOut, brought) = (Duration.zero, Duration.zero)
        var listBegan = began
        main.videoSurface = client.videoSurface
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
        main.pacing.didPresent(times, began: began, visibleAt: visible)
        log.recordPresent(
            compose: laidOut + (times.drawBegan - listBegan), bring: taken + brought,
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled, at: times.returned)
        client.didPresent(at: main.pacing.visibleTime(times))
        handOver(main) { client.videoTarget(for: $0) }
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
        window.pacing.didPresent(times, began: began, visibleAt: visible)
        let last = window.lastPresent.flatMap { $0.stretch == log.stretch ? $0.time : nil }
        log.recordFloatingPresent(
            draw: times.drawn - times.drawBegan, swap: times.returned - times.presentCalled,
            interval: last.map { times.returned - $0 })
        window.lastPresent = (times.returned, log.stretch)
        content.didPresent(at: window.pacing.visibleTime(times))
        handOver(window) { content.videoTarget(for: $0) }
    }

    /// Lets the film go on in the list that is on screen if this thread is late for its next frame.
    private func handOver(_ window: WindowPresenter, target: (SurfaceID) -> (any VideoTarget)?) {
        guard window.renderer.drawsOnAnyThread else { return }
        guard let film = client.lateFilm else { return filmThread.rest() }
        window.handOver(to: filmThread, film: film, start: window.pacing.pacer.lateStart, target: target)
    }

    private static func earliest(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
