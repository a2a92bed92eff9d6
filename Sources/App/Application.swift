import Gestures
import Host
import Motion
import Playback
import Rendering
import Stage
import Windowing

/// The running program: plays its list in a window or offscreen, and obeys the keys. The frame loop's client.
@MainActor final class Application: FrameClient {
    private let options: LaunchOptions
    private let surface: any FrameSurface
    private let window: Window?
    private let device: GLDevice
    private let log: FrameLog
    private let console: Console
    private let wake: @Sendable () -> Void

    private var page: PlayerPage
    private var playlist: ArraySlice<String>
    private var wasOpenedByHand = false
    private var screenshots: Screenshots
    private(set) var needsRedraw = true
    private(set) var isFinished = false
    private(set) var status = ExitStatus.done
    private var deadline: HostTime?
    private var size: Size
    private var lastState: Player.State?
    /// Counts of players that are gone.
    private var earlierCounts = Player.Counts()
    private(set) var frameRate: Double?

    init(
        options: LaunchOptions, player: Player, playlist: ArraySlice<String>, surface: any FrameSurface,
        window: Window?, device: GLDevice, log: FrameLog, console: Console, wake: @escaping @Sendable () -> Void
    ) {
        self.options = options
        self.surface = surface
        self.window = window
        self.device = device
        self.log = log
        self.console = console
        self.wake = wake
        self.playlist = playlist
        page = PlayerPage(player: player, device: device, log: log)
        screenshots = Screenshots(
            options.screenshots.map { .init(time: $0.time, path: $0.path) }, start: options.player.start)
        size = surface.size
    }

    private var player: Player { page.player }

    /// Frames due and dropped, over all that was played.
    var counts: Player.Counts {
        Player.Counts(
            due: earlierCounts.due + player.counts.due, dropped: earlierCounts.dropped + player.counts.dropped)
    }

    func finish(_ status: ExitStatus) {
        if status != .done { self.status = status }
        isFinished = true
    }

    /// What is left to say at the end.
    func close() { screenshots.missed.forEach(fail) }

    /// Something that was asked for was not done.
    private func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    // MARK: - Time

    func advance(to now: HostTime) {
        if TerminationSignals.isHeard { return finish(.terminated) }
        if let deadline, now >= deadline { return finish(.done) }
        player.advance(to: now)
        page.video.refreshIfStill(now: now)
        let state = player.state
        if state != lastState { stateChanged(to: state, now: now) }
    }

    private func stateChanged(to state: Player.State, now: HostTime) {
        lastState = state
        if !player.isRunning { log.interrupt() }
        switch state {
        case .opening: break
        case .playing, .paused, .buffering:
            if !player.hasVideo { page.video.clear() }
            needsRedraw = needsRedraw || !player.hasVideo
        case .ended: playNext(or: options.exitsAtEnd || options.scenario != nil ? .done : nil)
        case .failed(let error):
            console.error("\(player.location): \(error)")
            status = .failed
            // What was dropped on the window and cannot be played leaves it open for the next.
            playNext(or: wasOpenedByHand ? nil : .failed)
        }
        if frameRate == nil { frameRate = player.info?.frameRate }
        if deadline == nil, let duration = options.duration, player.info != nil { deadline = now + duration }
    }

    /// Goes on to the next of the list; at its end the program ends with `end`, or stays with the last picture.
    private func playNext(or end: ExitStatus?) {
        guard let next = playlist.popFirst() else {
            if let end { finish(end) }
            return
        }
        earlierCounts = counts
        player.retire()
        var options = options.player
        options.volume = player.volume
        options.isMuted = player.isMuted
        options.isPaused = false
        options.pictures = VideoView.request(device)
        let wake = wake
        let console = console
        page = PlayerPage(
            player: Player(location: next, options: options, wake: wake) { console.report($0, of: next) },
            device: device, log: log, after: page.video)
        lastState = nil
        window?.setTitle(Self.title(of: next))
    }

    /// A file's name, without its folder.
    static func title(of location: String) -> String {
        (location.split(separator: "/").last.map(String.init) ?? location) + " — Glissade"
    }

    // MARK: - FrameClient

    var nextFrameDue: HostTime? { player.nextFrameDue }
    var isAnimating: Bool { false }

    func nextWake(now: HostTime) -> HostTime? {
        guard let wake = player.nextWake(now: now) else { return deadline }
        return deadline.map { min($0, wake) } ?? wake
    }

    func skip(to time: HostTime) {
        while page.video.update(visibleAt: time) { page.video.pass() }
    }

    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime, framesBy: HostTime) {
        _ = page.video.update(visibleAt: framesBy)
        page.layout(size, scale: scale)
        page.root.flatten(scale: scale, into: &list)
        needsRedraw = false
    }

    func texture(for surface: SurfaceID) -> SurfaceTexture? {
        surface == PlayerPage.surface ? page.video.texture : nil
    }

    func willPresent(_ pixels: PixelSize) {
        guard !screenshots.isEmpty, let shown = page.video.pending, let info = player.info else { return }
        let position = shown.presentationTime - info.startTime
        screenshots.write(position: position, duration: shown.duration, device: device, pixels: pixels).forEach(fail)
    }

    func didPresent(at time: HostTime) { page.video.didPresent(at: time) }

    // MARK: - Events

    func handle(_ event: WindowEvent, now: HostTime) {
        switch event {
        case .input(.key(let key)):
            if let command = Command(key) { perform(command, now: now) }
        case .resized, .scaleChanged, .needsRedraw, .iconified:
            size = surface.size
            needsRedraw = true
        case .closeRequested: finish(.done)
        case .filesDropped(let paths): open(paths)
        case .input, .moved, .focusChanged: break
        }
    }

    private func open(_ paths: [String]) {
        var opened: [String] = []
        for path in paths {
            do throws(MediaArguments.Failure) {
                opened += try MediaArguments.expand(path)
            } catch {
                console.error("\(error)")
            }
        }
        if opened.isEmpty { return }
        playlist = opened[...]
        wasOpenedByHand = true
        playNext(or: nil)
    }

    private func perform(_ command: Command, now: HostTime) {
        switch command {
        case .togglePause: player.togglePause(now: now)
        case .seek(let seconds, let isExact): player.seek(by: .seconds(seconds), isExact: isExact, now: now)
        case .stepFrame(let forward): player.stepFrame(forward: forward, now: now)
        case .toggleFullscreen: window.map { $0.setFullscreen(!$0.isFullscreen) }
        case .leaveFullscreen: window?.setFullscreen(false)
        case .toggleMute: player.isMuted.toggle()
        case .changeVolume(let percent):
            player.volume = min(max(0, ((player.volume * 100).rounded() + Double(percent)) / 100), 1.3)
        case .quit: finish(.done)
        }
    }
}
