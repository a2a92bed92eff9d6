public import Gestures
public import Motion

/// A press that ends where it began: on a button, on a row.
///
/// Events reach an element only when no recognizer is deciding any more, which for a press within a page is when it is
/// over. So what is to look pressed while it is pressed needs a recognizer of its own. It is also what keeps a click on a
/// button from being one on what the button lies on: the innermost recognizer goes first.
public final class PressRecognizer: GestureRecognizer {
    /// The pointer went down: where, and when.
    public var onPress: ((Point, HostTime) -> Void)?
    /// It moved, and nobody else has taken the gesture.
    public var onMove: ((Point, HostTime) -> Void)?
    /// Whether a release there is one on what was pressed.
    public var isInside: ((Point, HostTime) -> Bool)?

    public init() { super.init(name: "press") }

    public override func pressed(_ event: PointerEvent) { onPress?(location, time) }
    public override func moved(_ event: PointerEvent) { onMove?(location, time) }

    public override func hasBegun(_ other: GestureRecognizer) { fail() }

    public override func released(_ event: PointerEvent) {
        if isInside?(location, time) == true { recognize() } else { fail() }
    }
}
