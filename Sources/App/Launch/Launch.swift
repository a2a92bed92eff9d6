import Geometry
import Gestures
import Glibc
import Library
import Logging
import Media
import Navigation
import Platform
import Presentation
import Rendering
import Settings
import Subtitles
public import Time
import Windowing

/// Runs the program as the command line asks, until it ends.
///
/// Main thread. `started` is when the process began, for the report.
@MainActor public func launch(_ options: LaunchOptions, started: HostTime) -> ExitStatus {
    let limit = ShutdownWatchdog()
    defer { limit.cancel() }
    return play(options, started: started, before: nil, limit: limit) { report, log, console in
        if options.scenario != nil { console.print(FrameTable.text(report)) }
        return write(report, log, options, console)
    }
}

/// The same for one of several runs: what it has measured is `take`'s.
///
/// The process is not ended where threads take their time: others are to come.
@MainActor func measure(_ options: LaunchOptions, started: HostTime, take: (FrameReport) -> Void) -> ExitStatus {
    ResourceUsage.forgetPeak()
    return play(options, started: started, before: ResourceUsage(), limit: nil) { report, _, _ in
        take(report)
        return true
    }
}

/// What is done with a run's report at its end; whether that went well.
private typealias Delivery = @MainActor (FrameReport, FrameLog, Console) -> Bool

/// - Parameters:
///   - before: what the process had used before this run; nil for its first.
///   - limit: begun once all is written, and before the player's threads are waited for.
@MainActor private func play(
    _ options: LaunchOptions, started: HostTime, before: ResourceUsage?, limit: ShutdownWatchdog?, deliver: Delivery
) -> ExitStatus {
    let console = Console()
    beginCrashReports()
    // Who measures looks at figures.
    let notice = options.scenario == nil ? CrashNotice.take() : nil
    if let notice { console.error(notice) }
    silenceFFmpeg()
    DriverEnvironment.apply()
    _ = logIsSilent
    if options.isOffscreen, !options.floats.isEmpty {
        console.error("\(FloatingError.notPossible)")
        return .failed
    }
    var locations: [String] = []
    var subtitles: [String] = []
    for location in options.locations {
        do throws(MediaArguments.Failure) {
            if MediaArguments.isSubtitles(location) {
                subtitles += try MediaArguments.expand(location)
            } else {
                locations += try MediaArguments.expand(location)
            }
        } catch {
            console.error("\(error)")
            return .failed
        }
    }
    if locations.isEmpty, let file = subtitles.first {
        console.error("\(file): subtitles, and no film to show them with")
        return .failed
    }
    // The signals are blocked before any thread begins, so that none of them takes one.
    TerminationSignals.block()
    // Who reads what it prints may leave before the film ends.
    BrokenPipes.ignore()
    let offscreenWake = WakeSignal()
    let isOffscreen = options.isOffscreen
    let wake: @Sendable () -> Void = { if isOffscreen { offscreenWake.raise() } else { Window.wake() } }
    TerminationSignals.listen(wake)
    // What is measured is measured with the defaults, and leaves nothing behind.
    let isMeasured = options.scenario != nil
    let settingsFile =
        options.ignoresSettings || isMeasured
        ? nil : SettingsFile(vocabulary: KeyMap.vocabulary, wake: wake)
    let isRead = settingsFile?.waitForFirst(until: .now() + settingsPatience) ?? false
    let news = isRead ? settingsFile?.takeUpdate() : nil
    for mistake in news?.mistakes ?? [] { console.error("\(mistake)") }
    var settings = news?.settings ?? Settings()

    if options.scenario == .list {
        // What plays is the card in view, and no file's page.
        settings.library.view = .cards
        locations = []
    }
    let options = options.completed(by: settings)
    let history =
        options.keepsNoHistory || isMeasured || !settings.playback.keepsHistory
        ? nil : PlayHistory(console: console, wake: wake)
    // Opening goes on while the window is made: both take a while.
    let film = locations.first.map {
        MediaItem($0, options: options.player, console: console, history: history, wake: wake)
    }
    return withExtendedLifetime(film) {
        var status = ExitStatus.failed
        do {
            status = try run(
                options, film: film, playlist: Playlist(locations), subtitles: subtitles, history: history,
                settingsFile: settingsFile,
                settings: settings, notice: notice, wake: wake, signal: offscreenWake,
                console: console, started: started, before: before, limit: limit, deliver: deliver)
        } catch {
            // One line each: these are WindowingError and RenderingError.
            console.error("\(error)")
            limit?.begin(status)
        }
        return TerminationSignals.haveArrived ? .terminated : status
    }
}

/// How long the settings' file may take: a disk that sleeps is not waited for. What comes later is taken in then.
private let settingsPatience = Duration.milliseconds(60)
/// How long the history may take.
private let historyPatience = Duration.milliseconds(120)

/// What concerns the person who started the program is told by `Console`; the log is for those who look for a cause, and
/// speaks where GLISSADE_LOG names a level.
private let logIsSilent: Void = LoggingSystem.bootstrap { label in
    guard let level = getenv("GLISSADE_LOG").flatMap({ Logger.Level(rawValue: String(cString: $0)) }) else {
        return SwiftLogNoOpLogHandler()
    }
    var handler = StreamLogHandler.standardError(label: label)
    handler.logLevel = level
    return handler
}

@MainActor private func run(
    _ options: LaunchOptions, film: MediaItem?, playlist: Playlist, subtitles: [String], history: PlayHistory?,
    settingsFile: SettingsFile?,
    settings: Settings, notice: String?, wake: @escaping @Sendable () -> Void,
    signal: WakeSignal, console: Console, started: HostTime, before: ResourceUsage?, limit: ShutdownWatchdog?,
    deliver: Delivery
) throws -> ExitStatus {
    let player = film?.player
    let title = player.map { PlaybackSession.windowTitle(of: $0.location) } ?? "Glissade"
    let log = FrameLog(keepsRows: options.frameLogPath != nil)
    /// What goes on where a renderer has failed and the CPU takes over.
    var previous: Application.Continuation?
    /// Runs until the program ends; nil, and `previous`, where the CPU is to take over.
    func show(
        _ playing: PlaybackSession?, on drawing: Drawing, _ options: LaunchOptions
    ) throws(RenderingError) -> Application? {
        var surface = drawing.surface
        if let script = options.scenario.flatMap(InputScript.init) {
            surface = ScriptedInputSurface(surface, hand: script)
        }
        let application = Application(
            options: options, playing: playing,
            folder: previous?.folders.first ?? LibraryFolder.path(for: options.locations.first), surface: surface,
            window: drawing.window, renderer: drawing.renderer, log: log, console: console, history: history,
            settingsFile: settingsFile, continuing: previous, wake: wake)
        // What is measured is measured on one renderer.
        application.mayChangeRenderer = drawing.mayChangeRenderer && options.scenario == nil
        if previous == nil {
            application.notice = notice
            application.apply(settings)
        }
        application.advance(to: .now())
        if !application.isFinished {
            // A clock that floats needs no library beside it.
            application.isMainClosed =
                previous?.isMainClosed
                ?? (options.locations.isEmpty && options.floats == [.clock] && drawing.window != nil)
            if !application.isMainClosed { drawing.window?.show() }
            if let previous { application.refloat(previous, now: .now()) } else { application.floatFromStart() }
        }
        previous = nil
        let loop = FrameLoop(surface: surface, renderer: drawing.renderer, client: application, log: log)
        do throws(RenderingError) { try loop.run() } catch {
            guard application.mayChangeRenderer else {
                // What was played is remembered all the same.
                application.close()
                throw error
            }
            console.error("OpenGL has failed, so the processor draws from here on: \(error)")
            Logger(label: "drawing").warning("OpenGL has failed: \(error)")
            previous = application.handOver(now: .now())
            return nil
        }
        application.close()
        return application
    }
    var application: Application?
    do {
        let drawing = try Drawing.begin(options, title: title, signal: signal, console: console, wake: wake)
        let playing = film.map {
            PlaybackSession(
                $0, playlist: playlist, options: options.player, asked: options.asked, renderer: drawing.renderer,
                log: log, console: console, history: history, wake: wake)
        }
        if let playing { for file in subtitles { playing.subtitles.open(file, of: playing.player, now: .now()) } }
        // Where it was left is known by now, as a rule.
        if settings.playback.resumes { playing?.resumeAtOnce(by: history, until: .now() + historyPatience) }
        // A file opens in milliseconds; the window takes the video's size if that is known by now.
        player?.waitUntilOpened(until: .now() + .milliseconds(400))
        if case .failed = player?.state {
            // Said by the application, without a window that flashes up for nothing; but a list goes on with the next.
        } else if let window = drawing.window, let video = player?.info?.displaySize, options.size == nil,
            !options.isFullscreen
        {
            window.resize(to: windowSize(for: video, on: window.screenSize))
        }
        application = try show(playing, on: drawing, options)
    }
    // OpenGL's window is gone by now, with its driver's part of it.
    if let goesOn = previous {
        let options = options.replacing(goesOn.window)
        do {
            let drawing = try Drawing.beginAgain(options, title: title, signal: signal, wake: wake)
            goesOn.playing?.change(to: drawing.renderer, now: .now())
            application = try show(goesOn.playing, on: drawing, options)
        } catch {
            history?.close()
            throw error
        }
    }
    guard let application else { return .failed }

    let report = FrameReport(
        log, file: application.playing?.location ?? player?.location ?? "", renderer: application.renderer.traits.name,
        window: application.surface.pixelSize,
        scenario: options.scenario?.rawValue ?? "play", frameRate: application.frameRate,
        decoder: (application.playing?.player ?? player)?.statistics(at: .now()).videoDecoding,
        videoSize: application.videoSize, due: application.counts.due, dropped: application.counts.dropped,
        started: started, before: before)
    var status = application.status
    if !deliver(report, log, console), status == .done { status = .failed }
    limit?.begin(TerminationSignals.haveArrived ? .terminated : status)
    application.leaveDesktop()
    return status
}

/// The video's own size, or the largest of its shape that leaves a tenth of the screen around it.
private func windowSize(for video: Size, on screen: Size?) -> Size {
    guard let screen, !video.isEmpty else { return video }
    let scale = min(1, screen.width * 0.9 / video.width, screen.height * 0.9 / video.height)
    return Size(width: max(160, (video.width * scale).rounded()), height: max(90, (video.height * scale).rounded()))
}
