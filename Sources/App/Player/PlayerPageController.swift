import GlissadeControls
import GlissadePresentation
import GlissadeSettings
import GlissadeTime

/// Creates the player's page and carries out its requests. Main thread.
@MainActor final class PlayerPageController {
    /// The controllers that carry out the page's requests.
    struct Parts {
        let comments: CommentController
        let transport: TransportController
        let seeking: SeekController
        let previews: SeekPreviewController
        let menus: PlayerMenus
        let gestures: VideoGestureController
        let details: DetailsController
    }

    /// The frame log for the page's statistics, and options that do not change while the program runs.
    struct Style {
        let log: FrameLog
        /// Whether the controls appear when the pointer moves.
        let showsControls: Bool
        /// Whether picture-in-picture is available.
        let canFloat: Bool
    }

    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let commands: Commands
    private let parts: Parts
    private let style: Style
    weak var fullscreen: FullscreenCoordinator?

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, commands: Commands, parts: Parts,
        style: Style
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.commands = commands
        self.parts = parts
        self.style = style
        settings.observe(\.playerPage) { [weak pages] in if let page = pages?.playerPage { page.apply($0) } }
    }

    /// Returns the player's page, creating it if necessary.
    func page() -> PlayerPage {
        if let page = pages.playerPage { return page }
        let page = PlayerPage(
            title: playback.session?.title ?? "", showsControls: style.showsControls, log: style.log,
            back: { [commands] in commands.perform(.back, now: .now()) },
            details: { [commands] in commands.perform(.showDetails, now: .now()) })
        page.owner = self
        page.trailingPage = { [weak details = parts.details] in details?.makePage() }
        parts.gestures.connect(page.gestures)
        parts.comments.connect(page.gestures)
        fullscreen?.connectDismissal(of: page)
        page.apply(settings.current.playerPage)
        pages.playerPage = page
        return page
    }

    func detailsPage() -> InfoPage { parts.details.makePage() }

    /// Updates the player's page with the session's title and chapters.
    ///
    /// - Parameter isNew: Whether the session now plays a different file. If so, cancels gestures, closes the menu, and
    ///   clears the seek preview, the progress bar and the subtitles.
    func show(_ session: PlaybackSession, isNew: Bool, now: HostTime) {
        let page = pages.playerPage
        page?.setTitle(session.title)
        if isNew {
            page?.gestures.cancel()
            page?.closeMenu(now: now)
            parts.previews.forget(now: now)
            page?.controls.forget(now: now)
            page?.subtitles.clear()
            page?.comments.clear()
        }
        page?.controls.progress.marks = Self.chapterMarks(of: session)
    }

    /// Returns the start times of the chapters as fractions of the file's length; empty if the length is unknown.
    private static func chapterMarks(of session: PlaybackSession) -> [Double] {
        guard let info = session.player.info, let length = info.duration, length > .zero else { return [] }
        return info.chapters.map { Double(($0.start - info.startTime).nanoseconds) / Double(length.nanoseconds) }
    }
}

extension PlayerPageController: PlayerPageOwner {
    func figures(now: HostTime) -> PlayerStatus? {
        guard let session = playback.session else { return nil }
        var figures = PlayerStatus(
            session, isFullscreen: fullscreen?.controller.isEntered ?? false, canFloat: style.canFloat, now: now)
        figures.hasComments = !session.comments.comments.isEmpty
        figures.showsComments = parts.comments.isShown
        return figures
    }

    func perform(_ command: Command, now: HostTime) { commands.perform(command, now: now) }
    func scrub(_ scrub: PlayerControls.Scrub, now: HostTime) { parts.seeking.scrub(scrub, now: now) }
    func preview(at fraction: Double?, now: HostTime) { parts.previews.show(at: fraction, now: now) }
    func setVolume(_ volume: Double, now: HostTime) { parts.transport.setVolume(volume, now: now) }
    func entries(for menu: PlayerMenu) -> [Menu.Entry] { parts.menus.entries(of: menu) }
    func pick(_ id: String, in menu: PlayerMenu, now: HostTime) -> PlayerMenu {
        parts.menus.pick(id, in: menu, now: now)
    }
    func menuClosed(_ menu: PlayerMenu) { if menu == .comment { parts.comments.menuClosed() } }
    func controlsChanged() { fullscreen?.updateCursor() }
}

extension Settings {
    /// The settings that the player's page keeps.
    struct PlayerPage: Equatable {
        var controlsTimeout: Duration
        var disabledGestures: Set<String>
        var gestures: VideoGestures
        var progressBar: ProgressBar
    }

    fileprivate var playerPage: PlayerPage {
        PlayerPage(
            controlsTimeout: interface.controlsTimeout, disabledGestures: disabledGestures,
            gestures: videoGestures, progressBar: progressBar)
    }
}

extension PlayerPage {
    fileprivate func apply(_ settings: Settings.PlayerPage) {
        visibility.timeout = settings.controlsTimeout
        gestures.disabled = Set(settings.disabledGestures.compactMap(VideoGesture.init))
        gestures.skipStep = .seconds(settings.gestures.skipSeconds)
        gestures.dragSpan = settings.gestures.dragSpan
        gestures.sidewaysScroll = settings.gestures.horizontalScroll == .pages ? .page : .video
        controls.progress.style = Theme.progress(settings.progressBar)
    }
}
