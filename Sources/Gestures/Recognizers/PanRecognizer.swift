public import Geometry
public import Input

/// A drag. It begins after `minimumTravel`, counts its translation from the press, and tells the hand's velocity.
///
/// Scroll events drive it as well, where nothing is pressed: two fingers on a touchpad, a wheel that tilts.
open class PanRecognizer: GestureRecognizer {
    /// The motions that can begin a pan, by the larger share of the travel; where both are the same it is horizontal.
    public enum Axes: Hashable, Sendable { case horizontal, vertical, any }

    /// The travel at which a drag is told from a press that is not quite still, in points.
    public static let defaultMinimumTravel = 8.0
    /// The most that the end of a scroll may hand over, in points per second: what drives it says nothing about when the
    /// fingers were lifted, and one event may stand for a long way.
    public static let maximumScrollSpeed = 3000.0

    public final var axes: Axes
    /// How far the pointer has to go, in points; 0 begins with the press, in whatever direction it goes on.
    public final var minimumTravel = PanRecognizer.defaultMinimumTravel
    /// Whether scroll events move it.
    public final var drivenByScroll = true

    /// How far the pointer is from where it was pressed.
    public final private(set) var translation = Point.zero
    /// The place of the press.
    public final private(set) var pressLocation = Point.zero
    private final var tracker = VelocityTracker()

    public init(axes: Axes = .any, name: String = "pan") {
        self.axes = axes
        super.init(name: name)
    }

    /// Whether the present gesture is made of scroll events.
    public final var isScrolling: Bool { isDrivenNow }

    /// The hand's velocity in the 100 ms before its last event, in points per second; of limited size for a scroll, whose
    /// end is no event. Like the translation, it can be read until the next press.
    public final var velocity: Point {
        guard isDrivenNow else { return tracker.velocity(at: time) }
        let velocity = tracker.velocity()
        let speed = Self.length(velocity)
        guard speed > Self.maximumScrollSpeed else { return velocity }
        let fraction = Self.maximumScrollSpeed / speed
        return Point(x: velocity.x * fraction, y: velocity.y * fraction)
    }

    public override var followsScroll: Bool { drivenByScroll }

    open override func pressed(_ event: PointerEvent) {
        pressLocation = event.position
        translation = .zero
        tracker.reset()
        // How long the first step of a scroll took, nobody knows.
        if !isDrivenNow { tracker.add(event.position, at: event.time) }
        if minimumTravel <= 0 { begin() }
    }

    open override func moved(_ event: PointerEvent) {
        follow(event)
        if isActive {
            change()
        } else if isDeciding, request == nil, Self.length(translation) >= minimumTravel {
            if isAlongAxes { begin() } else { fail() }
        }
    }

    open override func released(_ event: PointerEvent) {
        if !isDrivenNow { moved(event) }
        if isActive || request == .begin { end() } else { fail() }
    }

    private func follow(_ event: PointerEvent) {
        translation = Point(x: event.position.x - pressLocation.x, y: event.position.y - pressLocation.y)
        tracker.add(event.position, at: event.time)
    }

    private var isAlongAxes: Bool {
        let isHorizontal = abs(translation.x) >= abs(translation.y)
        return switch axes {
        case .any: true
        case .horizontal: isHorizontal
        case .vertical: !isHorizontal
        }
    }

    static func length(_ vector: Point) -> Double { (vector.x * vector.x + vector.y * vector.y).squareRoot() }
}
