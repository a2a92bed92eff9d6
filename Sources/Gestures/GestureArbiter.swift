public import Motion

/// Decides which recognizer gets a gesture, and hands to the elements what none takes.
public final class GestureArbiter {
    let log: ((String) -> Void)?

    /// - Parameter log: Gets one line for each change of a recognizer's state, with its time.
    public init(log: ((String) -> Void)? = nil) { self.log = log }

    /// Whether a hand holds something: a press has not been let go of, or a scroll drives a pan.
    public var isTracking: Bool { false }

    /// When `advance` has to be called, if nothing else happens before.
    public var nextDeadline: HostTime? { nil }

    /// One thing that a hand did.
    ///
    /// - Parameter path: The elements under a point, innermost first; asked once for each press or scroll.
    /// - Returns: Whether a recognizer or an element had a use for it.
    @discardableResult public func handle(
        _ event: InputEvent, path: (Point) -> [any GestureElement]
    ) -> Bool { false }

    /// Time has passed.
    public func advance(to now: HostTime) {}

    /// The window has lost the pointer, was resized or minimized: whatever is under way is cancelled.
    public func cancelAll(now: HostTime) {}

    func drop(_ recognizer: GestureRecognizer) {}
    func report(_ recognizer: GestureRecognizer, from old: GestureRecognizer.State) {}
}
