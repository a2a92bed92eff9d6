import Animation
import Geometry
import Time

/// Moves an element between its place and the whole window.
enum FullscreenDriver {
    /// An animation.
    case program(PercentDriver)
    case drag(FullscreenHold)
    /// The springs after a drag.
    case settle(FullscreenSettle)

    var isHeld: Bool {
        if case .drag = self { return true }
        return false
    }

    /// The progress at which it ends; nil while a drag has not decided that.
    var end: Double? {
        switch self {
        case .program(let driver): driver.state == .finishing ? 1 : 0
        case .drag: nil
        case .settle(let settle): settle.end
        }
    }

    func isFinished(at now: HostTime) -> Bool {
        switch self {
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        case .drag: false
        case .settle(let settle): settle.isFinished(at: now)
        }
    }

    /// How much remains, in a private unit: only meaningful relative to an earlier value.
    func remaining(at now: HostTime) -> Double {
        switch self {
        case .program(let driver): abs(driver.progress(at: LocalTime(now)) - (end ?? 0))
        case .drag: 1
        case .settle(let settle): settle.remaining(at: now)
        }
    }
}

/// A drag of the element: how far down it is, and where its center is.
struct FullscreenHold {
    /// The fraction of the window's height by which the element is dragged until it is as small as in its place.
    static let travel = 0.6

    /// Where the drag began, as a fraction of that distance; above 1 if the element was dragged further.
    private var depth: Double
    /// The center's distance from the window's center when the drag began.
    private var offset: Point
    /// The translation when the drag began.
    private var origin = Point.zero
    private(set) var translation = Point.zero
    /// The whole distance, in points.
    private var length: Double

    /// - Parameters:
    ///   - progress: The element's visible progress.
    ///   - offset: Its center's distance from the window's, in points.
    init(progress: Double, offset: Point, height: Double) {
        depth = 1 - progress
        self.offset = offset
        length = height * Self.travel
    }

    mutating func move(to translation: Point) { self.translation = translation }

    /// Adapts the distance to a new window height; the element stays where it is.
    mutating func resize(height: Double) {
        (depth, offset, origin) = (rawDepth, centreOffset, translation)
        length = height * Self.travel
    }

    /// How far down the pointer is; below 0 above the start, where the element stays.
    private var rawDepth: Double { depth + (translation.y - origin.y) / length }
    /// How far down the element is: 0 at the start, 1 at the whole distance, more beyond.
    var drawn: Double { max(rawDepth, 0) }
    var progress: Double { max(1 - drawn, 0) }
    /// The center's distance from the window's center, in points.
    var centreOffset: Point {
        Point(
            x: offset.x + translation.x - origin.x, y: offset.y + (drawn - max(depth, 0)) * length)
    }

    /// Whether the element, released at `velocity` (points per second), would come to rest past the threshold.
    func goesBack(velocity: Point) -> Bool {
        drawn + velocity.y * NavigationStack.coastTime / length >= NavigationStack.defaultCommitThreshold
    }

    /// The velocities of progress and center at that pointer velocity, per second.
    func velocity(of pointer: Point) -> (progress: Double, centre: Point) {
        let isStopped = rawDepth <= 0 && pointer.y < 0
        let centre = Point(x: pointer.x, y: isStopped ? 0 : pointer.y)
        return (drawn >= 1 ? 0 : -centre.y / length, centre)
    }
}

/// The element after a drag: springs for its progress and for its center's offset from the straight path.
///
/// They may overshoot, so that a throw continues without a break. The visible progress is clamped to 0…1.
struct FullscreenSettle {
    /// The longest visible movement, in seconds.
    static let limit = FullscreenController.duration.inSeconds

    let end: Double
    private let progress: SettleAnimation
    private let x: SettleAnimation
    private let y: SettleAnimation
    private let arrival: HostTime

    /// - Parameters:
    ///   - offset: The center's offset from the straight path, in points.
    ///   - velocity: The velocities of both, per second.
    ///   - span: The points that the whole progress covers, to judge what is visible.
    init(
        from progress: Double, offset: Point, velocity: (progress: Double, offset: Point), to end: Double,
        span: Double, at now: HostTime
    ) {
        self.end = end
        self.progress = SettleAnimation(
            from: progress, to: end, velocity: velocity.progress, limit: Self.limit,
            tolerance: SettleAnimation.tolerance / max(span, 1), stopsAtTarget: false, at: now)
        x = SettleAnimation(
            from: offset.x, to: 0, velocity: velocity.offset.x, limit: Self.limit, stopsAtTarget: false, at: now)
        y = SettleAnimation(
            from: offset.y, to: 0, velocity: velocity.offset.y, limit: Self.limit, stopsAtTarget: false, at: now)
        let last = max(self.progress.end, x.end, y.end)
        arrival = min(last, now + FullscreenController.duration)
    }

    /// Its progress, which may overshoot, and its center's offset.
    func position(at now: HostTime) -> (progress: Double, offset: Point) {
        isFinished(at: now)
            ? (end, .zero) : (progress.position(at: now), Point(x: x.position(at: now), y: y.position(at: now)))
    }

    func velocity(at now: HostTime) -> (progress: Double, offset: Point) {
        isFinished(at: now)
            ? (0, .zero) : (progress.velocity(at: now), Point(x: x.velocity(at: now), y: y.velocity(at: now)))
    }

    func isFinished(at now: HostTime) -> Bool { now >= arrival }

    /// In seconds.
    func remaining(at now: HostTime) -> Double { max((arrival - now).inSeconds, 0) }
}
