import GlissadeControls
import GlissadeInput
import GlissadeNavigation
import GlissadeTime

/// A page that handles keys, and is advanced in each iteration of the frame loop while it is visible. Main thread.
@MainActor protocol ProgramPage: Page {
    /// Advances the page to `now`, and applies the results of background threads.
    ///
    /// - Parameter isMoving: Whether a page transition is in progress.
    /// - Returns: Whether the page must be redrawn.
    func advance(to now: HostTime, isMoving: Bool) -> Bool
    /// Whether something on the page is moving. If so, the page must be redrawn at each refresh of the display.
    var isAnimating: Bool { get }
    /// The page's short messages.
    var toast: Toast { get }
    /// When `advance` must be called next if nothing else happens; nil if no call is needed.
    var nextWake: HostTime? { get }
    /// Offers a key to the open menu or the focused control. Returns whether the key was used. If it was not, the
    /// command bound to the key is performed.
    func handle(_ key: KeyEvent) -> Bool
    /// The key contexts of this page, most specific first.
    var keyContexts: [KeyContext] { get }
    /// Moves the selection in the page's list. If the list's rows cannot be selected, scrolls the list instead. Does
    /// nothing on a page without a list.
    func moveInList(_ move: Command.ListMove, now: HostTime)
    /// Opens the selected item of the page's list. Does nothing if no item is selected.
    func openSelection(now: HostTime)
}

extension ProgramPage {
    func handle(_ key: KeyEvent) -> Bool { false }
    var keyContexts: [KeyContext] { [] }
    func moveInList(_ move: Command.ListMove, now: HostTime) {}
    func openSelection(now: HostTime) {}
}
