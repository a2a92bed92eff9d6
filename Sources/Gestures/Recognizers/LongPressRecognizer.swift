import GlissadeGeometry
public import GlissadeInput
public import GlissadeTime

/// Recognizes a long press. Begins when the pointer has stayed down in one place for `minimumDuration`, and ends when
/// the pointer goes up.
public final class LongPressRecognizer: GestureRecognizer {
    /// The default value of `minimumDuration`.
    public static let defaultMinimumDuration = Duration.milliseconds(500)

    /// How long the pointer must be down before the gesture begins.
    public var minimumDuration = LongPressRecognizer.defaultMinimumDuration
    /// The distance from the press, in points, at which the recognizer fails if the gesture has not begun.
    public var maximumTravel = PanRecognizer.defaultMinimumTravel

    private var press = Point.zero
    private var limit: HostTime?

    public override init(name: String = "long press") { super.init(name: name) }

    public override func pressed(_ event: PointerEvent) {
        press = event.position
        limit = event.time + minimumDuration
    }

    public override func moved(_ event: PointerEvent) {
        if isActive {
            change()
        } else if PanRecognizer.length(Point(x: event.position.x - press.x, y: event.position.y - press.y))
            >= maximumTravel
        {
            fail()
        }
    }

    public override func released(_ event: PointerEvent) {
        if isActive || request == .begin { end() } else { fail() }
    }

    public override var deadline: HostTime? { request == nil && isDeciding ? limit : nil }

    public override func advance(to now: HostTime) { begin() }

    public override func reset() { limit = nil }
}
