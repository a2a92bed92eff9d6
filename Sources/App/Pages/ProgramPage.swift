import Input
import Navigation
import Time

/// A page of this program, driven by the frame loop.
@MainActor protocol ProgramPage: Page {
    /// Passes the time and takes results of background threads, while the page is visible.
    ///
    /// - Parameter isMoving: Whether the page is in a transition.
    /// - Returns: Whether it must be drawn again.
    func advance(to now: HostTime, isMoving: Bool) -> Bool
    /// Whether something on it moves at the display's rate.
    var isAnimating: Bool { get }
    /// When `advance` must be called next, even if nothing happens.
    var nextWake: HostTime? { get }
    /// Offers a key to a menu or a focused control, before it becomes a command. Returns whether the key was used.
    func handle(_ key: KeyEvent) -> Bool
    /// The key contexts of this page, the most specific one first.
    var keyContexts: [KeyContext] { get }
    /// Moves the selection of the page's list.
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
