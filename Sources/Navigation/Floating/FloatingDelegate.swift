/// The state of a floating element.
public enum FloatingState: Hashable, Sendable {
    case idle
    /// The window is being opened.
    case starting
    /// The window is open. The state remains active while the element's page is being restored.
    case active
    /// The window is being closed.
    case stopping
}

/// The reason why an element could not start floating.
public enum FloatingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Floating windows are not possible on this system, or the controller has no host.
    case notPossible
    /// The controller's state is not `.idle`: a floating window is open, opening or closing.
    case alreadyFloating
    /// The window could not be opened, for the given reason.
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

/// Provides windows for the floating elements of a controller, one at a time. Main thread.
@MainActor public protocol FloatingHost: AnyObject {
    /// Whether floating windows are possible on this system.
    var canFloat: Bool { get }
    /// Opens a window for `element`. Calls `answer` with success once the window is visible, or with an error if the
    /// window could not be opened. `answer` may be called before `open` returns. The controller ignores late and
    /// repeated answers.
    ///
    /// If the window is later closed by anything other than `close`, the host must call
    /// `FloatingController.windowClosed`.
    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void)
    /// Closes the window, or cancels its opening. Not called after a failed `open`, or after
    /// `FloatingController.windowClosed`.
    func close()
}

/// Is notified when an element starts and stops floating. Also pops the element's page once the element floats, and
/// restores the page when the element returns. Main thread.
///
/// The functions are called in this order, each at most once per start:
///
/// 1. `floatingWillStart`
/// 2. `floatingDidStart`, or `floatingFailedToStart`, which ends the sequence
/// 3. `leavePage`, if the controller's `leavesPageOnStart` is set
/// 4. `restoreUserInterface`, if the element returns to its page
/// 5. `floatingWillStop`
/// 6. `floatingDidStop`
@MainActor public protocol FloatingDelegate: AnyObject {
    /// Called when the window is about to be opened.
    func floatingWillStart(_ element: any FloatingElement)
    /// Called when the window is open.
    func floatingDidStart(_ element: any FloatingElement)
    /// Called when the element failed to start floating. The controller is idle again.
    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError)
    /// Pops the page that the element belongs to. Called after the element has started to float.
    func leavePage(of element: any FloatingElement)
    /// Restores the element's page, then calls `done` with true if the page was restored. The element floats until
    /// `done` is called. The window then closes, whether or not the page was restored.
    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void)
    /// Called when the window is about to be closed, or was closed by something other than the controller.
    func floatingWillStop(_ element: any FloatingElement)
    /// Called when the window is closed and nothing floats.
    ///
    /// - Parameter isRestored: Whether the element's page was restored. If not, the delegate should pause playback.
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
