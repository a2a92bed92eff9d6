import Input
import Navigation
import Time

/// A page of this program, as its frame loop sees it.
@MainActor protocol ProgramPage: Page {
    /// Takes note of the time, and of what threads have found, while it is seen.
    ///
    /// - Parameter isMoving: whether the page is drawn aside, or settles.
    /// - Returns: whether something is to be drawn anew.
    func advance(to now: HostTime, isMoving: Bool) -> Bool
    /// Whether something on it moves that wants the display's rate.
    var isAnimating: Bool { get }
    /// When `advance` must be called again if nothing happens.
    var nextWake: HostTime? { get }
    /// A key, before it is a command. True where it was for the page.
    func handle(_ key: KeyEvent) -> Bool
}
