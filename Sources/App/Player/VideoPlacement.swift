import Geometry
import Navigation
import Rendering
import Time

/// Lays out the video wherever it is visible, and prepares and presents its frames. Main thread.
@MainActor final class VideoPlacement {
    private let playback: PlaybackController
    private let pages: Pages
    private let cards: CardController
    private let miniPlayers: MiniPlayerController
    private let floating: FloatingWindows

    init(
        playback: PlaybackController, pages: Pages, cards: CardController, miniPlayers: MiniPlayerController,
        floating: FloatingWindows
    ) {
        self.playback = playback
        self.pages = pages
        self.cards = cards
        self.miniPlayers = miniPlayers
        self.floating = floating
    }

    private var video: VideoPresenter? { playback.session?.video }

    /// Whether the main window shows the video.
    var isInMainWindow: Bool {
        !miniPlayers.bars.isEmpty
            || pages.visible.contains { $0 === pages.player || (!floating.isVideoFloating && cards.showsVideo($0)) }
    }

    /// Whether the main window reports when video frames are presented.
    private var isPresentedByMainWindow: Bool { !floating.isVideoFloating || isInMainWindow }

    /// Lays out the video wherever it is visible.
    ///
    /// Frames are prepared for one place: the player's page, else a miniplayer, else a card, else the floating
    /// window.
    ///
    /// - Parameter goal: The size of the player's page at the end of a transition; nil if there is none.
    func layout(goal: Size?, scale: Double, now: HostTime) {
        for case let page as LibraryPage in pages.visible { page.scale = scale }
        guard let session = playback.session else {
            cards.hide()
            pages.player?.hidePicture()
            return
        }
        let bars = miniPlayers.bars
        let isOnPage = pages.isPlayerVisible
        if isOnPage { pages.player?.showPicture(of: session, goal: goal, scale: scale) }
        for bar in bars { bar.showPicture(of: session.video, isOnlyPlace: !isOnPage, scale: scale) }
        let isInCard = cards.place(session, isOnlyPlace: !isOnPage && bars.isEmpty, scale: scale, now: now)
        if !isOnPage, bars.isEmpty, !isInCard, !floating.isVideoFloating {
            pages.player?.showPicture(of: session, goal: goal, scale: scale)
        }
        // The last frame may have been prepared for a page that has disappeared since.
        if floating.isVideoFloating, !isInMainWindow { floating.videoElement?.prepare() }
    }

    /// Prepares the frame again for a floating window of a new size, unless it is prepared for the main window.
    func advance(isMainWindowVisible: Bool) {
        if let element = floating.videoElement, element.needsPicture, !(isInMainWindow && isMainWindowVisible) {
            element.prepare()
            element.setNeedsDisplay()
        }
    }

    // MARK: - Frames

    /// Drops the frames due by `time`.
    func skip(to time: HostTime) {
        guard let video else { return }
        while video.update(visibleAt: time) { video.pass() }
    }

    /// Takes the newest frame due by `deadline`, and prepares it. Returns whether there was one.
    func update(by deadline: HostTime, isMainWindowVisible: Bool) -> Bool {
        guard let video else { return false }
        let isNew = video.update(visibleAt: deadline)
        if isNew, floating.isVideoFloating { updateFloatingVideo() }
        if floating.isVideoFloating, !(isInMainWindow && isMainWindowVisible) {
            floating.videoElement?.prepare()
        } else {
            video.bring(isLaidOut: false)
        }
        return isNew
    }

    /// Updates the floating window's title and aspect ratio from the video.
    func updateFloatingVideo() {
        guard let element = floating.videoElement, let session = playback.session else { return }
        let aspect = session.player.info?.displaySize ?? session.video.displaySize
        if element.title == session.title, element.aspect == aspect { return }
        element.follow(title: session.title, aspect: aspect)
        floating.elementChanged(.film)
    }

    /// Whether redrawing the main window would show a new frame.
    func changesMainWindow(hasNewFrame: Bool) -> Bool { hasNewFrame && isPresentedByMainWindow }

    /// Records that the main window has presented a frame. Floating windows report their frames themselves.
    func didPresent(at time: HostTime) {
        if isPresentedByMainWindow { video?.didPresent(at: time) }
    }

    func didLeaveOut() {
        if isPresentedByMainWindow { video?.pass() }
    }
}
