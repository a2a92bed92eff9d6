import Geometry
public import Input

/// Recognizes a pinch: two fingers that move apart or together.
///
/// Begins when the second finger goes down, and then prevents drags and presses. Does not begin if another recognizer
/// already has the gesture, so a second finger does not disturb a drag. Ends when either finger goes up. Ignores third
/// fingers and the mouse, which is pointer 0.
///
/// GLFW reports no touches. Other event sources must number fingers from 1.
public final class PinchRecognizer: GestureRecognizer {
    /// The lower limit, in points, to which the distance between the fingers is clamped. Without it, the scale would
    /// have no limit for fingers that start at the same spot.
    public static let minimumDistance = 16.0

    /// The distance between the fingers as a multiple of their distance when the second finger went down; greater
    /// than 0. Valid until the next press.
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
