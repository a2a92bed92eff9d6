public import Input

/// Something on the screen that recognizers hang on: a page, a row, a bar.
///
/// The arbiter keeps no element alive: one that goes in the middle of a gesture takes its recognizers out of it.
public protocol GestureTarget: AnyObject {
    /// Those that get a say in a press within the element, the first of them first; the same objects each time. Looked
    /// at with every event: best a stored array.
    var recognizers: [GestureRecognizer] { get }

    /// Whether a drag that begins here is never a page's: a progress bar is such a blind area of the pop pan.
    var excludesPagePan: Bool { get }

    /// A press and what follows it, as far as no recognizer took it. What was pressed is always released or cancelled.
    func receive(_ event: PointerEvent)

    /// A scroll that no recognizer took.
    ///
    /// - Returns: Whether the element took it; if not, it goes to the next one outwards.
    func receive(_ event: ScrollEvent) -> Bool
}

extension GestureTarget {
    public var excludesPagePan: Bool { false }
    public func receive(_ event: PointerEvent) {}
    public func receive(_ event: ScrollEvent) -> Bool { false }
}
