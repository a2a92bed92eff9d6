import GlissadeAnimation
import GlissadeDesktop
import GlissadeLibrary
import GlissadeMedia
import GlissadeNavigation
import GlissadePlatform
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeSettings
import GlissadeTime
import GlissadeWindowing

/// The running program: creates the controllers, connects them, and advances them for the frame loop. Main thread.
@MainActor final class Application {
    let environment: ApplicationEnvironment
    let state: ProgramState
    let playbackControllers: PlaybackControllers
    let pageControllers: PageControllers
    let desktop: DesktopController
    let drops: DropController
    let input: InputRouter
    let preparation: BackgroundPreparation
    let crashNotice: CrashNoticeController
    /// Whether the software renderer may take over if OpenGL fails, for instance when the GPU runs out of memory.
    var mayChangeRenderer = false
    /// All parts that `advance` advances. Set once in `init`, since some refer to the application.
    private(set) var parts = AdvanceList([])
    /// Whether any layer was animating in the last layout.
    private var layersMove = false

    /// - Parameters:
    ///   - playing: The session to start with; nil to start in the library.
    ///   - folder: The folder of the library page at the bottom of the stack.
    ///   - previous: The state of the previous application, whose renderer has failed; nil for the first application of
    ///     a run.
    init(
        _ environment: ApplicationEnvironment, playing: PlaybackSession?, folder: BytePath,
        continuing previous: Continuation? = nil
    ) {
        let (options, services) = (environment.options, environment.services)
        self.environment = environment
        let library = LibraryPage(folder: folder, services: environment.libraryServices, back: nil)
        state = ProgramState(
            environment, library: library, chosenView: previous?.chosenView ?? environment.makeLibraryViewMemory(),
            isOnTop: previous?.isOnTop ?? options.isOnTop)
        state.playback.begin(playing, record: previous?.record ?? PlaybackController.Record())
        playbackControllers = PlaybackControllers(
            state,
            screenshots: previous?.screenshots
                ?? Screenshots(
                    options.screenshots.map { .init(time: $0.time, path: $0.path) }, start: options.player.start))
        pageControllers = PageControllers(
            state, playbackControllers,
            style: PlayerPageController.Style(
                log: services.log, showsControls: options.showsControls, canFloat: state.window.canFloat))
        drops = DropController(
            playback: state.playback, pages: state.pages, navigator: pageControllers.navigator,
            tracks: playbackControllers.tracks,
            comments: playbackControllers.comments, services: services)
        preparation = BackgroundPreparation(
            renderer: services.renderer, snapshots: state.snapshots, pages: state.pages, history: state.history)
        desktop = DesktopController(
            previous?.desktop ?? environment.makeDesktopSession(), playback: state.playback,
            commands: state.commands, transport: playbackControllers.transport, drops: drops, preparation: preparation)
        input = InputRouter(
            pages: state.pages, settings: state.settings, commands: state.commands,
            layoutRotation: pageControllers.fullscreen.layoutRotation, log: DiagnosticLog.gestures)
        crashNotice = CrashNoticeController(playback: state.playback, pages: state.pages)
        parts = makeParts()
        connect()
        pageControllers.library.prepare(library)
        if let previous {
            restore(previous, now: .now())
        } else {
            pageControllers.navigator.showPlayer(animated: false, now: .now())
        }
        state.pages.stack.onChange = { [weak self] in self?.topPageChanged() }
        topPageChanged()
    }

    // MARK: - Connections

    private func connect() {
        state.commands.handler = { [weak self] in self?.perform($0, from: $1, now: $2) }
        input.rowDrag = pageControllers.fullscreen.rowDrag
        pageControllers.fullscreen.onRotation = { [weak self] in self?.input.layoutRotated(now: $0) }
        pageControllers.fullscreen.connectRowDrag { [weak self] isBack, point in
            guard let self, let page = state.pages.playerPage else { return false }
            let settings = state.settings.current.pages
            if isBack, settings.dragOrigin == .nowhere || !settings.dragsPlayer { return false }
            if settings.dragOrigin == .edge {
                let distance = isBack ? point.x : state.pages.root.frame.size.width - point.x
                if distance >= PopPanRecognizer.edgeWidth { return false }
            }
            if isBack, settings.dragRange > 0, point.x >= settings.dragRange { return false }
            return page.gestures.allows(isBack ? .popDrag : .trailingDrag, at: point)
        } details: { [weak self] in
            self?.state.commands.perform(.showDetails, now: $0)
        }
        state.settings.observe(\.pages) { [weak self] _ in self?.applyPageSettings() }
        state.playback.onChange = { [weak self] in self?.sessionChanged($0, isNew: $1, now: $2) }
        state.playback.onStateChange = { [weak self] in self?.stateChanged(now: $0) }
        state.playback.onStop = { [weak self] in self?.playbackStopped(now: $0) }
        pageControllers.floating.onLastClosed = { [weak self] in self?.state.lifecycle.finish(.done) }
        pageControllers.floating.onFailure = { [weak self] in self?.state.lifecycle.fail("\($0)") }
        drops.onPlay = { [weak self] in
            guard let self, state.window.isClosed, !state.floatingWindows.isVideoFloating else { return }
            openWindow()
        }
        desktop.onRaise = { [weak self] in
            guard let self else { return }
            if state.window.isClosed { openWindow() } else { state.window.window?.raise() }
        }
    }

    /// Applies the settings for dragging pages to the stack and to its pages.
    private func applyPageSettings() {
        let (pages, settings) = (state.pages, state.settings.current.pages)
        pages.stack.arePopsDisabled = settings.dragOrigin == .nowhere
        pages.stack.commitThreshold = settings.commit
        pages.stack.style =
            switch settings.style {
            case .parallax: .system
            case .shift: .shift
            case .maskedShift: .maskedShift
            }
        for page in pages.stack.pages { page.popPolicy = PopPolicy(settings, for: page) }
    }

    /// Updates the pages and windows for a new session, or for new information about the current session.
    ///
    /// - Parameter isNew: Whether the session's player has changed since the last call.
    private func sessionChanged(_ session: PlaybackSession, isNew: Bool, now: HostTime) {
        pageControllers.inlineVideos.show(session)
        pageControllers.playerPages.show(session, isNew: isNew, now: now)
        if isNew { playbackControllers.subtitles.applySettings() }
        updateScreenLines()
        stateChanged(now: now)
        pageControllers.details.update()
        state.window.setTitle(session.isWatched ? PlaybackSession.windowTitle(of: session.location) : "Glissade")
        pageControllers.placement.updateFloatingVideo()
        state.pages.fullscreenRow?.location = session.location
        pageControllers.inlineVideos.updatePlaceholders()
        state.pages.setNeedsTick()
    }

    /// Updates the number of lines of the screen, by which the player of a stream chooses a variant.
    func updateScreenLines() {
        guard let player = state.playback.session?.player else { return }
        if player.info == nil || !player.variants.isEmpty { player.screenLines = state.window.screenLines }
    }

    /// Updates the play buttons and the displayed position and volume. Marks the playback state published to the
    /// desktop as out of date.
    private func stateChanged(now: HostTime) {
        desktop.setStale()
        let session = state.playback.session
        if let session { pageControllers.miniPlayers.show(session, now: now) }
        state.pages.playerPage?.showFigures(now: now)
        state.floatingWindows.show(isPlaying: session.map { PlayerStatus.pauses($0.player) } ?? false)
        state.pages.setNeedsTick()
    }

    private func playbackStopped(now: HostTime) {
        playbackControllers.previews.forget(now: now)
        state.floatingWindows.stopVideo()
        if state.pages.fullscreenRow != nil { pageControllers.fullscreen.end(now: now) }
        pageControllers.navigator.removePlayer(now: now)
        pageControllers.inlineVideos.show(nil)
        state.window.setTitle("Glissade")
        state.pages.setNeedsTick()
    }

    private func topPageChanged() {
        applyPageSettings()
        pageControllers.fullscreen.updateCursor()
        if state.pages.stack.top is LibraryPage {
            state.history.recordLast(state.playback.session, now: .now())
            state.history.askRecent()
        }
        input.endHovering(now: .now())
        state.pages.setNeedsTick()
    }

    // MARK: - The main window

    /// Opens the main window if it is closed, raises it, and requests a frame.
    func openWindow() {
        state.window.open()
        state.pages.setNeedsTick()
    }

    /// Ends the program if no floating window is open. Otherwise closes the main window, and pauses playback unless the
    /// video is floating.
    func closeWindow(now: HostTime) {
        guard !state.floatingWindows.open.isEmpty, state.window.canFloat else { return state.lifecycle.finish(.done) }
        state.window.isClosed = true
        pageControllers.fullscreen.end(now: now)
        input.cancelGestures(now: now)
        // Audio must not continue without a window.
        if !state.floatingWindows.isVideoFloating { state.commands.perform(.pause, now: now) }
        state.window.window?.hide()
    }

    // MARK: - Starting and ending

    /// Opens the floating windows requested on the command line.
    func floatFromStart() {
        for float in environment.options.floats {
            pageControllers.floating.toggle(float == .clock ? .clock : .lines, now: .now())
        }
    }

    /// Saves the positions of the floating windows, and records the playback position in the history. Reports the
    /// requested screenshots that were not taken. Call when the program ends.
    func close() {
        pageControllers.floating.savePositions()
        state.settings.finish()
        state.history.recordLast(state.playback.session, now: .now())
        state.history.history?.close()
        playbackControllers.screenshots.reportMissed()
    }

    /// Disconnects from the desktop. Waits for the connection's thread to end.
    func leaveDesktop() { desktop.session?.stop() }

    // MARK: - Frames

    /// Ends the program if a termination signal has arrived or the deadline has passed. Otherwise advances all parts
    /// to `now`.
    func advance(to now: HostTime) {
        let lifecycle = state.lifecycle
        if TerminationSignals.haveArrived { return lifecycle.finish(.terminated) }
        if let deadline = lifecycle.deadline, now >= deadline { return lifecycle.finish(.done) }
        parts.advance(to: now) { state.pages.setNeedsTick() }
    }

    /// The parts of the program, in the order in which they are advanced. In that order, what one part does is seen in
    /// the same frame.
    private func makeParts() -> AdvanceList {
        AdvanceList([
            // What the user wants comes first: gesture deadlines, dropped files, keys for other entries of the playlist.
            // They may change the session, which is advanced below.
            input, drops, playbackControllers.playlist, playbackControllers.screenshots,
            // Before everything that reads a setting.
            state.settings,
            // The session, and then those that depend on the file or the state it has now: a preview may count as
            // watched, and a new file is resumed before its first frame is shown.
            state.playback, pageControllers.inlineVideos, state.history,
            AdvanceStep { [unowned self] in followDisplay(now: $0) },
            // Publishes the state after the history may have changed the position.
            desktop,
            // A command from the desktop may have changed the brightness or the position of a still.
            AdvanceStep { [unowned self] in
                state.playback.session?.film.refreshIfStill(now: $0)
                return false
            },
            // The pages show the session's state, so they follow it. Messages need to know whether a page rests.
            state.pages, crashNotice, playbackControllers.previews,
            state.floatingWindows,
            AdvanceStep(wake: { [unowned self] in preparation.nextWake(now: $0) }) { [unowned self] in
                // Only if nothing above needs another frame, since the steps may take as long as a frame.
                if !isAnimating, film?.nextFrameDue == nil {
                    preparation.prewarmAtRest(isBusy: isFullscreenMoving, now: $0)
                }
                return false
            },
            // After the windows, whose transitions it completes. After it, the place of the video is known.
            pageControllers.floating,
            AdvanceStep(wake: { [unowned self] _ in state.lifecycle.deadline }) { [unowned self] in
                pageControllers.placement.advance(isMainWindowVisible: environment.surface.isVisible)
                if state.window.isClosed, state.playback.session == nil { state.lifecycle.startTimer(at: $0) }
                return false
            },
            // What lies over the video belongs to the frame on screen, which has now been decided.
            playbackControllers.subtitles,
            AdvanceStep { [unowned self] in advanceCover(now: $0) },
            pageControllers.status, playbackControllers.comments,
            // Last: images that the parts above have asked for, and work for later.
            AdvanceStep { [unowned self] _ in takeImages() },
            AdvanceStep { [unowned self] in
                preparation.prepareBeneath(
                    isBusy: isFullscreenMoving || state.floatingWindows.isTransitioning, now: $0)
                return false
            },
        ])
    }

    /// Tells the player and the window how to follow the display, and the session which audio to prefer.
    private func followDisplay(now: HostTime) -> Bool {
        let (session, settings) = (state.playback.session, state.settings.current.playback)
        session?.player.displayRate = settings.sync == .display ? state.window.refreshRate : nil
        state.window.setVariableRefresh(usesVariableRefresh)
        session?.preferAudio(in: settings.audioLanguages, now: now)
        return false
    }

    /// Looks for the cover art of an audio file, and shows it. Returns whether there is something new to show.
    private func advanceCover(now: HostTime) -> Bool {
        let (placeholder, images) = (state.pages.playerPage?.placeholder, environment.services.renderer.images)
        guard let session = state.playback.session, session.isSong else {
            return placeholder?.show(nil, images: images) ?? false
        }
        session.cover.look(for: session.location)
        if session.cover.advance() { desktop.setStale() }
        return placeholder?.show(session.cover, images: images) ?? false
    }

    var isFullscreenMoving: Bool { pageControllers.fullscreen.controller.isAnimating }

    /// Makes newly rasterized text and icons available for drawing. Restores images that a page needs but the image
    /// cache has dropped. Returns whether there are new images.
    private func takeImages() -> Bool {
        let images = environment.services.renderer.images
        var isNew = images.takeFinished()
        let missing = images.takeMissing()
        if !missing.isEmpty {
            playbackControllers.previews.restore(missing)
            state.pages.playerPage?.placeholder.restore(missing, images: images)
            state.pages.playerPage?.subtitles.restore(missing, of: state.playback.session?.subtitles.subtitles)
            for library in state.pages.libraries where library.restore(missing) { isNew = true }
        }
        if isNew { state.pages.frames.invalidateSnapshot() }
        return isNew
    }

    /// Lays out the visible pages, the miniplayers and the video for a frame that becomes visible at `time`.
    func layout(scale: Double, visibleAt time: HostTime) {
        let (pages, snapshots) = (state.pages, state.snapshots)
        let isStale = pages.frames.beginLayout() || scale != snapshots.scale
        input.resample(visibleAt: time)
        snapshots.scale = scale
        playbackControllers.previews.scale = scale
        snapshots.time = LocalTime(time)
        pageControllers.fullscreen.layout(at: time)
        _ = pages.stack.advance(to: time)
        _ = pages.advance(to: time)
        pageControllers.miniPlayers.layout(at: time)
        // The stack is laid out again, since a miniplayer may have appeared on a page or left it.
        pages.stack.layout(pages.stack.layer.frame.size, at: pages.stack.layer.frame.origin)
        if isStale, pages.stack.isTransitioning { pages.stack.takeSnapshot() }
        pageControllers.placement.layout(goal: pageControllers.fullscreen.pictureGoal, scale: scale, now: time)
        _ = playbackControllers.subtitles.advance(to: time)
        playbackControllers.comments.layout(
            isMoving: pageControllers.fullscreen.pictureGoal != nil, scale: scale, now: time)
        playbackControllers.statistics.update(now: time)
        layersMove = pages.root.advance(to: LocalTime(time))
    }

    var isAnimating: Bool {
        let pages = state.pages
        return pages.frames.wantsTick || pages.stack.needsLayout || pages.stack.isAnimating || layersMove
            || isFullscreenMoving || pageControllers.miniPlayers.isAnimating
            || pages.visible.contains { ($0 as? any ProgramPage)?.isAnimating == true }
    }
}

extension PopPolicy {
    /// Creates the policy that the settings choose for a page.
    @MainActor init(_ settings: Settings.Pages, for page: Page) {
        self.init()
        mode = settings.dragOrigin == .edge ? .edge : .full
        range = settings.dragRange > 0 ? settings.dragRange : nil
        isDisabled =
            switch page {
            case is PlayerPage: !settings.dragsPlayer
            case is LibraryPage: !settings.dragsFolders
            default: !settings.dragsDetails
            }
    }
}
