import Layers
import Navigation

/// The pages of the main window. Main thread.
@MainActor final class Pages {
    /// The root layer of the window.
    let root = Layer()
    let stack: NavigationStack
    let frames: FrameRequests
    /// The player's page, on the stack or not; nil until it is created.
    var player: PlayerPage?
    /// The video that has grown to fullscreen from its library row, above all other pages; nil if there is none.
    var fullscreenRow: FullscreenRowVideo?

    init(root page: LibraryPage, frames: FrameRequests) {
        stack = NavigationStack(root: page)
        self.frames = frames
        root.add(stack.layer)
    }

    func setNeedsTick() { frames.setNeedsTick() }

    /// The library pages on the stack, from the bottom up.
    var libraries: some Sequence<LibraryPage> { stack.pages.lazy.compactMap { $0 as? LibraryPage } }

    /// The visible pages, from the bottom up.
    var visible: [Page] {
        let pages = stack.transitioningPages.map { [$0.lower, $0.upper] } ?? [stack.top]
        return fullscreenRow.map { pages + [$0.page] } ?? pages
    }

    /// The page that receives keys and pointer events.
    var top: Page { fullscreenRow?.page ?? stack.top }

    /// Whether the top page accepts keys. False during a page transition.
    var isTopSettled: Bool { fullscreenRow != nil || !stack.isTransitioning }

    /// Whether the player's page receives keys and pointer events.
    var isPlayerOnTop: Bool { fullscreenRow != nil || (stack.top === player && !stack.isTransitioning) }

    /// Whether any part of the player's page is visible.
    var isPlayerVisible: Bool { player.map { page in visible.contains { $0 === page } } ?? false }

    /// Whether the player's page is on top, or expected to be on top after the current transition.
    ///
    /// While the user drags another page over it, the player's page still counts as on top.
    var isPlayerStaying: Bool {
        guard let page = player else { return false }
        guard let (upper, lower) = stack.transitioningPages else { return stack.top === page }
        if upper === page { return !stack.isPopping }
        return lower === page && (stack.isPopping || stack.isHeld)
    }
}
