import Geometry
public import Input

/// Two fingers that move apart or together.
///
/// It begins when the second finger goes down, unless another recognizer has the gesture by then: who drags something is
/// not disturbed by a second finger, and who has put two down means neither a drag nor a press. It ends when either goes
/// up. A third is ignored; and the mouse, pointer 0, is no finger.
///
/// GLFW reports no fingers; a program with another source of events numbers them from 1.
public final class PinchRecognizer: GestureRecognizer {
    /// Fingers that are closer than this count as so far apart, in points: between two on one spot every move would be
    /// without measure.
    public static let minimumDistance = 16.0

    /// The fingers' distance as a share of what it was when both were down; more than 0. It can be read until the next
    /// press.
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
