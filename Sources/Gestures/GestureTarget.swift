public import GlissadeInput

/// An element on the screen, such as a page, a row or a slider, that can have gesture recognizers.
///
/// The arbiter holds its targets weakly. If a target is deallocated during a gesture, its recognizers leave the
/// gesture.
public protocol GestureTarget: AnyObject {
    /// The recognizers that see presses within this target, highest priority first. Read for every event, so return the
    /// same objects each time.
    var recognizers: [GestureRecognizer] { get }

    /// Whether drags that start in this target never move the page. True for a seekable progress bar, for example.
    var excludesPagePan: Bool { get }

    /// The target that receives presses in this target's place while its page is moving by itself, such as a page that
    /// springs back. Such a press also takes the page over. If this is nil, the press only takes the page over. Read
    /// for the innermost target under a press.
    var targetOnMovingPage: (any GestureTarget)? { get }

    /// Receives a press and the events that follow it, unless a recognizer takes them. Called only for the innermost
    /// target. A delivered press is always followed by a release or a cancel.
    func receive(_ event: PointerEvent)

    /// Receives a scroll event that no recognizer has taken.
    ///
    /// - Returns: Whether the target used the event. If not, the next outer target gets it.
    func receive(_ event: ScrollEvent) -> Bool
}

extension GestureTarget {
    public var excludesPagePan: Bool { false }
    public var targetOnMovingPage: (any GestureTarget)? { nil }
    public func receive(_ event: PointerEvent) {}
    public func receive(_ event: ScrollEvent) -> Bool { false }
}
