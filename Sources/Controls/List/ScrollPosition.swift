import GlissadeAnimation
import GlissadeGeometry
public import GlissadeTime

/// The position of scrolling content, and its movement after a wheel notch, a key or a released drag.
///
/// Pure arithmetic, in points along one axis. The time is passed in and must not run backwards. The offset is 0 at the
/// start of the content and `limit` at its end.
///
/// - A wheel notch or key sets a target, and a critically damped spring moves the content there. Further notches move
///   the target, without a jump in the content's position or velocity.
/// - After a drag, the content continues with the drag's velocity, which decays exponentially. The content comes to
///   rest after about another `velocity · decayTime` points. Content that passes an end on the way springs back.
/// - During a drag past an end, the content follows with increasing resistance. It springs back when released.
///
/// Each movement is computed in closed form, not step by step, so a late frame does not affect the frames after it.
public struct ScrollPosition: Sendable {
    /// The time in which the velocity after a drag falls to 1/e, in seconds. This corresponds to a factor of 0.998 per
    /// millisecond.
    public static let decayTime = 0.4995
    /// The response time of the spring that scrolls to a target, in seconds.
    public static let glideResponse = 0.28
    /// The limit on how far content can be dragged past an end, as a fraction of the viewport's length.
    public static let rubberFraction = 0.55
    /// The speed below which content comes to rest, in points per second.
    public static let restingSpeed = 8.0
    /// The distance from the target within which content comes to rest, in points. The content must also be slower than
    /// `restingSpeed`.
    public static let restingDistance = 0.25
    /// The maximum speed after a drag, in points per second.
    public static let maximumSpeed = 1e6

    /// The length of the content, in points.
    public private(set) var contentLength = 0.0
    /// The length of the visible part, in points.
    public private(set) var viewportLength = 0.0

    private enum Mover: Sendable {
        case none
        case drag(anchor: Double, translation: Double)
        case glide(from: Double, velocity: Double, target: Double, began: HostTime)
        case decay(from: Double, velocity: Double, began: HostTime)
    }

    private var mover = Mover.none
    /// The scroll offset in points, at the latest time passed in.
    public private(set) var offset = 0.0
    /// The velocity in points per second, at the latest time passed in; 0 during a drag.
    public private(set) var velocity = 0.0
    /// The latest time passed in.
    private var seen = HostTime(nanoseconds: 0)

    private static let spring = Spring(response: glideResponse)

    public init() {}

    /// The largest offset at rest, in points.
    public var limit: Double { max(0, contentLength - viewportLength) }
    /// Whether the user is dragging the content.
    public var isHeld: Bool { if case .drag = mover { true } else { false } }
    /// Whether the content is moving by itself.
    public var isMoving: Bool {
        switch mover {
        case .none: offset != clamp(offset)
        case .drag: false
        case .glide, .decay: true
        }
    }
    /// Whether the content is slowing down after a drag.
    public var isDecelerating: Bool { if case .decay = mover { true } else { false } }

    // MARK: - Extent

    /// Changes the lengths of the content and the viewport, in points. At rest, the offset is clamped to the ends. A
    /// movement or drag continues from the current offset.
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

    // MARK: - Movements

    /// Scrolls smoothly by `distance` points, for a wheel notch or key. During a smooth scroll, the distance counts
    /// from the scroll's target. Otherwise, it counts from the current offset.
    public mutating func glide(by distance: Double, now: HostTime) {
        advance(to: now)
        glide(to: destination + distance, now: now)
    }

    /// Scrolls smoothly to `target`, clamped to the ends. Ignored during a drag.
    public mutating func glide(to target: Double, now: HostTime) {
        guard target.isFinite, !isHeld else { return }
        advance(to: now)
        if case .none = mover, clamp(target) == offset { return }
        glide(towards: target)
    }

    /// Sets the offset to `target`, clamped to the ends, without animation. Stops any movement or drag.
    public mutating func jump(to target: Double) {
        guard target.isFinite else { return }
        rest(at: clamp(target))
    }

    /// Scrolls smoothly, just far enough to show `range`. If the range does not fit into the viewport, scrolls to the
    /// start of the range.
    public mutating func reveal(_ range: ClosedRange<Double>, now: HostTime) {
        let base = destination
        if range.lowerBound < base {
            glide(to: range.lowerBound, now: now)
        } else if range.upperBound > base + viewportLength {
            glide(to: min(range.lowerBound, range.upperBound - viewportLength), now: now)
        }
    }

    /// Begins a drag and stops any movement.
    public mutating func beginDrag(now: HostTime) {
        advance(to: now)
        velocity = 0
        mover = .drag(anchor: unrubbered(offset), translation: 0)
    }

    /// Moves the content to `translation` points from where the drag started. Positive values move the content down or
    /// right.
    public mutating func drag(translation: Double) {
        guard case .drag(let anchor, _) = mover, translation.isFinite else { return }
        mover = .drag(anchor: anchor, translation: translation)
        offset = rubbered(anchor - translation)
    }

    /// Ends the drag. The content continues at the pointer's `velocity`, in points per second, and slows down. Content
    /// past an end springs back instead.
    public mutating func endDrag(velocity: Double, now: HostTime) {
        guard isHeld else { return }
        mover = .none
        advance(to: now)
        guard !isMoving, velocity.isFinite, abs(velocity) >= Self.restingSpeed else { return }
        self.velocity = min(max(-velocity, -Self.maximumSpeed), Self.maximumSpeed)
        mover = .decay(from: offset, velocity: self.velocity, began: now)
    }

    /// Stops any movement. Content past an end then springs back. Ignored during a drag.
    public mutating func stop(now: HostTime) {
        advance(to: now)
        if isHeld { return }
        freeze()
        advance(to: now)
    }

    /// Stops at the current offset, and ends a drag. Content past an end springs back from the next `advance`.
    mutating func freeze() { rest(at: offset) }

    // MARK: - Time

    /// Advances to `now`. Returns whether the offset changed.
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

    /// The time in which decelerating content reaches an end, in seconds. The content starts at offset `from`, with
    /// velocity `velocity`. Nil if the content comes to rest first.
    private func crossing(from: Double, velocity: Double) -> Double? {
        if from != clamp(from) { return 0 }
        let fraction = ((velocity > 0 ? limit : 0) - from) / (velocity * Self.decayTime)
        return fraction < 1 ? -Self.decayTime * logarithm(1 - fraction) : nil
    }

    /// The target of the smooth scroll in progress; the current offset if there is none.
    private var destination: Double {
        if case .glide(_, _, let target, _) = mover { target } else { offset }
    }

    /// Starts to scroll smoothly from the current offset and velocity.
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

    /// The offset at which content is shown during a drag. `free` is the offset that the drag would reach without
    /// resistance. Past an end, the resistance increases.
    private func rubbered(_ free: Double) -> Double {
        let inside = clamp(free)
        let beyond = free - inside
        guard beyond != 0, viewportLength > 0 else { return inside }
        let reach = viewportLength * Self.rubberFraction
        let drawn = reach * (1 - 1 / (abs(beyond) / reach + 1))
        return inside + (beyond < 0 ? -drawn : drawn)
    }

    /// The inverse of `rubbered`: the offset without resistance for the shown offset `seen`.
    private func unrubbered(_ seen: Double) -> Double {
        let inside = clamp(seen)
        let drawn = abs(seen - inside)
        let reach = viewportLength * Self.rubberFraction
        guard drawn > 0, drawn < reach else { return inside }
        let beyond = reach * (1 / (1 - drawn / reach) - 1)
        return inside + (seen < inside ? -beyond : beyond)
    }
}
