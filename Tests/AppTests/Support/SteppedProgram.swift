import Foundation
import GlissadeFilm
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeSettings
import GlissadeTestSupport
import GlissadeTime
import GlissadeWindowing

@testable import GlissadeApp
import GlissadeText

/// The program without its loop: a test decides when it draws, and gives it its input.
@MainActor final class SteppedProgram {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let sample = Repository.path("Media/sample.mp4")

    /// Posters that tests make are not a person's.
    private static let keepsOutOfTheWay: Void = {
        _ = setenv("XDG_CACHE_HOME", FileManager.default.temporaryDirectory.path + "/glissade-app-tests-cache", 1)
    }()

    let application: Application
    private let surface: MemorySurface
    private let signal: WakeSignal
    private let errorLines: ErrorLines
    /// How far the program's time is ahead: what takes long is not waited for.
    private var lead = Duration.zero
    /// The program's time after `stopTime`; nil while it passes by itself.
    private var stoppedTime: HostTime?
    private(set) var list = DisplayList(viewport: PixelSize(width: 0, height: 0))

    /// - Parameters:
    ///   - scale: pixels of `size` to a point.
    ///   - location: what plays from the beginning; nil begins in the library.
    ///   - folder: the library's; nil is that of `location`.
    ///   - list: what is played one after the other, `location` first; nil is that alone.
    ///   - path: the file that remembers what was played; nil remembers nothing.
    ///   - settingsPath: the settings' file; nil has the defaults.
    ///   - asked: what the command line asks for.
    ///   - audio: what plays sound. With none, films are timed by the program's time alone.
    init(
        size: PixelSize = PixelSize(width: 640, height: 480), scale: Double = 1, playing location: String? = nil,
        folder: String? = nil,
        isPaused: Bool = false, list: [String]? = nil, history path: String? = nil,
        settings settingsPath: String? = nil, asked: LaunchOverrides = LaunchOverrides(),
        audio: PlayerOptions.Audio = .silent
    ) throws {
        _ = Self.keepsOutOfTheWay
        silenceFFmpeg()
        surface = MemorySurface(size: size, scale: scale)
        self.list.scale = scale
        signal = WakeSignal()
        var options = LaunchOptions()
        options.player.isPaused = isPaused
        options.player.audio = audio
        options.player.start = asked.start
        options.player.volume = asked.volume ?? 1
        options.player.isMuted = asked.isMuted ?? false
        options.player.speed = asked.speed ?? 1
        errorLines = try ErrorLines()
        let (signal, log, console) = (signal, FrameLog(), Console(errors: errorLines.descriptor))
        let wake: @Sendable () -> Void = { signal.raise() }
        let renderer = SoftwareRenderer(
            output: SoftwareMemoryOutput(), images: ImageCache(makeRasterizer: TextRasterizer.init, wake: wake))
        let history = path.map { PlayHistory(path: BytePath($0), console: console, wake: wake) }
        let services = PlaybackServices(renderer: renderer, log: log, console: console, history: history, wake: wake)
        let playing = location.map {
            PlaybackSession(
                services.open($0, options: options.player), playlist: Playlist(list ?? [$0]), options: options.player,
                asked: asked, services: services)
        }
        let settingsFile = settingsPath.map {
            SettingsFile(path: BytePath($0), vocabulary: KeyMap.vocabulary, wake: wake)
        }
        guard settingsFile?.waitForFirst(until: .now() + .seconds(20)) != false else {
            throw Failure(description: "the settings were not read")
        }
        let settings = settingsFile?.takeUpdate()
        if settings?.settings.playback.resumes != false {
            playing?.resumeAtOnce(by: history, until: .now() + .seconds(20))
        }
        application = Application(
            ApplicationEnvironment(
                options: options, surface: OffscreenLoopSurface(surface, signal: signal), window: nil,
                services: services, settingsFile: settingsFile,
                stateFolder: settingsPath.map { BytePath($0).parent.appending("state".utf8) }),
            playing: playing, folder: folder.map { BytePath($0) } ?? LibraryFolder.path(for: location))
        settings?.mistakes.forEach { console.error("\($0)") }
        if let settings { application.state.settings.apply(settings.settings) }
        draw()
    }

    /// The program that goes on where `former` can draw no more, with another renderer.
    init(continuing former: SteppedProgram) throws {
        surface = MemorySurface(size: former.surface.pixelSize)
        errorLines = try ErrorLines()
        lead = former.lead
        // What plays wakes by that one.
        signal = former.signal
        let (signal, old) = (signal, former.application)
        let wake: @Sendable () -> Void = { signal.raise() }
        let renderer = SoftwareRenderer(
            output: SoftwareMemoryOutput(), images: ImageCache(makeRasterizer: TextRasterizer.init, wake: wake))
        let previous = old.handOver(now: former.now)
        previous.playing?.change(to: renderer, now: former.now)
        let services = PlaybackServices(
            renderer: renderer, log: old.environment.services.log, console: Console(errors: errorLines.descriptor),
            history: old.history, wake: wake)
        application = Application(
            ApplicationEnvironment(
                options: old.environment.options, surface: OffscreenLoopSurface(surface, signal: signal), window: nil,
                services: services, settingsFile: old.environment.settingsFile,
                stateFolder: old.environment.stateFolder),
            playing: previous.playing, folder: previous.folders[0], continuing: previous)
        draw()
    }

    // MARK: - What is seen

    /// The texts on the screen, the lower ones first.
    var texts: [String] {
        list.items.compactMap { item in
            guard case .image(let placement) = item, case .text(let text) = placement.source else { return nil }
            return text.string
        }
    }

    /// The icons on the screen, the lower ones first.
    var icons: [Icon] {
        list.items.compactMap { item in
            guard case .image(let placement) = item, case .icon(let icon, _) = placement.source else { return nil }
            return icon
        }
    }

    /// The middle of the first text that begins with `text`.
    func place(of text: String) throws -> Point {
        for case .image(let placement) in list.items {
            guard case .text(let content) = placement.source, content.string.hasPrefix(text) else { continue }
            let frame = placement.destination
            return Point(x: Double(frame.minX) + 8, y: Double(frame.minY + frame.height / 2))
        }
        throw Failure(description: "“\(text)” is not to be seen, but \(texts)")
    }

    /// The middle of the first icon of a kind.
    func place(of icon: Icon) throws -> Point {
        for case .image(let placement) in list.items {
            guard case .icon(icon, _) = placement.source else { continue }
            let frame = placement.destination
            return Point(x: Double(frame.minX + frame.width / 2), y: Double(frame.minY + frame.height / 2))
        }
        throw Failure(description: "\(icon) is not to be seen, but \(icons)")
    }

    /// The largest red, green or blue in a part of what was last composed, 0…255.
    func brightest(in part: Rect) throws -> UInt8 {
        try application.renderer.draw(list) { application.videoTarget(for: $0) }
        let size = surface.pixelSize
        let pixels = application.renderer.readPixels(size)
        var found: UInt8 = 0
        for y in Int(part.minY)..<Int(part.maxY) {
            for x in Int(part.minX)..<Int(part.maxX) {
                let start = (y * size.width + x) * 4
                found = max(found, pixels[start..<start + 3].max() ?? 0)
            }
        }
        return found
    }

    /// What was said on standard error.
    var errors: String { errorLines.text }

    // MARK: - Input

    func click(_ text: String) throws { click(try place(of: text)) }

    func click(_ place: Point) {
        press(at: place)
        release(at: place)
    }

    func click(_ place: Point, button: PointerEvent.Button) {
        for phase in [PointerEvent.Phase.pressed, .released] {
            send(.pointer(PointerEvent(phase: phase, position: place, button: button, time: now)))
        }
    }

    func press(at place: Point) {
        send(.pointer(PointerEvent(phase: .pressed, position: place, button: .primary, time: now)))
    }

    func release(at place: Point) {
        send(.pointer(PointerEvent(phase: .released, position: place, button: .primary, time: now)))
    }

    func move(to place: Point) {
        send(.pointer(PointerEvent(phase: .moved, position: place, time: now)))
    }

    /// Turns the wheel: up and right are positive.
    func scroll(at place: Point, x: Double = 0, y: Double = 0) {
        send(.scroll(ScrollEvent(deltaX: x, deltaY: y, position: place, time: now)))
    }

    func press(_ key: Key, _ modifiers: Modifiers = []) {
        send(.key(KeyEvent(key: key, modifiers: modifiers, time: now)))
    }

    func type(_ character: Character) { press(.character(character)) }

    func drop(_ paths: [String]) { application.handle(.filesDropped(paths), now: now) }

    /// Presses, and moves without letting go.
    func drag(from start: Point, to end: Point) {
        let now = now
        send(.pointer(PointerEvent(phase: .pressed, position: start, button: .primary, time: now)))
        for step in 1...10 {
            let fraction = Double(step) / 10
            let place = Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction)
            let time = now + .milliseconds(8 * step)
            send(.pointer(PointerEvent(phase: .moved, position: place, time: time)))
        }
    }

    private func send(_ input: InputEvent) { application.handle(.input(input), now: now) }

    func resize(to size: PixelSize) throws {
        surface.resize(to: size)
        application.handle(.resized(size), now: now)
    }

    // MARK: - Time

    /// The program's time.
    var now: HostTime { stoppedTime ?? .now() + lead }

    /// Stops the program's time: from now on it passes only as a test says, however long anything takes.
    func stopTime() { stoppedTime = now }

    /// So much time passes at once.
    func pass(_ duration: Duration) {
        if let stoppedTime { self.stoppedTime = stoppedTime + duration } else { lead = lead + duration }
        application.advance(to: now)
        draw()
    }

    /// For when it was drawn last.
    private(set) var drawnFor = HostTime(nanoseconds: 0)

    func draw() {
        list.viewport = surface.pixelSize
        let now = now
        drawnFor = now
        let film = application.film
        application.placeFilm(hasNewFrame: film?.take(by: now) != nil)
        film?.fit(isLaidOut: false)
        application.layout(scale: surface.scale, visibleAt: now)
        film?.fit(isLaidOut: true)
        application.compose(&list, scale: surface.scale, visibleAt: now)
        application.didPresent(at: now)
        if application.demand.window.showsFilm { application.film?.didPresent(at: now) }
    }

    /// Waits, while no time passes, until the player has its next frame.
    func awaitFrame() throws {
        let end = HostTime.now() + .seconds(60)
        while application.film?.nextFrameDue == nil {
            guard HostTime.now() < end else { throw Failure(description: "no frame comes; \(texts); \(errors)") }
            signal.wait(until: end)
            application.advance(to: now)
        }
    }

    /// Lets time pass, of a program whose time is stopped, until the next refresh of a display of 60 Hz, and draws what it
    /// shows then. Frames are not late, however slow the machine is.
    func refresh() throws {
        stoppedTime = now + .nanoseconds(16_666_667)
        application.advance(to: now)
        try awaitFrame()
        draw()
    }

    /// Lets it go on, without drawing, until `isDone`.
    func advance(_ what: String, until isDone: (SteppedProgram) throws -> Bool) throws {
        try go(what, draws: false, isDone)
    }

    /// Lets it go on, and draws as the frame loop would, until `isDone`.
    func run(_ what: String, until isDone: (SteppedProgram) throws -> Bool) throws {
        try go(what, draws: true, isDone)
    }

    /// Lets it go on until no page moves any more.
    func settle() throws { try run("the pages rest") { !$0.application.stack.isTransitioning } }

    /// Until the next refresh of a display of 60 Hz. While no film plays that takes no time: only animations wait for it.
    private func awaitRefresh() {
        guard stoppedTime == nil else { return }
        let refresh = drawnFor + .nanoseconds(16_666_667)
        guard let due = application.film?.nextFrameDue else {
            // The next frame is not decoded yet. A film that played on meanwhile would end before it is seen.
            if let player = application.playing?.player, player.hasVideo, player.state == .playing {
                return signal.wait(until: refresh - lead)
            }
            lead = lead + max(.zero, refresh - now)
            return
        }
        signal.wait(until: min(due, refresh) - lead)
    }

    private func go(_ what: String, draws: Bool, _ isDone: (SteppedProgram) throws -> Bool) throws {
        let end = HostTime.now() + .seconds(60)
        while true {
            application.advance(to: now)
            if try isDone(self) { return }
            guard HostTime.now() < end else {
                throw Failure(description: "it never came: \(what); \(texts); \(errors)")
            }
            if draws,
                application.demand.window.needsRedraw || application.isAnimating
                    || application.film?.nextFrameDue != nil
            {
                draw()
                awaitRefresh()
                continue
            }
            signal.wait(until: min(end, application.nextWake(now: now).map { $0 - lead } ?? end))
        }
    }
}

extension FilmScreen {
    /// Where its pictures go.
    var texture: SoftwareSurface {
        guard let surface = target as? SoftwareSurface else { fatalError("drawn by \(type(of: target))") }
        return surface
    }
}
