public import GlissadeGeometry
public import GlissadeInput

/// Recognizes a pinch: two fingers that move apart or together. Also tells when the two fingers move in the same
/// direction instead.
///
/// Begins when the second finger goes down, unless another recognizer already has the gesture. Ends when either finger
/// goes up. Ignores further fingers, and the mouse (pointer 0).
///
/// Event sources must number fingers from 1.
public final class PinchRecognizer: GestureRecognizer {
    /// The minimum distance between the fingers, in points. Shorter distances are clamped, which bounds the scale.
    public static let minimumDistance = 16.0

    /// The distance between the fingers, divided by their distance when the second finger went down. Greater than 0.
    /// Valid until the next press.
    public private(set) var scale = 1.0

    /// How far the point midway between the fingers has moved since the second finger went down, in points. Valid until
    /// the next press.
    public private(set) var translation = Point.zero
    /// The change of the distance between the fingers, in points. Valid until the next press.
    public var distanceChange: Double { distance - initialDistance }
    /// Whether both fingers have moved up, or both down, by at least `PanRecognizer.defaultMinimumTravel`, and by more
    /// than the distance between them has changed.
    public var isVerticalDrag: Bool {
        let (a, b) = (first.y - firstStart.y, second.y - secondStart.y)
        return a * b > 0 && min(abs(a), abs(b)) >= max(PanRecognizer.defaultMinimumTravel, abs(distanceChange))
    }

    private var first = Point.zero
    private var second = Point.zero
    private var firstStart = Point.zero
    private var secondStart = Point.zero
    private var secondPointer: Int?
    private var initialDistance = PinchRecognizer.minimumDistance

    public override init(name: String = "pinch") { super.init(name: name) }

    public override var followsOtherPointers: Bool { true }

    public override func pressed(_ event: PointerEvent) {
        scale = 1
        translation = .zero
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
            (firstStart, secondStart) = (first, second)
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
        translation = Point(
            x: (first.x - firstStart.x + second.x - secondStart.x) / 2,
            y: (first.y - firstStart.y + second.y - secondStart.y) / 2)
        change()
    }
}
