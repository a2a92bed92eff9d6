public import Geometry
public import Gestures
public import Input
public import Time

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

    /// Beyond this from where it was pressed it is a drag, wherever it ends; in points.
    public var maximumTravel = Double.infinity
    private var start = Point.zero

    public init() { super.init(name: "press") }

    public override func pressed(_ event: PointerEvent) {
        start = event.position
        onPress?(location, time)
    }

    public override func moved(_ event: PointerEvent) {
        let (x, y) = (event.position.x - start.x, event.position.y - start.y)
        if x * x + y * y > maximumTravel * maximumTravel { return fail() }
        onMove?(location, time)
    }

    public override func hasBegun(_ other: GestureRecognizer) { fail() }

    public override func released(_ event: PointerEvent) {
        if isInside?(location, time) == true { recognize() } else { fail() }
    }
}
