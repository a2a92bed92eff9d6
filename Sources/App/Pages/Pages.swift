import GlissadeControls
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// The visible pages, from the bottom up: at most three. Unlike an array, it allocates no memory.
struct VisiblePages: Sequence, IteratorProtocol {
    private var pages: (Page?, Page?, Page?)

    init(_ lower: Page, _ upper: Page?, _ top: Page?) {
        pages = upper == nil ? (lower, top, nil) : (lower, upper, top)
    }

    mutating func next() -> Page? {
        let next = pages.0
        pages = (pages.1, pages.2, nil)
        return next
    }
}

/// The pages of the main window: the page stack, the player's page and a fullscreen video above the stack. Main
/// thread.
@MainActor final class Pages: Advancing {
    /// The root layer of the main window.
    let root = Layer()
    let stack: NavigationStack
    let frames: FrameRequests
    /// The player's page, even while it is not on the stack; nil if the page does not exist.
    var playerPage: PlayerPage?
    /// The fullscreen video that came from a library row or card, above all pages of the stack; nil if there is none.
    var fullscreenRow: FullscreenRowVideo?

    init(root page: LibraryPage, frames: FrameRequests) {
        stack = NavigationStack(root: page)
        self.frames = frames
        root.add(stack.layer)
    }

    func setNeedsTick() { frames.setNeedsTick() }

    /// Advances the visible pages.
    func advance(to now: HostTime) -> Bool {
        var isChanged = false
        for case let page as any ProgramPage in visible
        where page.advance(to: now, isMoving: stack.isTransitioning) { isChanged = true }
        return isChanged
    }

    func nextWake(now: HostTime) -> HostTime? {
        var wake: HostTime?
        for case let page as any ProgramPage in visible {
            if let time = page.nextWake { wake = wake.map { min($0, time) } ?? time }
        }
        return wake
    }

    /// The library pages on the stack, from the bottom up.
    var libraries: some Sequence<LibraryPage> { stack.pages.lazy.compactMap { $0 as? LibraryPage } }

    /// The visible pages, from the bottom up.
    var visible: VisiblePages {
        let (lower, upper) = stack.transitioningPages.map { ($0.lower, $0.upper) } ?? (stack.top, nil)
        return VisiblePages(lower, upper, fullscreenRow?.page)
    }

    /// The page on top: the page of the fullscreen video above the stack, else the top page of the stack.
    var top: Page { fullscreenRow?.page ?? stack.top }

    /// Whether the top page accepts keys: false during a page transition, unless a fullscreen video is above the
    /// stack.
    var isTopSettled: Bool { fullscreenRow != nil || !stack.isTransitioning }

    /// The toast of the top page; nil during a page transition, unless a fullscreen video is above the stack.
    var toast: Toast? { isTopSettled ? (top as? any ProgramPage)?.toast : nil }

    /// Whether the player's page is on top, on the stack or in fullscreen above it. False during a page transition,
    /// unless a fullscreen video is above the stack.
    var isPlayerOnTop: Bool { fullscreenRow != nil || (stack.top === playerPage && !stack.isTransitioning) }

    /// Whether any part of the player's page is visible.
    var isPlayerVisible: Bool { playerPage.map { page in visible.contains { $0 === page } } ?? false }

    /// How much of the width of the player's page is within the window, from the page's left edge, in points. Less than
    /// the whole width while the page is moved aside.
    var visiblePlayerWidth: Double {
        let width = playerPage?.layer.frame.size.width ?? 0
        return stack.transitioningPages?.upper === playerPage ? width * (1 - (stack.progress ?? 0)) : width
    }

    /// Whether the player's page is moving out of the stack by itself.
    var isPlayerLeaving: Bool { stack.isPopping && stack.transitioningPages?.upper === playerPage }

    /// Whether the player's page is on top of the stack, or will be after the current page transition.
    ///
    /// The page also counts as on top while the user drags it, or drags the page directly above it.
    var isPlayerStaying: Bool {
        guard let page = playerPage else { return false }
        guard let (upper, lower) = stack.transitioningPages else { return stack.top === page }
        if upper === page { return !stack.isPopping }
        return lower === page && (stack.isPopping || stack.isHeld)
    }
}
