import GlissadeGeometry
import GlissadeNavigation
import GlissadeRendering
import GlissadeTime

/// Lays out the video wherever it is visible, and prepares and presents its frames. Main thread.
@MainActor final class VideoPlacement {
    private let playback: PlaybackController
    private let pages: Pages
    private let inlineVideos: InlineVideoController
    private let miniPlayers: MiniPlayerController
    private let floating: FloatingWindows

    init(
        playback: PlaybackController, pages: Pages, inlineVideos: InlineVideoController,
        miniPlayers: MiniPlayerController,
        floating: FloatingWindows
    ) {
        self.playback = playback
        self.pages = pages
        self.inlineVideos = inlineVideos
        self.miniPlayers = miniPlayers
        self.floating = floating
    }

    private var video: VideoPresenter? { playback.session?.video }

    /// Whether the main window shows the video: on the player's page, in a miniplayer or on a library page.
    var isInMainWindow: Bool {
        !miniPlayers.bars.isEmpty
            || pages.visible.contains {
                $0 === pages.player
                    ? !floating.isVideoOnlyFloating : !floating.isVideoFloating && inlineVideos.showsVideo($0)
            }
    }

    /// Whether the main window, rather than the floating window, reports when a frame has been presented. False while
    /// only the floating window shows the video.
    private var isPresentedByMainWindow: Bool { !floating.isVideoFloating || isInMainWindow }

    /// Lays out the video wherever it is visible.
    ///
    /// If the video is visible in several places, frames are prepared for its size in the first of these: the player's
    /// page, a miniplayer, the floating window, a library page.
    ///
    /// - Parameter goal: The size of the player's page at the end of a transition; nil if there is no transition.
    func layout(goal: Size?, scale: Double, now: HostTime) {
        for case let page as LibraryPage in pages.visible { page.scale = scale }
        guard let session = playback.session else {
            inlineVideos.hide()
            pages.player?.hidePicture()
            return
        }
        let bars = miniPlayers.bars
        let isOnPage = pages.isPlayerVisible && !floating.isVideoOnlyFloating
        if floating.isVideoOnlyFloating { pages.player?.showFloatingSign(isPaused: session.player.isPaused) }
        if isOnPage { pages.player?.showPicture(of: session, goal: goal, scale: scale) }
        for bar in bars { bar.showPicture(of: session.video, isOnlyPlace: !isOnPage, scale: scale) }
        let isInRow = inlineVideos.place(session, isOnlyPlace: !isOnPage && bars.isEmpty, scale: scale, now: now)
        if !isOnPage, bars.isEmpty, !isInRow, !floating.isVideoFloating {
            pages.player?.showPicture(of: session, goal: goal, scale: scale)
        }
        // The last frame may have been prepared for a page that has since disappeared.
        if floating.isVideoFloating, !isInMainWindow { floating.videoElement?.prepare() }
    }

    /// Prepares the current frame again after a change of the floating window's size or scale. Does nothing if the main
    /// window shows the video and is visible.
    func advance(isMainWindowVisible: Bool) {
        if let element = floating.videoElement, element.needsPicture, !(isInMainWindow && isMainWindowVisible) {
            element.prepare()
            element.setNeedsDisplay()
        }
    }

    // MARK: - Frames

    /// Drops the frames that are due by `time`. Called while no window is visible.
    func skip(to time: HostTime) {
        guard let video else { return }
        while video.update(visibleAt: time) { video.pass() }
    }

    /// Takes the newest frame that is due by `deadline`. Prepares the latest frame, unless a transition is changing the
    /// video's size. Returns whether a frame was taken.
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

    /// Updates the title and aspect ratio of the video's floating window from the session. Does nothing if the window
    /// is not open.
    func updateFloatingVideo() {
        guard let element = floating.videoElement, let session = playback.session else { return }
        let aspect = session.player.info?.displaySize ?? session.video.displaySize
        if element.title == session.title, element.aspect == aspect { return }
        element.follow(title: session.title, aspect: aspect)
        floating.elementChanged(.film)
    }

    /// Returns whether the main window must be redrawn because of a new frame.
    func changesMainWindow(hasNewFrame: Bool) -> Bool { hasNewFrame && isPresentedByMainWindow }

    /// Records that the main window has presented the frame that was taken last. Does nothing while only the floating
    /// window shows the video.
    func didPresent(at time: HostTime) {
        if isPresentedByMainWindow { video?.didPresent(at: time) }
    }

    func didLeaveOut() {
        if isPresentedByMainWindow { video?.pass() }
    }
}
