import GlissadeGeometry
public import GlissadeInput
public import GlissadeTime

/// Recognizes a click or double click: presses and releases in the same place within a short time.
public final class TapRecognizer: GestureRecognizer {
    /// The default value of `maximumDuration`.
    public static let defaultMaximumDuration = Duration.milliseconds(300)
    /// The default value of `maximumTravel`, in points.
    public static let defaultMaximumTravel = 8.0
    /// The default value of `maximumDistance`, in points.
    public static let defaultMaximumDistance = 24.0

    /// The number of taps required: 1 or 2.
    public let count: Int
    /// The maximum duration of a tap, and the maximum pause between the taps of a double tap.
    public var maximumDuration = TapRecognizer.defaultMaximumDuration
    /// The distance from the press, in points, at which the recognizer fails.
    public var maximumTravel = TapRecognizer.defaultMaximumTravel
    /// The maximum distance between the presses of a double tap, in points.
    public var maximumDistance = TapRecognizer.defaultMaximumDistance

    private var taps = 0
    private var isDown = false
    private var first = Point.zero
    private var press = Point.zero
    private var limit: HostTime?

    /// Creates a recognizer for taps or double taps.
    ///
    /// - Parameter count: The number of taps required: 1 or 2. Other values are clamped.
    public init(count: Int = 1, name: String? = nil) {
        self.count = min(max(count, 1), 2)
        super.init(name: name ?? (self.count > 1 ? "double tap" : "tap"))
    }

    public override func pressed(_ event: PointerEvent) {
        if taps == 0 { first = event.position }
        press = event.position
        isDown = true
        limit = event.time + maximumDuration
    }

    public override func moved(_ event: PointerEvent) {
        if distance(event.position, press) >= maximumTravel { fail() }
    }

    public override func released(_ event: PointerEvent) {
        isDown = false
        moved(event)
        guard isDeciding else { return }
        taps += 1
        limit = event.time + maximumDuration
        if taps >= count {
            limit = nil
            recognize()
        }
    }

    public override func continues(with press: PointerEvent) -> Bool {
        !isDown && distance(press.position, first) <= maximumDistance
    }

    public override var deadline: HostTime? { request == nil ? limit : nil }

    public override func advance(to now: HostTime) { fail() }

    /// Whether this tap prevents `other` from beginning. A single tap does not prevent a double tap, because it may be
    /// the first half of one.
    public override func prevents(_ other: GestureRecognizer) -> Bool {
        guard let tap = other as? TapRecognizer else { return true }
        return tap.count <= count
    }

    public override func reset() {
        taps = 0
        isDown = false
        limit = nil
    }

    private func distance(_ a: Point, _ b: Point) -> Double { PanRecognizer.length(Point(x: a.x - b.x, y: a.y - b.y)) }
}
