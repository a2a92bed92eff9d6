public import Geometry
public import Gestures
public import Input
public import Time

/// A press that ends where it began: on a button, on a row.
///
/// A target receives events only once no recognizer is still deciding, which within a page is after the press. So an
/// element that looks pressed during the press needs its own recognizer. The recognizer also keeps a click on a button
/// from counting as a click on the element beneath: the innermost recognizer comes first.
public final class PressRecognizer: GestureRecognizer {
    /// The pointer went down: position and time.
    public var onPress: ((Point, HostTime) -> Void)?
    /// The pointer moved, and nothing else has taken the gesture.
    public var onMove: ((Point, HostTime) -> Void)?
    /// Whether a release at this point is on the pressed element.
    public var isInside: ((Point, HostTime) -> Bool)?

    /// Beyond this distance from the press it is a drag, wherever it ends; in points.
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
