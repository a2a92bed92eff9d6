/// The state of a floating element.
public enum FloatingState: Hashable, Sendable {
    case idle
    /// The window is being opened.
    case starting
    /// It floats, possibly while its page is being restored.
    case active
    /// The window is being closed.
    case stopping
}

/// The reason why an element does not float.
public enum FloatingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system does not support such windows.
    case notPossible
    /// Something already floats or is about to.
    case alreadyFloating
    /// The window could not be opened, with the reason.
    case windowFailed(String)
    /// The window was closed before it was open.
    case closedTooSoon

    public var description: String {
        switch self {
        case .notPossible: "floating windows are not possible here"
        case .alreadyFloating: "a floating window is already open"
        case .windowFailed(let reason): "the floating window could not be opened: \(reason)"
        case .closedTooSoon: "the floating window was closed before it opened"
        }
    }
}

/// Provides windows for floating elements, one at a time. Main thread.
@MainActor public protocol FloatingHost: AnyObject {
    /// Whether such windows are possible.
    var canFloat: Bool { get }
    /// Opens a window for the element. Calls `answer` when it is visible, or with the reason for a failure, immediately
    /// or later. Late and repeated answers are ignored. If the window is later closed by the user or the server, call
    /// `FloatingController.windowClosed`.
    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void)
    /// Closes the window or stops opening it. Not called for a window that was closed by the user or the server, or
    /// could not be opened.
    func close()
}

/// The owner of the floating element. The functions are called in this order, each once: `willStart`; `didStart` or
/// `failedToStart`; after `didStart`, `leavePage` if so configured; `restoreUserInterface` when the user wants to
/// return; `willStop`; `didStop`. Main thread.
@MainActor public protocol FloatingDelegate: AnyObject {
    /// The window is about to be opened.
    func floatingWillStart(_ element: any FloatingElement)
    /// The window is open.
    func floatingDidStart(_ element: any FloatingElement)
    /// The window could not be opened, because of `error`; nothing floats.
    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError)
    /// Called to pop the page that holds the element.
    func leavePage(of element: any FloatingElement)
    /// Restores the page and then calls `done` with whether that succeeded. The element keeps floating until then.
    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void)
    /// The window is about to be closed.
    func floatingWillStop(_ element: any FloatingElement)
    /// - Parameter isRestored: Whether its page is back; if not, playback pauses.
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
