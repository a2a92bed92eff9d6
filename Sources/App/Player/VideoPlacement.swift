import GlissadeGeometry
import GlissadeNavigation
import GlissadeRendering
import GlissadeTime

/// Lays out the video wherever it is visible. Main thread.
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

    /// Whether the main window shows the video: on the player's page, in a miniplayer or on a library page.
    var isInMainWindow: Bool {
        miniPlayers.isShown
            || pages.visible.contains {
                $0 === pages.playerPage
                    ? !floating.isVideoOnlyFloating : !floating.isVideoFloating && inlineVideos.showsVideo($0)
            }
    }

    /// Whether the main window is drawn for each new frame, and tells when it became visible. False while only the
    /// floating window shows the video.
    var isPresentedByMainWindow: Bool { !floating.isVideoFloating || isInMainWindow }

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
            pages.playerPage?.hidePicture()
            return
        }
        let bars = miniPlayers.bars
        let isOnPage = pages.isPlayerVisible && !floating.isVideoOnlyFloating
        if floating.isVideoOnlyFloating { pages.playerPage?.showFloatingSign(isPaused: session.player.isPaused) }
        if isOnPage { pages.playerPage?.showPicture(of: session, goal: goal, scale: scale) }
        for bar in bars { bar.showPicture(of: session.film, isOnlyPlace: !isOnPage, scale: scale) }
        let isInRow = inlineVideos.place(session, isOnlyPlace: !isOnPage && bars.isEmpty, scale: scale, now: now)
        if !isOnPage, bars.isEmpty, !isInRow, !floating.isVideoFloating {
            pages.playerPage?.showPicture(of: session, goal: goal, scale: scale)
        }
        // The last frame may have been prepared for a page that has since disappeared.
        if floating.isVideoFloating, !isInMainWindow { floating.videoElement?.place() }
    }

    /// Prepares the current frame again after a change of the floating window's size or scale. Does nothing if the main
    /// window shows the video and is visible.
    func advance(isMainWindowVisible: Bool) {
        if let element = floating.videoElement, element.needsPicture, !(isInMainWindow && isMainWindowVisible) {
            element.place()
            playback.session?.film.fit()
            element.setNeedsDisplay()
        }
    }

    /// Lays out the video in the floating window for the next frame, unless the main window shows the video and is
    /// visible.
    func placeFloating(hasNewFrame: Bool, isMainWindowVisible: Bool) {
        guard floating.isVideoFloating else { return }
        if hasNewFrame { updateFloatingVideo() }
        if !(isInMainWindow && isMainWindowVisible) { floating.videoElement?.place() }
    }

    /// Updates the title and aspect ratio of the video's floating window from the session. Does nothing if the window
    /// is not open.
    func updateFloatingVideo() {
        guard let element = floating.videoElement, let session = playback.session else { return }
        let aspect = session.player.info?.displaySize ?? session.film.displaySize
        if element.title == session.title, element.aspect == aspect { return }
        element.follow(title: session.title, aspect: aspect)
        floating.elementChanged(.film)
    }
}
