import Animation
import Geometry
public import Time

/// The position of scrolling content, and its movement after a wheel, a key or a released drag.
///
/// Pure arithmetic in points along one axis; the time is passed in and must not run backwards. The offset is 0 at the
/// start of the content and `limit` at its end.
///
/// - A wheel or key sets a target; a critically damped spring moves there, and further notches move the target without
/// a jump in position or velocity.
/// - A released drag continues with its velocity, which decays exponentially; it ends `velocity · decayTime` ahead.
/// Content thrown past an end returns by the same spring, from the velocity that it had at that end.
/// - Past the ends, content follows a drag with increasing resistance and springs back when released.
///
/// Each movement is a closed-form solution, not stepped: a late frame does not change where the next one finds it.
public struct ScrollPosition: Sendable {
    /// The time in which the velocity of thrown content falls to 1/e, in seconds: 0.998 of it remains after each
    /// millisecond.
    public static let decayTime = 0.4995
    /// The response of the spring that scrolls to a target, in seconds.
    public static let glideResponse = 0.28
    /// How far content can be dragged past its end, as a fraction of the viewport.
    public static let rubberFraction = 0.55
    /// Thrown content slower than this is at rest, in points per second.
    public static let restingSpeed = 8.0
    /// Content closer than this to its target, and slow enough to rest, has arrived; in points.
    public static let restingDistance = 0.25
    /// The largest velocity of a drag that counts, in points per second.
    public static let maximumSpeed = 1e6

    /// The lengths of content and viewport, in points.
    public private(set) var contentLength = 0.0
    /// The length of the visible part.
    public private(set) var viewportLength = 0.0

    private enum Mover: Sendable {
        case none
        case drag(anchor: Double, translation: Double)
        case glide(from: Double, velocity: Double, target: Double, began: HostTime)
        case decay(from: Double, velocity: Double, began: HostTime)
    }

    private var mover = Mover.none
    /// The offset when last updated.
    public private(set) var offset = 0.0
    /// Its velocity then, unless dragged, in points per second.
    public private(set) var velocity = 0.0
    /// When that was.
    private var seen = HostTime(nanoseconds: 0)

    private static let spring = Spring(response: glideResponse)

    public init() {}

    /// The largest offset at rest.
    public var limit: Double { max(0, contentLength - viewportLength) }
    /// Whether a drag holds it.
    public var isHeld: Bool { if case .drag = mover { true } else { false } }
    /// Whether it moves by itself.
    public var isMoving: Bool {
        switch mover {
        case .none: offset != clamp(offset)
        case .drag: false
        case .glide, .decay: true
        }
    }
    /// Whether it still moves from a throw.
    public var isDecelerating: Bool { if case .decay = mover { true } else { false } }

    // MARK: - Extent

    /// Changes the lengths. At rest, the offset is clamped to the ends; a movement or drag continues from the visible
    /// position.
    public mutating func setLengths(content: Double, viewport: Double) {
        contentLength = content.isFinite ? max(0, content) : 0
        viewportLength = viewport.isFinite ? max(0, viewport) : 0
        switch mover {
        case .none: offset = clamp(offset)
        case .drag(_, let translation):
            mover = .drag(anchor: unrubbered(offset) + translation, translation: translation)
        case .glide(_, _, let target, _) where target != clamp(target): glide(towards: target)
        case .glide: break
        case .decay: mover = .decay(from: offset, velocity: velocity, began: seen)
        }
    }

    // MARK: - What moves it

    /// Scrolls `distance` points further, for a wheel or key.
    public mutating func glide(by distance: Double, now: HostTime) {
        advance(to: now)
        glide(to: destination + distance, now: now)
    }

    /// Scrolls smoothly to `target`.
    public mutating func glide(to target: Double, now: HostTime) {
        guard target.isFinite, !isHeld else { return }
        advance(to: now)
        if case .none = mover, clamp(target) == offset { return }
        glide(towards: target)
    }

    /// Sets the offset to `target` without an animation.
    public mutating func jump(to target: Double) {
        guard target.isFinite else { return }
        rest(at: clamp(target))
    }

    /// Scrolls just far enough to show `range`, or as much of it as fits.
    public mutating func reveal(_ range: ClosedRange<Double>, now: HostTime) {
        let base = destination
        if range.lowerBound < base {
            glide(to: range.lowerBound, now: now)
        } else if range.upperBound > base + viewportLength {
            glide(to: min(range.lowerBound, range.upperBound - viewportLength), now: now)
        }
    }

    /// Call when a drag begins; stops any movement.
    public mutating func beginDrag(now: HostTime) {
        advance(to: now)
        velocity = 0
        mover = .drag(anchor: unrubbered(offset), translation: 0)
    }

    /// Moves a drag to `translation` points; positive is down or right.
    public mutating func drag(translation: Double) {
        guard case .drag(let anchor, _) = mover, translation.isFinite else { return }
        mover = .drag(anchor: anchor, translation: translation)
        offset = rubbered(anchor - translation)
    }

    /// Ends the drag at `velocity`, in points per second.
    public mutating func endDrag(velocity: Double, now: HostTime) {
        guard isHeld else { return }
        mover = .none
        advance(to: now)
        guard !isMoving, velocity.isFinite, abs(velocity) >= Self.restingSpeed else { return }
        self.velocity = min(max(-velocity, -Self.maximumSpeed), Self.maximumSpeed)
        mover = .decay(from: offset, velocity: self.velocity, began: now)
    }

    /// Stops any movement; past an end, it springs back.
    public mutating func stop(now: HostTime) {
        advance(to: now)
        if isHeld { return }
        freeze()
        advance(to: now)
    }

    /// Stops at the last visible position, even during a drag; past an end, it springs back at the next update.
    mutating func freeze() { rest(at: offset) }

    // MARK: - Time

    /// Advances to `now`. True if the offset changed.
    @discardableResult
    public mutating func advance(to now: HostTime) -> Bool {
        let before = offset
        seen = max(seen, now)
        switch mover {
        case .drag: return false
        case .none: if offset != clamp(offset) { glide(towards: offset) }
        case .glide(let from, let velocity, let target, let began):
            let t = (seen - began).inSeconds
            offset = Self.spring.value(at: t, from: from, to: target, velocity: velocity)
            self.velocity = Self.spring.velocity(at: t, from: from, to: target, velocity: velocity)
            if abs(offset - target) < Self.restingDistance, abs(self.velocity) < Self.restingSpeed { rest(at: target) }
        case .decay(let from, let velocity, let began):
            let t = (seen - began).inSeconds
            if let crossing = crossing(from: from, velocity: velocity), crossing <= t {
                let end = velocity > 0 ? max(from, limit) : min(from, 0)
                mover = .glide(
                    from: end, velocity: velocity * exponential(-crossing / Self.decayTime), target: clamp(end),
                    began: began + .seconds(crossing))
                _ = advance(to: seen)
                break
            }
            let left = exponential(-t / Self.decayTime)
            offset = from + velocity * Self.decayTime * (1 - left)
            self.velocity = velocity * left
            if abs(self.velocity) < Self.restingSpeed { rest(at: offset) }
        }
        return offset != before
    }

    /// The seconds until a throw reaches an end of the content; nil if it never does.
    private func crossing(from: Double, velocity: Double) -> Double? {
        if from != clamp(from) { return 0 }
        let fraction = ((velocity > 0 ? limit : 0) - from) / (velocity * Self.decayTime)
        return fraction < 1 ? -Self.decayTime * logarithm(1 - fraction) : nil
    }

    /// The target of a movement, or the current offset.
    private var destination: Double {
        if case .glide(_, _, let target, _) = mover { target } else { offset }
    }

    /// Scrolls from the visible position.
    private mutating func glide(towards target: Double) {
        mover = .glide(from: offset, velocity: velocity, target: clamp(target), began: seen)
    }

    private mutating func rest(at place: Double) {
        mover = .none
        offset = place
        velocity = 0
    }

    // MARK: - Ends

    private func clamp(_ value: Double) -> Double { min(max(value, 0), limit) }

    /// The visible offset for a drag at `free`, which resists increasingly past an end.
    private func rubbered(_ free: Double) -> Double {
        let inside = clamp(free)
        let beyond = free - inside
        guard beyond != 0, viewportLength > 0 else { return inside }
        let reach = viewportLength * Self.rubberFraction
        let drawn = reach * (1 - 1 / (abs(beyond) / reach + 1))
        return inside + (beyond < 0 ? -drawn : drawn)
    }

    /// The inverse of `rubbered`.
    private func unrubbered(_ seen: Double) -> Double {
        let inside = clamp(seen)
        let drawn = abs(seen - inside)
        let reach = viewportLength * Self.rubberFraction
        guard drawn > 0, drawn < reach else { return inside }
        let beyond = reach * (1 / (1 - drawn / reach) - 1)
        return inside + (seen < inside ? -beyond : beyond)
    }
}
