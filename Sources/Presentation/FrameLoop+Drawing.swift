import GlissadeLayers
import GlissadeRendering
import GlissadeTime

extension FrameLoop {
    func draw(_ draw: Draw) throws(RenderingError) {
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
            willPresent: { client.willPresent($0) },
            catchUp: {
                surface.wait(until: HostTime(nanoseconds: 0))
                takeMainEvents()
                return true
            })
        guard let times else {
            if main.retryTime != nil, client.demand.window.showsFilm { client.film?.leaveOut() }
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
            willPresent: { _ in },
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
        guard let film = client.film?.threadSource else { return filmThread.rest() }
        window.handOver(to: filmThread, film: film, start: window.pacing.pacer.lateStart, target: target)
    }
}
