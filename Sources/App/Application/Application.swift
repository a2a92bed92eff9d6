import Animation
import Desktop
import Geometry
import Gestures
import Layers
import Library
import Media
import Navigation
import Platform
import Playback
import Presentation
import Rendering
import Settings
import Time
import Windowing

/// The running program: its pages, what plays, and what the hand and the keys do. The frame loop's client.
@MainActor final class Application: FrameLoopClient {
    let options: LaunchOptions
    let surface: any FrameSurface
    let window: Window?
    let renderer: any Renderer
    let log: FrameLog
    let console: Console
    let wake: @Sendable () -> Void

    /// All that is seen in the window.
    let root = Layer()
    let stack: NavigationStack
    let fullscreen = FullscreenController()
    /// The film that has come from a row, over all pages.
    var rowElement: FullscreenRowVideo?
    /// One whose row is gone, while it fades.
    var leavingElement: FullscreenRowVideo?
    /// What can float, since it first did.
    var sessions: [FloatingSession] = []
    var secondaryWindows: [any FrameLoopWindow] = []
    let floatingPlaces: FloatingWindowPositions
    /// Called once the film's page is there again that had floated.
    var restoring: (@MainActor (Bool) -> Void)?
    /// Between which times of the film the lines that float are right.
    var linesUntil: (from: MediaTime, until: MediaTime)?
    /// The main window was closed, and the program goes on for what floats.
    var isMainClosed = false
    /// The pages, as what is fullscreen.
    private(set) lazy var pagesElement = FullscreenPages(
        home: { [weak self] in self?.fullscreen.pagesFrame.size ?? .zero },
        picture: { [weak self] in self?.playing?.video.displaySize })
    let arbiter: GestureArbiter
    let snapshots: PageSnapshots
    let services: LibraryPage.Services
    let drops: DroppedFiles
    let pictures: ScreenshotWriter
    /// Nil where nothing is to be remembered.
    let history: PlayHistory?
    /// Nil where the defaults hold.
    let settingsFile: SettingsFile?
    /// Nil where the desktop is none of its business.
    let desktop: DesktopSession?
    /// What the desktop was told is not how things are.
    var desktopIsStale = true
    var desktopLooksAt = HostTime(nanoseconds: 0)
    /// Whether the desktop was told that the screen is not to go dark.
    var keepsScreenOn = false
    var settings = Settings()
    var playing: PlaybackSession?
    var playerPage: PlayerPage?
    weak var detailsPage: InfoPage?
    /// The small bars of the pages in sight.
    var miniBars: [LinkedBar] = []
    let miniBarReveal = Animated(0.0)
    var pointer = PointerFollower()
    var keyMap = KeyMap()
    /// Pictures of the film's places, once the pointer was on its progress bar.
    var previews: SeekPreviewStore?
    /// Where on the progress bar the pointer is, as a part of the length.
    var previewed: Double?
    /// A level as it was before a hand changed it.
    var levelBefore = 0.0
    /// How far clicks at the edges have skipped together, and when the last did.
    var skipped: (sum: Duration, time: HostTime)?
    /// Where the wheel has sought to before.
    var soughtFrom: Duration?
    /// The sound as it was before a hand changed it.
    var audioBefore = (volume: 1.0, isMuted: false)
    /// Finds the list that a file opened alone goes on in.
    let folderLists: FolderPlaylistLoader
    var isOnTop: Bool
    /// What played when that was last looked at.
    weak var seenPlayer: Player?
    /// Whether anything has played yet.
    var hasPlayed = false
    /// How loud and fast what was stopped was.
    var lastLevels = (volume: 1.0, isMuted: false, speed: 1.0)

    /// What is on screen is wrong, and must be drawn at once.
    private(set) var needsRedraw = true
    /// What is on screen is to change with the next tick.
    private var wantsTick = false
    /// The window has jumped to another size, and what it shows is where it was.
    private(set) var needsImmediateRelayout = false
    /// Layers fade, grow or move by themselves.
    private var layersMove = false
    /// The picture of the page beneath is to be taken anew with the next frame.
    private var snapshotIsStale = false
    var isFinished = false
    var status = ExitStatus.done
    /// Whether the window was opened for something that plays, and may end with it.
    var wasOpenedByHand = false
    var screenshots: Screenshots
    var deadline: HostTime?
    /// Of what was closed.
    var earlierCounts = Player.Counts()
    private(set) var size: Size
    var frameRate: Double?
    /// As the first film was coded.
    var videoSize: PixelSize?
    /// When the first frame of a film was seen.
    private(set) var firstShown: HostTime?
    var preparation: Preparation
    /// Whether another renderer can take over from this one: what the GPU has no memory for is a reason to.
    var mayChangeRenderer = false
    /// What is still to be said in the window of earlier runs.
    var notice: String?
    /// A window that changes its size by so much at once, in points, has not been drawn by hand.
    private static let jump = 120.0
    init(
        options: LaunchOptions, playing: PlaybackSession?, folder: FilePath, surface: any FrameSurface, window: Window?,
        renderer: any Renderer, log: FrameLog, console: Console, history: PlayHistory? = nil,
        settingsFile: SettingsFile? = nil, continuing previous: Continuation? = nil,
        wake: @escaping @Sendable () -> Void
    ) {
        self.history = history
        self.settingsFile = settingsFile
        desktop =
            window == nil || options.isEphemeral
            ? nil
            : previous?.desktop
                ?? DesktopSession(
                    identity: .init(schemes: ["file"] + StreamAddress.schemes), wake: wake)
        self.options = options
        self.surface = surface
        self.window = window
        self.renderer = renderer
        preparation = Preparation(stepCount: renderer.prewarmSteps)
        self.log = log
        self.console = console
        self.wake = wake
        self.playing = playing
        isOnTop = previous?.isOnTop ?? options.isOnTop
        floatingPlaces = FloatingWindowPositions(folder: options.isEphemeral ? nil : XDGDirectory.state.ofGlissade)
        arbiter = GestureArbiter(log: DiagnosticLog.gestures)
        services = LibraryPage.Services(
            probe: MediaProbe(), posters: PosterMaker(), images: renderer.images, wake: wake)
        drops = DroppedFiles(wake: wake)
        folderLists = FolderPlaylistLoader(wake: wake)
        pictures = ScreenshotWriter(wake: wake)
        screenshots = Screenshots(
            options.screenshots.map { .init(time: $0.time, path: $0.path) }, start: options.player.start)
        renderer.keepsPixels = !screenshots.isEmpty
        size = surface.size
        let library = LibraryPage(folder: folder, services: services, back: nil)
        stack = NavigationStack(root: library)
        snapshots = PageSnapshots(renderer: renderer)
        snapshots.scale = surface.scale
        stack.snapshots = snapshots
        snapshots.surfaces = { [weak self] in self?.videoTarget(for: $0) }
        root.add(stack.layer)
        prepareFullscreen()
        prepareLibrary(library)
        if let previous {
            take(previous, now: .now())
        } else if playing != nil {
            showPlayer(animated: false, now: .now())
        }
        stack.onChange = { [weak self] in self?.topChanged() }
        topChanged()
    }

    // MARK: - Ending

    func finish(_ status: ExitStatus) {
        if status != .done { self.status = status }
        isFinished = true
    }

    /// What is left to say at the end.
    func close() {
        rememberFloatingPlaces()
        recordLast(now: .now())
        history?.close()
        screenshots.missed.forEach(fail)
    }

    func rememberFloatingPlaces() {
        for session in sessions { session.rememberPlace() }
        floatingPlaces.finish()
    }

    /// Takes leave of the desktop, which may take its time.
    func leaveDesktop() { desktop?.stop() }

    /// Something that was asked for was not done.
    func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    /// Frames due and dropped, over all that was played.
    var counts: Player.Counts {
        let present = playing?.counts ?? Player.Counts()
        return Player.Counts(due: earlierCounts.due + present.due, dropped: earlierCounts.dropped + present.dropped)
    }

    // MARK: - Time

    func advance(to now: HostTime) {
        if TerminationSignals.haveArrived { return finish(.terminated) }
        if let deadline, now >= deadline { return finish(.done) }
        arbiter.advance(to: now)
        takeDrops(now: now)
        takeFolderLists(now: now)
        takePictures(now: now)
        takeSettings(now: now)
        advancePlaying(to: now)
        advanceCards(to: now)
        advanceHistory(to: now)
        playing?.preferAudio(in: settings.playback.audioLanguages, now: now)
        advanceDesktop(to: now)
        playing?.video.refreshIfStill(now: now)
        if advancePages(to: now) { wantsTick = true }
        showNotice(now: now)
        advancePreviews(to: now)
        for session in sessions { session.advance() }
        prewarmAtRest(now: now)
        advanceRestoring()
        advanceLines()
        if let element = filmElement, element.needsPicture, !(isFilmSeen && surface.isVisible) {
            element.prepare()
            element.setNeedsDisplay()
        }
        if deadline == nil, isMainClosed, playing == nil, let duration = options.duration { deadline = now + duration }
        if advanceSubtitles(to: now) { wantsTick = true }
        takeImages()
        prepareBeneath(now: now)
    }

    private func advancePlaying(to now: HostTime) {
        guard let playing, let news = playing.advance(to: now), !isOverInCard(news, now: now) else { return }
        switch news {
        case .changed: needsRedraw = needsRedraw || !playing.player.hasVideo
        case .next(let failed):
            if failed != nil, !wasOpenedByHand { status = .failed }
            if let failed { playerPage?.tell(.broken, "Not played: \(PlaybackSession.name(of: failed))", now: now) }
        case .ended: if options.exitsAtEnd { finish(.done) }
        case .lost: if options.exitsAtEnd { finish(.failed) }
        case .failed:
            // What was opened by hand and cannot be played leaves the window for the next.
            if !wasOpenedByHand { finish(.failed) }
        }
        playingChanged(now: now)
        wantsTick = true
        if frameRate == nil { frameRate = playing.player.info?.frameRate }
        if videoSize == nil { videoSize = playing.player.info?.codedSize }
        if deadline == nil, let duration = options.duration, playing.player.info != nil { deadline = now + duration }
    }

    /// The pages that are seen, the lower first.
    var seenPages: [Page] {
        let pages = stack.transitioningPages.map { [$0.lower, $0.upper] } ?? [stack.top]
        return rowElement.map { pages + [$0.page] } ?? pages
    }

    private func advancePages(to now: HostTime) -> Bool {
        var isChanged = false
        for case let page as any ProgramPage in seenPages
        where page.advance(to: now, isMoving: stack.isTransitioning) { isChanged = true }
        return isChanged
    }

    /// Takes in text that is ready, and posters that the GPU has dropped: the picture of the page beneath lacks them.
    private func takeImages() {
        var isNew = renderer.images.takeFinished()
        let missing = renderer.images.takeMissing()
        if !missing.isEmpty {
            previews?.restore(missing)
            playerPage?.subtitles.restore(missing, of: playing?.subtitles.subtitles)
            for case let library as LibraryPage in stack.pages where library.restore(missing) { isNew = true }
        }
        guard isNew else { return }
        wantsTick = true
        snapshotIsStale = true
    }

    // MARK: - FrameLoopClient

    var failure: RenderingError? { mayChangeRenderer ? playing?.video.failure : nil }

    var nextFrameDue: HostTime? { playing?.player.nextFrameDue }

    var isAnimating: Bool {
        wantsTick || stack.needsLayout || stack.isAnimating
            || layersMove || fullscreen.isAnimating || miniBarReveal.isAnimating
            || seenPages.contains { ($0 as? any ProgramPage)?.isAnimating == true }
    }

    func nextWake(now: HostTime) -> HostTime? {
        var wake = deadline
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        consider(playing?.player.nextWake(now: now))
        consider(previews?.nextWake)
        if let playing { consider(history?.nextRecord(of: playing)) }
        consider(arbiter.nextDeadline)
        for case let page as any ProgramPage in seenPages { consider(page.nextWake) }
        if let firstShown { consider(preparation.nextWake(now: now, firstShown: firstShown)) }
        if snapshots.keepsMemory { consider(preparation.inputStaysUntil) }
        consider(preparation.nextPrewarm(now: now))
        return wake
    }

    func skip(to time: HostTime) {
        guard let video = playing?.video else { return }
        while video.update(visibleAt: time) { video.pass() }
    }

    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool {
        guard let playing else { return false }
        let isNew = playing.video.update(visibleAt: framesBy)
        if isNew, isFilmFloating { filmChanged() }
        if isFilmFloating, !(isFilmSeen && surface.isVisible) {
            filmElement?.prepare()
        } else {
            playing.video.bring(isLaidOut: false)
        }
        return isNew
    }

    var takenFrameDue: HostTime? { playing?.video.takenFrameDue }

    func wantsDraw(hasNewFrame: Bool) -> Bool { isAnimating || (hasNewFrame && (isFilmSeen || !isFilmFloating)) }

    func layout(scale: Double, visibleAt time: HostTime) {
        // What is asked for from here on is for the next tick.
        needsRedraw = false
        wantsTick = false
        needsImmediateRelayout = false
        let isStale = snapshotIsStale || scale != snapshots.scale
        snapshotIsStale = false
        snapshots.scale = scale
        snapshots.time = LocalTime(time)
        layoutPages(at: time)
        _ = stack.advance(to: time)
        _ = advancePages(to: time)
        placeMiniBars(at: time)
        // The small bar may have come to another page.
        stack.layout(stack.layer.frame.size, at: stack.layer.frame.origin)
        if isStale, stack.isTransitioning { stack.takeSnapshot() }
        placePicture(scale: scale, now: time)
        _ = advanceSubtitles(to: time)
        updateStatistics(now: time)
        layersMove = root.advance(to: LocalTime(time))
    }

    func bringPicture() { playing?.video.bring() }

    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        root.flatten(scale: scale, at: LocalTime(time), into: &list)
    }

    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? {
        switch surface {
        case PlaybackSession.surface: playing?.video.target
        case PageSnapshots.surface: snapshots.current
        default: nil
        }
    }

    func willPresent(_ pixels: PixelSize) {
        guard !screenshots.isEmpty, let playing, let shown = playing.video.pending, let info = playing.player.info
        else { return }
        let position = shown.presentationTime - info.startTime
        screenshots.write(
            position: position, duration: shown.duration, renderer: renderer, pixels: pixels
        ).forEach(fail)
        renderer.keepsPixels = !screenshots.isEmpty
    }

    func didPresent(at time: HostTime) {
        for session in sessions { session.makeReady() }
        prewarm()
        if deadline == nil, playing == nil, let duration = options.duration { deadline = time + duration }
        if firstShown == nil, playing?.video.pending != nil { firstShown = time }
        // A frame that is seen in another window is that one's to tell of.
        if !isFilmFloating || isFilmSeen { playing?.video.didPresent(at: time) }
    }

    func didLeaveOut() {
        if !isFilmFloating || isFilmSeen { playing?.video.pass() }
    }

    // MARK: - Events

    func handle(_ event: WindowEvent, now: HostTime) {
        switch event {
        case .input(let input):
            preparation.note(at: now)
            handle(input, now: now)
            wantsTick = wantsTick || stack.isTransitioning
        case .resized, .scaleChanged, .needsRedraw:
            let before = size
            size = surface.size
            needsRedraw = true
            // By hand it changes by little at a time.
            if abs(size.width - before.width) > Self.jump || abs(size.height - before.height) > Self.jump {
                needsImmediateRelayout = true
            }
        case .iconified(let isIconified):
            size = surface.size
            needsRedraw = true
            if isIconified { arbiter.cancelAll(now: now) }
        case .focusChanged(let isFocused):
            if !isFocused { arbiter.cancelAll(now: now) }
        case .closeRequested: closeMainWindow()
        case .filesDropped(let paths): open(paths)
        case .fullscreenChanged(let isFullscreen): windowChangedFullscreen(to: isFullscreen, now: now)
        case .moved: break
        }
    }

    /// Something is to be seen with the next tick.
    func setNeedsTick() { wantsTick = true }
}
