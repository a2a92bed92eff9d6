import Geometry
import Navigation
import Rendering
import Time

/// Where the video is visible, and which of its frames are prepared and presented there. Main thread.
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

    /// Whether presentation is timed by the main window's frames.
    private var isPresentedByMainWindow: Bool { !floating.isVideoFloating || isInMainWindow }

    /// Lays the video out wherever it is visible, and prepares its frames for the largest of these places.
    ///
    /// - Parameter goal: The size that its page will have at the end of a transition.
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
        // The page may have gone after a frame was taken for it.
        if floating.isVideoFloating, !isInMainWindow { floating.videoElement?.prepare() }
    }

    /// Prepares the frame of a floating video while the main window does not.
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

    /// Takes the frame due by `deadline` and prepares it. False if there is none.
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

    /// Gives a floating video its title and shape.
    func updateFloatingVideo() {
        guard let element = floating.videoElement, let session = playback.session else { return }
        let aspect = session.player.info?.displaySize ?? session.video.displaySize
        if element.title == session.title, element.aspect == aspect { return }
        element.follow(title: session.title, aspect: aspect)
        floating.elementChanged(.film)
    }

    /// Whether redrawing the main window would show a new frame.
    func changesMainWindow(hasNewFrame: Bool) -> Bool { hasNewFrame && isPresentedByMainWindow }

    /// Notes that the main window has presented a frame. A floating window reports its own.
    func didPresent(at time: HostTime) {
        if isPresentedByMainWindow { video?.didPresent(at: time) }
    }

    func didLeaveOut() {
        if isPresentedByMainWindow { video?.pass() }
    }
}
