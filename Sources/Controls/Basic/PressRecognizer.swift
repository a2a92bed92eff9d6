public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput
public import GlissadeTime

/// Recognizes a press that is released on the same element, such as a button or row.
///
/// `onPress` is called as soon as the pointer goes down, so that the element can look pressed immediately. A press on a
/// button does not also count as a click on the element beneath, because the innermost recognizer takes precedence.
public final class PressRecognizer: GestureRecognizer {
    /// Called when the pointer goes down, with its position in layout points.
    public var onPress: ((Point, HostTime) -> Void)?
    /// Called when the pointer moves, with its position in layout points. No longer called once the press has failed or
    /// another recognizer has taken the gesture.
    public var onMove: ((Point, HostTime) -> Void)?
    /// Returns whether a release at this position, in layout points, is on the pressed element. If `isInside` is nil,
    /// no press is recognized.
    public var isInside: ((Point, HostTime) -> Bool)?

    /// How far the pointer may move from the position of the press, in points. If it moves farther, the press fails,
    /// even if the pointer returns.
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
