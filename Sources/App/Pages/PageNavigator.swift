import Navigation
import Time

/// Opens the player's page, the details page and the key list, and navigates back. Main thread.
@MainActor final class PageNavigator {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let cards: CardController
    private let playerPages: PlayerPageController
    private let floating: FloatingWindows
    weak var fullscreen: FullscreenCoordinator?

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, cards: CardController,
        playerPages: PlayerPageController, floating: FloatingWindows
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.cards = cards
        self.playerPages = playerPages
        self.floating = floating
    }

    /// Returns the player's page, and creates it if there is none. Does not add it to the stack.
    func playerPage() -> PlayerPage { playerPages.page() }

    /// Shows the player's page. If the video is in a floating window, returns it to the page.
    func bringPlayer(animated: Bool, now: HostTime) {
        if floating.isVideoFloating, floating.restoreVideo() { return }
        showPlayer(animated: animated, now: now)
    }

    /// Brings the player's page to the top of the stack.
    func showPlayer(animated: Bool, now: HostTime) {
        guard playback.session != nil else { return }
        if pages.fullscreenRow != nil {
            // In fullscreen, the page is already on top. If fullscreen is being left, the transition ends at once.
            if fullscreen?.controller.isEntered == true { return }
            fullscreen?.end(now: now)
        }
        cards.open(now: now)
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

    /// Removes the player's page and all pages above it from the stack, and discards the player's page.
    func removePlayer(now: HostTime) {
        let stack = pages.stack
        let rest = stack.pages.prefix { $0 !== pages.player }
        if rest.count < stack.pages.count { try? stack.setStack(Array(rest), animated: false, now: now) }
        pages.player = nil
    }

    func showDetails(now: HostTime) {
        fullscreen?.moveRowToStack(now: now)
        guard pages.stack.top === pages.player else { return }
        try? pages.stack.push(playerPages.detailsPage(), now: now)
        pages.setNeedsTick()
    }

    /// Opens the key list, or goes back if the key list or the details page is on top.
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

    /// Cancels a page drag. If there is none, leaves fullscreen. If not in fullscreen, goes back.
    ///
    /// - Returns: Whether a drag was cancelled. The caller must then cancel the gesture, too.
    func leave(now: HostTime) -> Bool {
        if pages.stack.isTransitioning, pages.stack.cancelDrag(now: now) { return true }
        guard let fullscreen, fullscreen.controller.state != .inline else {
            goBack(now: now)
            return false
        }
        // While fullscreen is being left, a second key press must not also go back.
        if fullscreen.controller.isEntered { fullscreen.leave(now: now) }
        return false
    }
}
