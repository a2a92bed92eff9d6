public import GlissadeGeometry
public import GlissadeInput
import GlissadeTime

/// Recognizes a drag. Begins once the pointer has moved by `minimumTravel` in a direction that `axes` allows. Reports
/// the pointer's translation from the press, and its velocity.
///
/// While no button is pressed, scroll events from a wheel or touchpad can also drive the pan, by moving a simulated
/// pointer.
open class PanRecognizer: GestureRecognizer {
    /// The directions that can begin a pan. The larger component of the movement decides. A tie counts as horizontal.
    public enum Axes: Hashable, Sendable { case horizontal, vertical, any }

    /// The default value of `minimumTravel`, in points.
    public static let defaultMinimumTravel = 8.0
    /// The maximum speed reported for a wheel, in points per second. The measured speed can be too high, because a
    /// single event may cover a long distance.
    public static let maximumScrollSpeed = 3000.0

    /// The directions that can begin the pan.
    public final var axes: Axes
    /// How far the pointer must move before the pan begins, in points. If 0, the pan begins at the press and ignores
    /// `axes`.
    public final var minimumTravel = PanRecognizer.defaultMinimumTravel
    /// Whether scroll events can drive the pan.
    public final var drivenByScroll = true

    /// The pointer's translation from the press, in points. Valid until the next press.
    public final private(set) var translation = Point.zero
    /// The position of the press, in points from the layout's top-left corner. For a scroll, the pointer's position
    /// when the scroll began.
    public final private(set) var pressLocation = Point.zero
    /// Whether `GestureArbiter.resample` adjusts `translation` to the time of each frame. Set this if content on the
    /// screen follows the pointer.
    public final var isResampled = false
    private final var tracker = VelocityTracker()
    private final var resampler = PointerResampler()

    public init(axes: Axes = .any, name: String = "pan") {
        self.axes = axes
        super.init(name: name)
    }

    /// Whether scroll events drive the current gesture.
    public final var isScrolling: Bool { isDrivenNow }

    /// The pointer's mean velocity over the last 100 ms, in points per second. For a precise scroll, the velocity over
    /// the last 60 ms. For a wheel, the speed is limited to `maximumScrollSpeed`. Valid until the next press.
    public final var velocity: Point {
        guard isDrivenNow else { return tracker.velocity(at: time) }
        if isDrivenPrecisely { return tracker.velocity(at: time, over: VelocityTracker.preciseScrollWindow) }
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
        resampler.reset()
        // The duration of a scroll's first step is unknown, so the velocity does not include it.
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
        if isResampled { resampler.add(event.position, at: event.time) }
    }

    /// Adjusts `translation` of an active drag to the pointer's position at `time`, and reports the change. `velocity`,
    /// `location` and `time` remain those of the last event. Returns whether `translation` will change again even
    /// without another event.
    final func resample(at time: HostTime) -> Bool {
        guard isResampled, isActive, !isDrivenNow, let (point, isFinal) = resampler.position(at: time) else {
            return false
        }
        let resampled = Point(x: point.x - pressLocation.x, y: point.y - pressLocation.y)
        if resampled != translation {
            translation = resampled
            change()
        }
        return !isFinal
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
