import Time

// When to draw, and which window.

extension FrameLoop {
    /// What to draw in one round of the loop.
    struct Draw {
        var began: HostTime
        var visibleAt: HostTime
        /// The window that is due.
        var window: WindowPresenter
        /// The video frame to take in this round; nil if none is due.
        var frame: Frame?

        struct Frame {
            /// The window whose display decides when it is taken.
            var pacingWindow: WindowPresenter
            var visibleAt: HostTime
            /// By when the frame must be due.
            var framesBy: HostTime
        }
    }

    /// The plan of the loop's own window; nil and a deadline if it has nothing to do yet.
    func mainPlan(now: HostTime, _ deadline: inout HostTime?) -> Draw? {
        guard isMainSeen, main.isReady(at: now) else { return nil }
        let takesFrame = pacingWindow === main
        let plan = pacer.plan(
            now: now, frameDue: takesFrame ? client.nextFrameDue : nil,
            isAnimating: client.isAnimating && !client.needsImmediateRelayout,
            needsRedraw: client.needsRedraw || main.isRetryDue(at: now), wake: client.nextWake(now: now))
        switch plan {
        case .draw(let visible, let framesBy):
            var draw = Draw(began: now, visibleAt: visible, window: main)
            if takesFrame {
                draw.frame = .init(pacingWindow: main, visibleAt: visible, framesBy: framesBy)
            } else if let pacingWindow,
                case .draw(let visible, let framesBy)? = secondaryPlan(
                    of: pacingWindow, from: now, to: now + pacer.mean)
            {
                // A frame that another window must take before this draw is over is drawn first.
                draw.frame = .init(pacingWindow: pacingWindow, visibleAt: visible, framesBy: framesBy)
            }
            return draw
        case .sleep(let until):
            deadline = until
            return nil
        }
    }

    /// The plan of the first secondary window that is due; nil and a deadline if none has anything to do yet.
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

    /// The plan of a secondary window that may have to begin while another one is drawn from `start` to `end`; nil if it
    /// is gone.
    func secondaryPlan(
        of window: WindowPresenter, from start: HostTime, to end: HostTime
    ) -> FramePacer.Plan? {
        let plan = secondaryPlan(of: window, now: start)
        guard case .sleep(let until?)? = plan, until > start, until <= end else { return plan }
        return secondaryPlan(of: window, now: until)
    }

    /// The plan of a secondary window; nil if it is gone.
    private func secondaryPlan(of window: WindowPresenter, now: HostTime) -> FramePacer.Plan? {
        guard let content = window.content else { return nil }
        let takesFrame = window === pacingWindow
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
}
