import GlissadeAnimation
import GlissadeGeometry
import GlissadeTime

/// The mechanism that moves an element between its place and the whole window: an animation, a drag, or springs.
enum FullscreenDriver {
    /// An animation along a timing curve.
    case program(PercentDriver)
    case drag(FullscreenHold)
    /// The springs that take over from a drag or from earlier springs.
    case settle(FullscreenSettle)

    var isHeld: Bool {
        if case .drag = self { return true }
        return false
    }

    /// The progress at which the movement ends: 0 for the place on the page, 1 for fullscreen. Nil during a drag, which
    /// may end at either.
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

    /// How much of the movement remains: progress for an animation, seconds for springs, 1 for a drag. Compare only
    /// values of the same movement.
    func remaining(at now: HostTime) -> Double {
        switch self {
        case .program(let driver): abs(driver.progress(at: LocalTime(now)) - (end ?? 0))
        case .drag: 1
        case .settle(let settle): settle.remaining(at: now)
        }
    }
}

/// A drag of the fullscreen element. The drag shrinks the element and moves its center.
///
/// The *depth* of the drag is the distance dragged in its direction, as a fraction of `length`.
struct FullscreenHold {
    /// The length of a full drag, as a fraction of the window's height or width. After a full drag, the element is as small as
    /// in its place.
    static let travel = 0.6

    /// The pointer's depth (see `FullscreenHold`) when the drag began or the window was last resized.
    private var depth: Double
    /// The offset of the element's center from the window's center when `depth` was measured, in points.
    private var offset: Point
    /// The drag's translation when `depth` was measured, in points.
    private var origin = Point.zero
    private(set) var translation = Point.zero
    /// The length of a full drag, in points.
    private var length: Double
    private let direction: FullscreenController.DragDirection

    /// Begins a drag at the element's visible position.
    ///
    /// - Parameters:
    ///   - progress: The element's visible progress.
    ///   - offset: The offset of the element's center from the window's center, in points.
    ///   - window: The window's size, in points.
    ///   - direction: The direction in which the drag shrinks the element.
    init(progress: Double, offset: Point, window: Size, direction: FullscreenController.DragDirection) {
        depth = 1 - progress
        self.offset = offset
        self.direction = direction
        length = Self.length(direction, window)
    }

    private static func length(_ direction: FullscreenController.DragDirection, _ window: Size) -> Double {
        (direction == .down ? window.height : window.width) * travel
    }

    /// The component of `vector` in the direction of the drag.
    private func along(_ vector: Point) -> Double {
        switch direction {
        case .down: vector.y
        case .left: -vector.x
        case .right: vector.x
        }
    }

    /// Returns `vector` with another component in the direction of the drag.
    private func vector(_ vector: Point, along component: Double) -> Point {
        switch direction {
        case .down: Point(x: vector.x, y: component)
        case .left: Point(x: -component, y: vector.y)
        case .right: Point(x: component, y: vector.y)
        }
    }

    mutating func move(to translation: Point) { self.translation = translation }

    /// Adapts the length of a full drag to a new window size. The element stays where it is.
    mutating func resize(_ window: Size) {
        (depth, offset, origin) = (rawDepth, centreOffset, translation)
        length = Self.length(direction, window)
    }

    /// The pointer's depth. Negative if the pointer is before the position at which the element fills the window. The
    /// element does not follow the pointer there.
    private var rawDepth: Double { depth + (along(translation) - along(origin)) / length }
    /// The element's depth: 0 in fullscreen, 1 after a full drag, and greater if the drag goes farther.
    var drawn: Double { max(rawDepth, 0) }
    var progress: Double { max(1 - drawn, 0) }
    /// The offset of the element's center from the window's center, in points.
    var centreOffset: Point {
        let moved = Point(x: offset.x + translation.x - origin.x, y: offset.y + translation.y - origin.y)
        return vector(moved, along: along(offset) + (drawn - max(depth, 0)) * length)
    }

    /// Whether the element returns to its place if it is released at `velocity` (points per second).
    func goesBack(velocity: Point) -> Bool {
        drawn + along(velocity) * NavigationStack.coastTime / length >= NavigationStack.defaultCommitThreshold
    }

    /// The velocities of the element's progress (per second) and center (points per second) while the pointer moves at
    /// the velocity `pointer` (points per second).
    func velocity(of pointer: Point) -> (progress: Double, centre: Point) {
        let centre = rawDepth <= 0 && along(pointer) < 0 ? vector(pointer, along: 0) : pointer
        return (drawn >= 1 ? 0 : -along(centre) / length, centre)
    }
}

/// The movement of the element after a drag. Springs animate the element's progress, and the offset of its center from
/// the straight line (`FullscreenPath`).
///
/// The springs may overshoot, so that a fling continues smoothly. The visible progress is clamped to 0…1.
struct FullscreenSettle {
    /// The longest duration of the movement, in seconds.
    static let limit = FullscreenController.duration.inSeconds

    let end: Double
    private let progress: SettleAnimation
    private let x: SettleAnimation
    private let y: SettleAnimation
    private let arrival: HostTime

    /// Creates springs that start from the current progress, offset and velocities.
    ///
    /// - Parameters:
    ///   - offset: The offset of the element's center from the straight line (`FullscreenPath`), in points.
    ///   - velocity: The velocities of the progress (per second) and the offset (points per second).
    ///   - span: The distance over which the whole transition moves the element, in points. Determines when the
    ///     remaining progress is too small to see.
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

    /// Returns the element's progress and the offset of its center from the straight line (in points) at `now`. The
    /// progress may overshoot.
    func position(at now: HostTime) -> (progress: Double, offset: Point) {
        isFinished(at: now)
            ? (end, .zero) : (progress.position(at: now), Point(x: x.position(at: now), y: y.position(at: now)))
    }

    func velocity(at now: HostTime) -> (progress: Double, offset: Point) {
        isFinished(at: now)
            ? (0, .zero) : (progress.velocity(at: now), Point(x: x.velocity(at: now), y: y.velocity(at: now)))
    }

    func isFinished(at now: HostTime) -> Bool { now >= arrival }

    /// The time from `now` until the movement ends, in seconds.
    func remaining(at now: HostTime) -> Double { max((arrival - now).inSeconds, 0) }
}
