import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeTime

/// The part of the video's gestures that remains while the video's page is moving: the presses on items.
final class ItemPressTarget: GestureTarget {
    let recognizers: [GestureRecognizer]

    init(_ recognizer: ItemPressRecognizer) { recognizers = [recognizer] }
}

/// Recognizes a press on an item over the video, such as a moving comment. It fails once the pointer has moved too far
/// for a click, so that a drag can begin on an item.
final class ItemPressRecognizer: GestureRecognizer {
    /// Called when the pointer goes down, with its position in layout points.
    var onPress: ((Point, HostTime) -> Void)?
    private var press = Point.zero

    init() { super.init(name: "item press") }

    override func pressed(_ event: PointerEvent) {
        press = event.position
        onPress?(press, event.time)
    }

    override func moved(_ event: PointerEvent) {
        let (x, y) = (event.position.x - press.x, event.position.y - press.y)
        if (x * x + y * y).squareRoot() >= TapRecognizer.defaultMaximumTravel { fail() }
    }

    override func released(_ event: PointerEvent) {
        moved(event)
        recognize()
    }
}
