/// How far an element has come that floats.
public enum FloatingState: Hashable, Sendable {
    case idle
    /// The window is being opened.
    case starting
    /// It floats; also while its page is being restored.
    case active
    /// The window is being closed.
    case stopping
}

/// Why nothing floats.
public enum FloatingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system has no windows of that kind.
    case notPossible
    /// Something floats already, or is about to.
    case alreadyFloating
    /// The window could not be opened, for the reason given.
    case windowFailed(String)
    /// The window was closed, by the user, the program or the server, before it was open.
    case closedTooSoon

    public var description: String {
        switch self {
        case .notPossible: "floating windows are not possible here"
        case .alreadyFloating: "something floats already"
        case .windowFailed(let reason): "the floating window could not be opened: \(reason)"
        case .closedTooSoon: "the floating window was closed before it was open"
        }
    }
}

/// Whoever has windows in which elements float: one at a time. Main thread.
@MainActor public protocol FloatingHost: AnyObject {
    /// Whether there can be such windows.
    var canFloat: Bool { get }
    /// Opens a window for the element, and calls `answer` once it is seen, or with why it cannot be; at once, or later. An
    /// answer that comes too late, or twice, is no matter. A window that then goes by itself is told of by
    /// `FloatingController.windowClosed`.
    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void)
    /// Closes the window, or gives up opening it. Not called for a window that went by itself, or could not be opened.
    func close()
}

/// Whoever owns what floats: told in this order, each once: `willStart`, then `didStart` or `failedToStart`; after
/// `didStart`, `leavePage` where that is so set; `restoreUserInterface` when the user asks to go back; `willStop`,
/// `didStop`. Main thread.
@MainActor public protocol FloatingDelegate: AnyObject {
    func floatingWillStart(_ element: any FloatingElement)
    func floatingDidStart(_ element: any FloatingElement)
    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError)
    /// The page that holds the element is to be popped.
    func leavePage(of element: any FloatingElement)
    /// The page is to be there again; then `done` is called, with whether it is. The element goes on floating until then.
    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void)
    func floatingWillStop(_ element: any FloatingElement)
    /// - Parameter isRestored: whether its page is there again; if not, what plays pauses.
    func floatingDidStop(_ element: any FloatingElement, isRestored: Bool)
}

extension FloatingDelegate {
    public func floatingWillStart(_ element: any FloatingElement) {}
    public func floatingDidStart(_ element: any FloatingElement) {}
    public func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError) {}
    public func leavePage(of element: any FloatingElement) {}
    public func floatingWillStop(_ element: any FloatingElement) {}
    public func floatingDidStop(_ element: any FloatingElement, isRestored: Bool) {}
}
