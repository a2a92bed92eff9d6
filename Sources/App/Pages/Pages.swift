import Layers
import Navigation

/// The pages of the main window, and which of them are visible. Main thread.
@MainActor final class Pages {
    /// The root layer of the window.
    let root = Layer()
    let stack: NavigationStack
    let frames: FrameRequests
    /// The page that shows the current session; nil if there is none.
    var player: PlayerPage?
    /// A video that is fullscreen above its row, on a page above all others.
    var fullscreenRow: FullscreenRowVideo?

    init(root page: LibraryPage, frames: FrameRequests) {
        stack = NavigationStack(root: page)
        self.frames = frames
        root.add(stack.layer)
    }

    func setNeedsTick() { frames.setNeedsTick() }

    /// The library's pages, from the bottom up.
    var libraries: some Sequence<LibraryPage> { stack.pages.lazy.compactMap { $0 as? LibraryPage } }

    /// The visible pages, from the bottom up.
    var visible: [Page] {
        let pages = stack.transitioningPages.map { [$0.lower, $0.upper] } ?? [stack.top]
        return fullscreenRow.map { pages + [$0.page] } ?? pages
    }

    /// The page that receives keys and pointer events.
    var top: Page { fullscreenRow?.page ?? stack.top }

    /// Whether the top page accepts keys: false during a transition.
    var isTopSettled: Bool { fullscreenRow != nil || !stack.isTransitioning }

    /// Whether the player's page receives keys and pointer events.
    var isPlayerOnTop: Bool { fullscreenRow != nil || (stack.top === player && !stack.isTransitioning) }

    /// Whether any part of the player's page is visible.
    var isPlayerVisible: Bool { player.map { page in visible.contains { $0 === page } } ?? false }

    /// Whether the player's page is on top, or will be unless the user drags it away.
    var isPlayerStaying: Bool {
        guard let page = player else { return false }
        guard let (upper, lower) = stack.transitioningPages else { return stack.top === page }
        if upper === page { return !stack.isPopping }
        return lower === page && (stack.isPopping || stack.isHeld)
    }
}
