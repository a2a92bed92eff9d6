import GlissadeTime

// Decides when to draw, and which window.

extension FrameLoop {
    /// What to draw in one iteration of the loop.
    struct Draw {
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
    func mainPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
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
    func secondaryPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        for window in secondaryWindows where window.wasSeen {
            switch secondaryPlan(of: window, now: now) {
            case .draw(let visible, let framesBy):
                var draw = Draw(began: now, visibleAt: visible, window: window)
                if window === pacingWindow {
                    draw.frame = .init(pacingWindow: window, visibleAt: visible, framesBy: framesBy)
                }
                return draw
            case .sleep(let until): deadline = Self.earliest(deadline, until)
            case nil: break
            }
        }
        return nil
    }

    /// Returns the plan of a secondary window for the time from `start` to `end`, while another window is drawn. Nil
    /// for the main window. If the window would sleep at `start` and wake up by `end`, returns the plan at its wake-up.
    func secondaryPlan(
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
        if takesFrame, !isMainSeen { wake = Self.earliest(wake, client.nextWake(now: now)) }
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
