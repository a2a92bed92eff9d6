import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// Opens and closes the floating windows of the video, the subtitle lines and the clock, and returns the video to the
/// player's page. Main thread.
@MainActor final class FloatingCoordinator: Advancing {
    /// The controllers of the other places that can show the video: library rows, the player's page and fullscreen.
    struct Places {
        let inlineVideos: InlineVideoController
        let navigator: PageNavigator
        let fullscreen: FullscreenCoordinator
    }

    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let commands: Commands
    private let windows: FloatingWindows
    private let places: Places
    private let lines: FloatingSubtitles
    /// The completion handler of a pending restoration of the player's page; nil if no restoration is pending. Receives
    /// whether the page is on top of the stack.
    private var restoration: (@MainActor (Bool) -> Void)?
    /// Whether the floating video was fullscreen before. If so, it returns to fullscreen.
    private var returnsToFullscreen = false
    /// Called after the last floating window has been closed, if the main window is also closed.
    var onLastClosed: (@MainActor () -> Void)?
    /// Called when a floating window cannot be opened and the player's page cannot show the reason: either no such page
    /// exists, or the main window is closed.
    var onFailure: (@MainActor (FloatingError) -> Void)?

    /// The distance that two fingers have scrolled on a floating window, less the whole notches that have taken effect.
    private var scrolledNotches = 0.0

    private var window: MainWindow { windows.context.main }

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, commands: Commands,
        windows: FloatingWindows, places: Places
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.commands = commands
        self.windows = windows
        self.places = places
        lines = FloatingSubtitles(playback: playback, windows: windows)
        windows.owner = self
    }

    // MARK: - Floating

    /// Opens the floating window of a kind, or closes it if it is open. Closing the video's window returns the video to
    /// the player's page.
    func toggle(_ kind: FloatingWindowPositions.Kind, now: HostTime) {
        guard let session = windows.session(kind) else { return }
        switch kind {
        case .film: toggleVideo(session, now: now)
        case .clock, .lines:
            if session.isOpen { return session.floating.stop() }
            let floating = settings.current.floating
            let look = SubtitleLinesElement.Look(
                scale: floating.linesScale, color: Color(rgb: floating.linesColor),
                otherColor: Color(rgb: floating.otherLinesColor))
            float(
                kind == .clock
                    ? ClockElement(format: ClockFormat(floating.clockFormat)) : SubtitleLinesElement(look: look),
                in: session)
            if kind == .lines { lines.advance() }
        }
    }

    private func toggleVideo(_ session: FloatingSession, now: HostTime) {
        if session.isOpen {
            session.floating.restore()
            return
        }
        guard let playing = playback.session, playing.player.hasVideo else {
            let reason = playback.session == nil ? "Nothing is playing" : "No video to show"
            pages.playerPage?.tell(.floating, reason, now: now)
            return pages.setNeedsTick()
        }
        let element = VideoElement(title: playing.title, aspect: playing.film.displaySize)
        element.playing = { [weak playback] in playback?.session }
        places.inlineVideos.open(now: now)
        _ = places.navigator.playerPage()
        returnsToFullscreen = places.fullscreen.controller.isEntered
        if returnsToFullscreen { places.fullscreen.leave(now: now) }
        float(element, in: session)
    }

    private func float(_ element: any FloatingElement, in session: FloatingSession) {
        do throws(FloatingError) {
            try session.floating.start(element)
        } catch {
            floatingFailedToStart(element, error: error)
        }
        pages.setNeedsTick()
    }

    /// Closes the floating window of a kind. A floating video returns to the player's page.
    func leave(_ kind: FloatingWindowPositions.Kind) { windows.session(kind)?.leave() }

    // MARK: - Time

    /// Updates the floating subtitle lines. Completes a pending restoration of the player's page once its transition
    /// has ended.
    func advance(to now: HostTime) -> Bool {
        advanceRestoration()
        lines.advance()
        return false
    }

    private func advanceRestoration() {
        guard let done = restoration, !pages.stack.isTransitioning || !window.isVisible else { return }
        restoration = nil
        done(pages.stack.top === pages.playerPage)
    }

    /// Saves the positions of the open floating windows. Blocks until the file is written.
    func savePositions() {
        windows.rememberPositions()
        windows.context.positions.finish()
    }

    private func windowsChanged() {
        windows.update()
        pages.setNeedsTick()
    }

    private func openMainWindow() {
        window.open()
        pages.setNeedsTick()
    }
}

extension FloatingCoordinator: FloatingDelegate {
    func floatingWillStart(_ element: any FloatingElement) {
        guard let video = element as? VideoElement, let page = pages.playerPage else { return }
        video.take(page.subtitles)
    }

    func floatingDidStart(_ element: any FloatingElement) {
        places.inlineVideos.updatePlaceholders()
        pages.setNeedsTick()
    }

    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError) {
        if element is VideoElement {
            pages.playerPage?.takeBackSubtitles()
            if returnsToFullscreen, !places.fullscreen.controller.isEntered { places.fullscreen.toggle(now: .now()) }
            returnsToFullscreen = false
        }
        // If the user closed the window, there is nothing to report.
        if error != .closedTooSoon {
            pages.playerPage?.tell(.broken, "\(error)", now: .now())
            if pages.playerPage == nil || window.isClosed { onFailure?(error) }
        }
        if window.isClosed { openMainWindow() }
        windowsChanged()
    }

    func leavePage(of element: any FloatingElement) {
        guard let page = pages.playerPage, settings.current.floating.leavesPage,
            let index = pages.stack.pages.firstIndex(where: { $0 === page }), index > 0
        else { return }
        _ = try? pages.stack.pop(to: pages.stack.pages[index - 1], animated: window.isVisible, now: .now())
        pages.setNeedsTick()
    }

    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void) {
        guard element is VideoElement, playback.session != nil else { return done(false) }
        let isOnTop = pages.stack.top === pages.playerPage && !pages.stack.isTransitioning
        openMainWindow()
        places.navigator.showPlayer(animated: window.isVisible && !isOnTop, now: .now())
        restoration = done
        advanceRestoration()
    }

    func floatingWillStop(_ element: any FloatingElement) {
        if element is VideoElement { pages.playerPage?.takeBackSubtitles() }
    }

    func floatingDidStop(_ element: any FloatingElement, isRestored: Bool) {
        if element is VideoElement {
            restoration = nil
            places.inlineVideos.updatePlaceholders()
            if isRestored, returnsToFullscreen, !places.fullscreen.controller.isEntered {
                places.fullscreen.toggle(now: .now())
            }
            returnsToFullscreen = false
            if !isRestored { playback.session?.player.pause(now: .now()) }
            playback.stateChanged(now: .now())
        }
        windowsChanged()
        if window.isClosed, windows.open.isEmpty { onLastClosed?() }
    }
}

extension FloatingCoordinator: FloatingSessionOwner {
    func session(_ session: FloatingSession, didReceive key: KeyEvent) {
        guard let command = settings.keyMap.command(for: key) else { return }
        commands.perform(command, from: .floating(session.kind), now: key.time)
    }

    func session(_ session: FloatingSession, didScroll event: ScrollEvent) {
        if event.isEnd { scrolledNotches = 0 }
        guard session.kind != .clock, event.deltaY != 0 else { return }
        var notches = event.deltaY < 0 ? -1 : 1
        if event.isPrecise {
            scrolledNotches += event.deltaY
            notches = Int(scrolledNotches.rounded(.towardZero))
            scrolledNotches -= Double(notches)
        }
        let step = Int(settings.current.videoGestures.wheelStep.rounded())
        if notches != 0 { commands.perform(.changeVolume(by: notches * step), now: event.time) }
    }

    func sessionTogglesPause(_ session: FloatingSession, now: HostTime) {
        commands.perform(.togglePause, now: now)
    }

    func sessionWindowChanged(_ session: FloatingSession) {
        if session.isOpen { playback.stateChanged(now: .now()) }
        windowsChanged()
    }

    func sessionNeedsTick(_ session: FloatingSession) { pages.setNeedsTick() }

    func areasToAvoid(by session: FloatingSession) -> [PixelRect] { windows.areas(except: session) }
}
