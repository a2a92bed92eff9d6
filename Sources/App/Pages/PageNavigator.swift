import GlissadeNavigation
import GlissadeTime

/// Opens the player's page, the details page and the key list, and navigates back. Main thread.
@MainActor final class PageNavigator {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let inlineVideos: InlineVideoController
    private let playerPages: PlayerPageController
    private let floating: FloatingWindows
    weak var fullscreen: FullscreenCoordinator?

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, inlineVideos: InlineVideoController,
        playerPages: PlayerPageController, floating: FloatingWindows
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.inlineVideos = inlineVideos
        self.playerPages = playerPages
        self.floating = floating
    }

    /// Returns the player's page, creating it if necessary. Does not add the page to the stack.
    func playerPage() -> PlayerPage { playerPages.page() }

    /// Brings the player's page to the top of the stack. Returns a floating video to the page.
    func bringPlayer(animated: Bool, now: HostTime) {
        if floating.isVideoFloating, floating.restoreVideo() { return }
        showPlayer(animated: animated, now: now)
    }

    /// Brings the player's page to the top of the stack, and turns a preview into normal playback. Does nothing if
    /// nothing is playing. A floating video stays in its window.
    func showPlayer(animated: Bool, now: HostTime) {
        guard playback.session != nil else { return }
        if pages.fullscreenRow != nil {
            // In fullscreen, the page is already on top. If the video is leaving fullscreen, the transition ends at
            // once.
            if fullscreen?.controller.isEntered == true { return }
            fullscreen?.end(now: now)
        }
        inlineVideos.open(now: now)
        let page = playerPage()
        let stack = pages.stack
        if let (upper, _) = stack.transitioningPages, upper === page, stack.isPopping {
            stack.undoPop(now: now)
        } else if stack.pages.contains(where: { $0 === page }) {
            _ = try? stack.pop(to: page, animated: animated, now: now)
        } else {
            try? stack.push(page, animated: animated, now: now)
        }
        pages.setNeedsTick()
    }

    /// Discards the player's page. If the page is on the stack, removes it and all pages above it, without animation.
    func removePlayer(now: HostTime) {
        let stack = pages.stack
        let rest = stack.pages.prefix { $0 !== pages.playerPage }
        if rest.count < stack.pages.count { try? stack.setStack(Array(rest), animated: false, now: now) }
        pages.playerPage = nil
    }

    func showDetails(now: HostTime) {
        fullscreen?.moveRowToStack(now: now)
        guard pages.stack.top === pages.playerPage else { return }
        try? pages.stack.push(playerPages.detailsPage(), now: now)
        pages.setNeedsTick()
    }

    /// Opens the key list. If the key list or the details page is on top, goes back instead.
    func toggleKeys(now: HostTime) {
        fullscreen?.moveRowToStack(now: now)
        if pages.stack.top is InfoPage { return goBack(now: now) }
        let page = InfoPage(title: "Keys") { [weak self] in self?.goBack(now: .now()) }
        page.show(settings.keyMap.sections)
        try? pages.stack.push(page, now: now)
    }

    func goBack(now: HostTime) {
        if pages.fullscreenRow != nil { return fullscreen?.leave(now: now) ?? () }
        pages.stack.pop(now: now)
        pages.setNeedsTick()
    }

    /// Goes back to the page at the bottom of the stack, past all pages in between. Playback continues there, in a row
    /// or in the miniplayer. A video that went fullscreen from a row leaves fullscreen: at once if its page is left, too.
    func goToLibrary(now: HostTime) {
        if pages.fullscreenRow != nil {
            guard pages.stack.pages.count > 1 else { return goBack(now: now) }
            fullscreen?.end(now: now)
        }
        pages.stack.popToRoot(now: now)
        pages.setNeedsTick()
    }

    /// Cancels the drag of a page, if there is one. Otherwise leaves fullscreen or, if nothing is fullscreen, goes back
    /// by one page. Does nothing during a transition out of fullscreen.
    ///
    /// - Returns: Whether a drag was canceled. If so, the caller must also cancel the gesture.
    func leave(now: HostTime) -> Bool {
        if pages.stack.isTransitioning, pages.stack.cancelDrag(now: now) { return true }
        guard let fullscreen, fullscreen.controller.state != .inline else {
            goBack(now: now)
            return false
        }
        // A second key press during the transition out of fullscreen must not also go back.
        if fullscreen.controller.isEntered { fullscreen.leave(now: now) }
        return false
    }
}
