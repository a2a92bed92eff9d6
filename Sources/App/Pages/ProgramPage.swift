import Input
import Navigation
import Time

/// A page that handles keys and is advanced by the frame loop.
@MainActor protocol ProgramPage: Page {
    /// Advances the page to `now`, and takes results of background threads. Called while the page is visible.
    ///
    /// - Parameter isMoving: Whether the page is in a transition.
    /// - Returns: Whether the page must be redrawn.
    func advance(to now: HostTime, isMoving: Bool) -> Bool
    /// Whether something on the page moves, so that it must be redrawn at the display's rate.
    var isAnimating: Bool { get }
    /// When `advance` must be called next if nothing else happens; nil if time alone changes nothing.
    var nextWake: HostTime? { get }
    /// Offers a key to an open menu or the focused control, before the key map. Returns whether the key was used.
    func handle(_ key: KeyEvent) -> Bool
    /// The key contexts of this page, the most specific one first.
    var keyContexts: [KeyContext] { get }
    /// Moves the selection of the page's list, or scrolls a list without a selection.
    func moveInList(_ move: Command.ListMove, now: HostTime)
    /// Opens the selected item of the page's list.
    func openSelection(now: HostTime)
}

extension ProgramPage {
    func handle(_ key: KeyEvent) -> Bool { false }
    var keyContexts: [KeyContext] { [] }
    func moveInList(_ move: Command.ListMove, now: HostTime) {}
    func openSelection(now: HostTime) {}
}
