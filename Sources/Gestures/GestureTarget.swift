public import Input

/// An element on the screen that can have recognizers: a page, a row, a bar.
///
/// The arbiter holds its targets weakly. If a target goes away during a gesture, its recognizers leave the gesture.
public protocol GestureTarget: AnyObject {
    /// The recognizers that see presses within this target, in order of priority. Read for every event, so return a
    /// stored array of the same objects.
    var recognizers: [GestureRecognizer] { get }

    /// Whether drags that start here never move the page, as on a progress bar.
    var excludesPagePan: Bool { get }

    /// Delivers a press and the events that follow, unless a recognizer takes them. Every press ends with a release or
    /// a cancel.
    func receive(_ event: PointerEvent)

    /// Delivers a scroll that no recognizer took.
    ///
    /// - Returns: Whether the target used it; if not, the next outer target gets it.
    func receive(_ event: ScrollEvent) -> Bool
}

extension GestureTarget {
    public var excludesPagePan: Bool { false }
    public func receive(_ event: PointerEvent) {}
    public func receive(_ event: ScrollEvent) -> Bool { false }
}
