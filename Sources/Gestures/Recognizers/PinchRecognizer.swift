import Geometry
public import Input

/// Recognizes a pinch: two fingers that move apart or together.
///
/// Begins when the second finger goes down, unless another recognizer already has the gesture. Ends when either finger
/// goes up. Ignores further fingers, and the mouse (pointer 0).
///
/// Event sources must number fingers from 1. GLFW reports no touches.
public final class PinchRecognizer: GestureRecognizer {
    /// The minimum distance between the fingers, in points. Shorter distances are clamped, which bounds the scale.
    public static let minimumDistance = 16.0

    /// The distance between the fingers, divided by their distance when the second finger went down. Greater than 0.
    /// Valid until the next press.
    public private(set) var scale = 1.0

    private var first = Point.zero
    private var second = Point.zero
    private var secondPointer: Int?
    private var initialDistance = PinchRecognizer.minimumDistance

    public override init(name: String = "pinch") { super.init(name: name) }

    public override var followsOtherPointers: Bool { true }

    public override func pressed(_ event: PointerEvent) {
        scale = 1
        first = event.position
        if event.pointer == 0 { fail() }
    }

    public override func moved(_ event: PointerEvent) {
        first = event.position
        measure()
    }

    public override func released(_ event: PointerEvent) {
        if isActive || request == .begin { end() } else { fail() }
    }

    public override func anotherPointer(_ event: PointerEvent) {
        switch event.phase {
        case .pressed where secondPointer == nil && event.pointer != 0:
            guard delegate?.shouldReceive(event, by: self) != false else { return }
            secondPointer = event.pointer
            second = event.position
            initialDistance = distance
            begin()
        case .moved where event.pointer == secondPointer:
            second = event.position
            measure()
        case .released where event.pointer == secondPointer: end()
        case .cancelled where event.pointer == secondPointer: cancel()
        case .pressed, .moved, .released, .cancelled, .entered, .left: break
        }
    }

    public override func reset() { secondPointer = nil }

    private var distance: Double {
        max(PanRecognizer.length(Point(x: first.x - second.x, y: first.y - second.y)), Self.minimumDistance)
    }

    private func measure() {
        guard isActive else { return }
        scale = distance / initialDistance
        change()
    }
}
