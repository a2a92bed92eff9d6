/// The state of a floating element.
public enum FloatingState: Hashable, Sendable {
    case idle
    /// The window is being opened.
    case starting
    /// The element floats, possibly while its page is being restored.
    case active
    /// The window is being closed.
    case stopping
}

/// The reason why an element does not float.
public enum FloatingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system does not support floating windows.
    case notPossible
    /// An element already floats, is about to, or is stopping.
    case alreadyFloating
    /// The window could not be opened, for the given reason.
    case windowFailed(String)
    /// The window was closed before it had opened.
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
    /// Whether floating windows are possible.
    var canFloat: Bool { get }
    /// Opens a window for `element`. Calls `answer`, immediately or later, with success when the window is visible,
    /// or with the reason for a failure. Late and repeated answers are ignored.
    ///
    /// When the user or the window server closes the window later, the host calls `FloatingController.windowClosed`.
    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void)
    /// Closes the window or stops opening it. Not called if the window could not be opened, or was closed by the user
    /// or the window server.
    func close()
}

/// Is notified when an element starts and stops floating, and leaves and restores the element's page. Main thread.
///
/// The functions are called in this order, each at most once per start: `floatingWillStart`; `floatingDidStart` or
/// `floatingFailedToStart`; `leavePage`, if the controller's `leavesPageOnStart` is set; `restoreUserInterface`, when
/// the user wants to return; `floatingWillStop`; `floatingDidStop`.
@MainActor public protocol FloatingDelegate: AnyObject {
    /// The window is about to be opened.
    func floatingWillStart(_ element: any FloatingElement)
    /// The window is open.
    func floatingDidStart(_ element: any FloatingElement)
    /// The window could not be opened, because of `error`; nothing floats.
    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError)
    /// Pops the page that holds the element.
    func leavePage(of element: any FloatingElement)
    /// Restores the page, then calls `done` with whether that succeeded. The element floats until then.
    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void)
    /// The window is about to be closed.
    func floatingWillStop(_ element: any FloatingElement)
    /// The window is closed and nothing floats.
    ///
    /// - Parameter isRestored: Whether the element's page is restored. If not, the delegate should pause playback.
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
