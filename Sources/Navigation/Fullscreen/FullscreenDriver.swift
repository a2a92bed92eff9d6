import Animation
import Geometry
import Time

/// What moves an element between its place and the whole window.
enum FullscreenDriver {
    /// Nothing but time.
    case program(PercentDriver)
    case hand(FullscreenHold)
    /// The springs after the hand.
    case settle(FullscreenSettle)

    var isHeld: Bool {
        if case .hand = self { return true }
        return false
    }

    /// The progress at which it ends; nil where a hand has not decided it yet.
    var end: Double? {
        switch self {
        case .program(let driver): driver.state == .finishing ? 1 : 0
        case .hand: nil
        case .settle(let settle): settle.end
        }
    }

    func isFinished(at now: HostTime) -> Bool {
        switch self {
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        case .hand: false
        case .settle(let settle): settle.isFinished(at: now)
        }
    }

    /// What is left, in a unit of its own: only of use as a share of what was left before.
    func remaining(at now: HostTime) -> Double {
        switch self {
        case .program(let driver): abs(driver.progress(at: LocalTime(now)) - (end ?? 0))
        case .hand: 1
        case .settle(let settle): settle.remaining(at: now)
        }
    }
}

/// A hand on the element: how far it has drawn it down, and where the element's centre is for that.
struct FullscreenHold {
    /// The share of the window's height that a hand draws the element down to make it as small as at its place.
    static let travel = 0.6

    /// Where the hand took hold: how far down that was on the whole way; beyond 1 where it was drawn further.
    private var depth: Double
    /// The centre's distance from that of the window, where the hand took hold.
    private var offset: Point
    /// The translation at which it took hold.
    private var origin = Point.zero
    private(set) var translation = Point.zero
    /// How many points down the whole way is.
    private var length: Double

    /// - Parameters:
    ///   - progress: at which the element is seen.
    ///   - offset: its centre's distance from that of the window, in points.
    init(progress: Double, offset: Point, height: Double) {
        depth = 1 - progress
        self.offset = offset
        length = height * Self.travel
    }

    mutating func move(to translation: Point) { self.translation = translation }

    /// The window has another height: from now on so much of it is the way, and the element stays where it is.
    mutating func resize(height: Double) {
        (depth, offset, origin) = (rawDepth, centreOffset, translation)
        length = height * Self.travel
    }

    /// How far down the hand is; below 0 where it is above the top, where the element stays.
    private var rawDepth: Double { depth + (translation.y - origin.y) / length }
    /// How far down the element is drawn: 0 at the top, 1 the whole way, and more beyond.
    var drawn: Double { max(rawDepth, 0) }
    var progress: Double { max(1 - drawn, 0) }
    /// The centre's distance from that of the window, in points.
    var centreOffset: Point {
        Point(
            x: offset.x + translation.x - origin.x, y: offset.y + (drawn - max(depth, 0)) * length)
    }

    /// Whether the element, let go at `velocity` (points a second), would come to rest beyond the threshold.
    func goesBack(velocity: Point) -> Bool {
        drawn + velocity.y * NavigationStack.coastTime / length >= NavigationStack.defaultCommitThreshold
    }

    /// How fast the element moves under a hand of that speed: its progress, and its centre, each a second.
    func velocity(of hand: Point) -> (progress: Double, centre: Point) {
        let isStopped = rawDepth <= 0 && hand.y < 0
        let centre = Point(x: hand.x, y: isStopped ? 0 : hand.y)
        return (drawn >= 1 ? 0 : -centre.y / length, centre)
    }
}

/// The element after the hand: springs for its progress and for its centre's offset from the straight way.
///
/// They may swing past their ends and come back, so that a throw goes on without a break; what is seen of the progress
/// is held to 0…1.
struct FullscreenSettle {
    /// The longest that it may be seen to move, in seconds.
    static let limit = FullscreenController.duration.inSeconds

    let end: Double
    private let progress: SettleAnimation
    private let x: SettleAnimation
    private let y: SettleAnimation
    private let arrival: HostTime

    /// - Parameters:
    ///   - offset: of the centre from the straight way, in points.
    ///   - velocity: a second, of both.
    ///   - span: how many points are the whole of the progress, for what nobody can see of it.
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

    /// Where it is: its progress, which may be beyond its ends, and its centre's offset.
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
