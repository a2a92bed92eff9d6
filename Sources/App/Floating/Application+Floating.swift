import Floating
import Layers
import Navigation
import Platform
import Subtitles
import Time
import Windowing

// What floats in windows of its own: the film, the lines of its subtitles, a clock.

extension Application {
    func session(_ kind: FloatingWindowPositions.Kind) -> FloatingSession {
        if let session = sessions.first(where: { $0.kind == kind }) { return session }
        let session = FloatingSession(kind, of: self)
        sessions.append(session)
        return session
    }

    /// Whether the film floats, or is about to.
    var isFilmFloating: Bool { sessions.contains { $0.kind == .film && $0.isOpen } }

    var isAnythingFloating: Bool { sessions.contains { $0.isOpen } }

    /// Floats what the command line asks for.
    func floatFromStart() {
        for float in options.floats {
            switch float {
            case .clock: toggle(.clock, now: .now())
            case .lines: toggle(.lines, now: .now())
            }
        }
    }

    /// The film into a window of its own, and back to its page.
    func toggleFloating(now: HostTime) {
        let session = session(.film)
        if session.isOpen {
            session.floating.restore()
            return
        }
        guard let playing, playing.player.hasVideo else {
            let reason = playing == nil ? "Nothing is playing" : "There is no picture to float"
            playerPage?.tell(.floating, reason, now: now)
            return setNeedsTick()
        }
        let element = VideoElement(title: playing.title, aspect: playing.video.displaySize)
        element.playing = { [weak self] in self?.playing }
        takeUpCard(now: now)
        if playerPage == nil { playerPage = makePlayerPage() }
        // Its place is its window now.
        if fullscreen.isEntered { leaveFullscreen(now: now) }
        float(element, in: session, now: now)
    }

    /// A clock, or the lines, into a window, or out of it.
    func toggle(_ kind: FloatingWindowPositions.Kind, now: HostTime) {
        let session = session(kind)
        if session.isOpen { return session.floating.stop() }
        switch kind {
        case .film: toggleFloating(now: now)
        case .clock: float(ClockElement(), in: session, now: now)
        case .lines:
            float(SubtitleLinesElement(), in: session, now: now)
            advanceLines()
        }
    }

    private func float(_ element: any FloatingElement, in session: FloatingSession, now: HostTime) {
        do throws(FloatingError) {
            try session.floating.start(element)
        } catch {
            floatingFailedToStart(element, error: error)
        }
        setNeedsTick()
    }

    /// Windows have come or gone.
    func windowsChanged() {
        secondaryWindows = sessions.compactMap { $0.isOpen ? $0.window : nil }.filter { $0.element != nil }
        setNeedsTick()
    }

    // MARK: - The film

    var filmElement: VideoElement? {
        sessions.first { $0.kind == .film }?.floating.element as? VideoElement
    }

    /// Another film plays, or the present one is known better.
    func filmChanged() {
        guard let element = filmElement, let playing else { return }
        let aspect = playing.player.info?.displaySize ?? playing.video.displaySize
        if element.title == playing.title, element.aspect == aspect { return }
        element.follow(title: playing.title, aspect: aspect)
        session(.film).elementChanged()
    }

    /// The frame that was pending is on the screen since `time`, in a floating window.
    func filmWasPresented(at time: HostTime) { playing?.video.didPresent(at: time) }

    /// Ends the going back to the film's page once that is there.
    func advanceRestoring() {
        guard let done = restoring, !stack.isTransitioning || window?.isVisible != true else { return }
        restoring = nil
        done(stack.top === playerPage)
    }

    // MARK: - The lines

    /// The film's lines around the frame on show, where they float. Looked up when they change, and twice a second: lines
    /// to come become known as the film is read.
    func advanceLines() {
        guard let element = sessions.first(where: { $0.kind == .lines })?.floating.element as? SubtitleLinesElement
        else {
            return
        }
        guard let playing, playing.subtitles.subtitles.isActive else {
            linesUntil = nil
            element.show(SubtitleLines(), hint: playing == nil ? "Nothing is playing" : "No subtitles are on")
            return
        }
        let now =
            playing.video.shownTime
            ?? (playing.player.info?.startTime ?? .zero) + playing.player.position(at: .now())
        if let (from, until) = linesUntil, now >= from, now < until { return }
        let subtitles = playing.subtitles.subtitles
        let soon = now + .milliseconds(500)
        linesUntil = (now, min(soon, subtitles.nextChange(after: now) ?? soon))
        element.show(subtitles.lines(around: now), hint: "…")
    }

    // MARK: - The main window

    /// Somebody wants the main window closed: what floats goes on without it.
    func closeMainWindow() {
        guard isAnythingFloating, let window else { return finish(.done) }
        isMainClosed = true
        endFullscreen(now: .now())
        arbiter.cancelAll(now: .now())
        // What nobody sees any more is not to be heard.
        if !isFilmFloating { perform(.pause, now: .now()) }
        window.hide()
    }

    /// The main window is there again, before others.
    func openMainWindow() {
        guard let window else { return }
        isMainClosed = false
        window.show()
        window.raise()
        setNeedsTick()
    }
}

extension Application: FloatingDelegate {
    func floatingWillStart(_ element: any FloatingElement) {
        guard let film = element as? VideoElement, let page = playerPage else { return }
        film.take(page.subtitles)
    }

    func floatingDidStart(_ element: any FloatingElement) {
        markPlaceholders()
        setNeedsTick()
    }

    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError) {
        if element is VideoElement { playerPage?.takeBackSubtitles() }
        // One who has thought better of it needs not be told.
        if error != .closedTooSoon {
            playerPage?.tell(.broken, "\(error)", now: .now())
            // One who asked on the command line reads there.
            if playerPage == nil || isMainClosed { fail("\(error)") }
        }
        if isMainClosed { openMainWindow() }
        windowsChanged()
    }

    func leavePage(of element: any FloatingElement) {
        guard let page = playerPage, settings.floating.leavesPage,
            let index = stack.pages.firstIndex(where: { $0 === page }), index > 0
        else { return }
        _ = try? stack.pop(to: stack.pages[index - 1], animated: window?.isVisible == true, now: .now())
        setNeedsTick()
    }

    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void) {
        guard element is VideoElement, playing != nil else { return done(false) }
        let isThere = stack.top === playerPage && !stack.isTransitioning
        openMainWindow()
        showPlayer(animated: window?.isVisible == true && !isThere, now: .now())
        restoring = done
        advanceRestoring()
    }

    func floatingWillStop(_ element: any FloatingElement) {
        if element is VideoElement { playerPage?.takeBackSubtitles() }
    }

    func floatingDidStop(_ element: any FloatingElement, isRestored: Bool) {
        if element is VideoElement {
            restoring = nil
            markPlaceholders()
            if !isRestored { playing?.player.pause(now: .now()) }
            showState(now: .now())
        }
        windowsChanged()
        if isMainClosed, !isAnythingFloating { finish(.done) }
    }
}
