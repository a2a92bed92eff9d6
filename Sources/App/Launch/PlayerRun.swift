import GlissadeGeometry
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

/// One run of the player, including everything that survives a switch to the software renderer. Main thread.
@MainActor final class PlayerRun {
    /// The longest wait for the settings file, which may be on a sleeping disk. After the timeout, the settings are
    /// applied as soon as they have been read.
    private static let settingsTimeout = Duration.milliseconds(60)
    /// The longest wait for the first file's entry in the history.
    private static let historyTimeout = Duration.milliseconds(120)
    /// The longest wait for the first file to open. The size of the window depends on the file's video.
    private static let openingTimeout = Duration.milliseconds(400)

    private let options: LaunchOptions
    private let hooks: LaunchHooks
    private let console: Console
    private let watchdog: ShutdownWatchdog?
    /// The notice about crashes of earlier runs; nil if there were none, and in an ephemeral run.
    private let notice: String?
    private let settings: Settings
    private let settingsFile: SettingsFile?
    private let history: PlayHistory?
    private let arguments: MediaArguments
    private let item: MediaItem?
    private let log: FrameLog
    /// Wakes the frame loop of an offscreen run. If there is a window, `Window.wake` is used instead.
    private let signal = WakeSignal()
    private let wake: @Sendable () -> Void
    /// The state from which the run must continue with the software renderer after OpenGL has failed; nil at other
    /// times.
    private var previous: Continuation?

    private var player: Player? { item?.player }
    private var title: String { player.map { PlaybackSession.windowTitle(of: $0.location) } ?? "Glissade" }

    /// Prepares the process, and starts opening the first file in the background.
    ///
    /// Returns nil if the arguments cannot be played, or if a floating window is requested offscreen. The reason is
    /// printed on the console.
    init?(_ options: LaunchOptions, hooks: LaunchHooks, console: Console, watchdog: ShutdownWatchdog?) {
        beginCrashReports()
        notice = options.isEphemeral ? nil : CrashNotice.take()
        if let notice { console.error(notice) }
        silenceFFmpeg()
        DriverEnvironment.apply()
        DiagnosticLog.begin()
        if options.isOffscreen, !options.floats.isEmpty {
            console.error("\(FloatingError.notPossible)")
            return nil
        }
        do throws(MediaArguments.Failure) {
            var arguments = try MediaArguments(options.locations)
            if options.startsInLibrary { arguments.media = [] }
            self.arguments = arguments
        } catch {
            console.error("\(error)")
            return nil
        }
        // Must come before the first thread is started: threads inherit the set of blocked signals, and none may
        // receive these signals.
        TerminationSignals.block()
        // The reader of standard output may exit before the video ends, which must not end this program.
        BrokenPipes.ignore()
        let (signal, isOffscreen) = (signal, options.isOffscreen)
        let wake: @Sendable () -> Void = { if isOffscreen { signal.raise() } else { Window.wake() } }
        TerminationSignals.listen(wake)
        settingsFile =
            options.fixedSettings == nil ? SettingsFile(vocabulary: KeyMap.vocabulary, wake: wake) : nil
        let isRead = settingsFile?.waitForFirst(until: .now() + Self.settingsTimeout) ?? false
        let news = isRead ? settingsFile?.takeUpdate() : nil
        for mistake in news?.mistakes ?? [] { console.error("\(mistake)") }
        settings = options.fixedSettings ?? news?.settings ?? Settings()
        let options = options.completed(by: settings)
        let keepsHistory = !options.keepsNoHistory && !options.isEphemeral && settings.playback.keepsHistory
        let history = keepsHistory ? PlayHistory(console: console, wake: wake) : nil
        item = arguments.media.first.map {
            MediaItem($0, options: options.player, console: console, history: history, wake: wake)
        }
        self.options = options
        self.hooks = hooks
        self.console = console
        self.watchdog = watchdog
        self.history = history
        self.wake = wake
        log = FrameLog(keepsRows: options.frameLogPath != nil)
    }

    /// Plays until the program ends, and writes the reports that the options request.
    func play(_ start: RunStart) throws -> ExitStatus {
        var application = try playFirst()
        // By now, the OpenGL window and the driver's resources for it have been released.
        if let previous { application = try playOn(previous) }
        guard let application else { return .failed }
        var report = makeReport(of: application, start)
        hooks.willWriteReport(&report)
        var status = application.state.lifecycle.status
        if !ReportWriter.write(report, log, options, console), status == .done { status = .failed }
        watchdog?.begin(TerminationSignals.haveArrived ? .terminated : status)
        application.leaveDesktop()
        return status
    }

    /// Plays with the chosen renderer. Returns nil if OpenGL has failed and the run must continue with the software
    /// renderer.
    private func playFirst() throws -> Application? {
        let drawing = try Drawing.begin(
            options, title: title, signal: signal, console: console, wake: wake
        ) { [player] in
            // A stream that is being opened chooses its first variant by the screen.
            player?.screenLines = $0.monitorHeight
        }
        let playing = item.map {
            PlaybackSession(
                $0, playlist: Playlist(arguments.media), options: options.player, asked: options.asked,
                services: services(drawing.renderer))
        }
        if let playing {
            if let file = options.commentsPath ?? arguments.comments.last { playing.comments.open(file) }
            for file in arguments.subtitles { playing.subtitles.open(file, of: playing.player, now: .now()) }
        }
        if settings.playback.resumes { playing?.resumeAtOnce(by: history, until: .now() + Self.historyTimeout) }
        player?.waitUntilOpened(until: .now() + Self.openingTimeout)
        if case .failed = player?.state {
            // The application then reports the failure without opening a window, or plays the next file of the
            // playlist.
        } else if let window = drawing.window, let video = player?.info?.displaySize, options.size == nil,
            !options.isFullscreen
        {
            window.resize(to: Self.windowSize(for: video, on: window.screenSize))
        }
        return try show(playing, on: drawing, options)
    }

    private func services(_ renderer: any Renderer) -> PlaybackServices {
        PlaybackServices(renderer: renderer, log: log, console: console, history: history, wake: wake)
    }

    /// Continues with the software renderer after OpenGL has failed.
    private func playOn(_ previous: Continuation) throws -> Application? {
        let options = options.replacing(previous.window)
        do {
            let drawing = try Drawing.beginAgain(options, title: title, signal: signal, wake: wake)
            previous.playing?.change(to: drawing.renderer, now: .now())
            return try show(previous.playing, on: drawing, options)
        } catch {
            history?.close()
            throw error
        }
    }

    /// Runs the frame loop until the program ends. If OpenGL fails and the run must continue with the software
    /// renderer, sets `previous` and returns nil.
    private func show(
        _ playing: PlaybackSession?, on drawing: Drawing, _ options: LaunchOptions
    ) throws(RenderingError) -> Application? {
        let surface = hooks.wrapSurface(drawing.surface)
        let application = Application(
            ApplicationEnvironment(
                options: options, surface: surface, window: drawing.window, services: services(drawing.renderer),
                settingsFile: settingsFile),
            playing: playing, folder: previous?.folders.first ?? LibraryFolder.path(for: options.locations.first),
            continuing: previous)
        hooks.preparePages(StartPages(of: application))
        application.mayChangeRenderer = drawing.mayChangeRenderer && !options.keepsRenderer
        if previous == nil {
            application.crashNotice.notice = notice
            application.state.settings.apply(settings)
        }
        application.advance(to: .now())
        if !application.isFinished { open(application, drawing.window, options) }
        previous = nil
        let loop = FrameLoop(surface: surface, renderer: drawing.renderer, client: application, log: log)
        do throws(RenderingError) { try loop.run() } catch {
            guard application.mayChangeRenderer else {
                // The history must still record what was played.
                application.close()
                throw error
            }
            console.error("OpenGL failed, switching to software rendering: \(error)")
            DiagnosticLog.drawing.warning("OpenGL has failed: \(error)")
            previous = application.handOver(now: .now())
            return nil
        }
        application.close()
        return application
    }

    /// Shows the main window, unless it must stay closed, and opens the floating windows.
    private func open(_ application: Application, _ window: Window?, _ options: LaunchOptions) {
        // If only a clock was requested, the main window with the library stays closed.
        let isClockAlone = options.locations.isEmpty && options.floats == [.clock] && window != nil
        let isClosed = previous?.isMainClosed ?? isClockAlone
        application.state.window.isClosed = isClosed
        if !isClosed { window?.show() }
        if let previous { application.refloat(previous, now: .now()) } else { application.floatFromStart() }
    }

    private func makeReport(of application: Application, _ start: RunStart) -> FrameReport {
        let (environment, playback) = (application.environment, application.state.playback)
        let last = playback.session?.player ?? player
        let run = FrameReport.Run(
            file: last?.location ?? "", renderer: environment.services.renderer.traits.name,
            window: environment.surface.pixelSize, scenario: "play", started: start.time, before: start.usage)
        let film = FrameReport.Film(
            frameRate: playback.record.frameRate, decoder: last?.statistics(at: .now()).videoDecoding,
            size: playback.record.videoSize, due: playback.counts.due, dropped: playback.counts.dropped)
        return FrameReport(log, of: run, film: film)
    }

    /// Returns the size of the video in points, reduced to at most 90 % of the screen's width and height, but at
    /// least 160 × 90. If the screen's size is unknown, returns the video's size.
    private static func windowSize(for video: Size, on screen: Size?) -> Size {
        guard let screen, !video.isEmpty else { return video }
        let scale = min(1, screen.width * 0.9 / video.width, screen.height * 0.9 / video.height)
        return Size(
            width: max(160, (video.width * scale).rounded()), height: max(90, (video.height * scale).rounded()))
    }
}
