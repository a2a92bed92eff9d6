public import Input

/// An element on the screen, such as a page, a row or a slider, that can have gesture recognizers.
///
/// The arbiter holds its targets weakly. If a target is released during a gesture, its recognizers leave the gesture.
public protocol GestureTarget: AnyObject {
    /// The recognizers that see presses within this target, highest priority first. Read for every event, so return a
    /// stored array of the same objects.
    var recognizers: [GestureRecognizer] { get }

    /// Whether drags that start here never move the page. True for a progress bar that can be dragged, for example.
    var excludesPagePan: Bool { get }

    /// Receives a press and the events that follow it, unless a recognizer takes them. Only the innermost target gets
    /// them. A delivered press is always followed by a release or a cancel.
    func receive(_ event: PointerEvent)

    /// Receives a scroll event that no recognizer has taken.
    ///
    /// - Returns: Whether the target used the event. If not, the next outer target gets it.
    func receive(_ event: ScrollEvent) -> Bool
}

extension GestureTarget {
    public var excludesPagePan: Bool { false }
    public func receive(_ event: PointerEvent) {}
    public func receive(_ event: ScrollEvent) -> Bool { false }
}
