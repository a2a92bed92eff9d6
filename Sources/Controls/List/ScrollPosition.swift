import Animation
import Geometry
public import Time

/// Where scrolling content is, and how it goes on by itself: after a wheel, a key, or a hand that lets go.
///
/// Pure arithmetic in points along one axis; time is told, and must not run backwards. The offset is how far the content's
/// beginning lies before the viewport's: 0 at the beginning, `limit` at the end.
///
/// - A wheel or a key names a place to glide to; a critically damped spring goes there, and a further turn of the wheel
///   moves the place without a jump in place or speed.
/// - A hand that lets go hands over its speed, which decays exponentially; the end lies `speed · decayTime` ahead.
///   Content that is thrown beyond an end is taken back from there by the same spring, with the speed it had at that end.
/// - Past the ends the content gives way to the hand ever less, and springs back when it is let go.
///
/// Each of these is solved, not stepped: a frame that comes late changes nothing about where the next one finds it.
public struct ScrollPosition: Sendable {
    /// In which time the speed of thrown content falls to 1/e, in seconds: 0.998 of it is left after each millisecond.
    public static let decayTime = 0.4995
    /// The response of the spring that glides to a place, in seconds.
    public static let glideResponse = 0.28
    /// How far content can be drawn past its end, as a share of the viewport.
    public static let rubberFraction = 0.55
    /// Thrown content that is slower than this rests, in points a second.
    public static let restingSpeed = 8.0
    /// Gliding content that is nearer to its place than this, and slow enough to rest, is there; in points.
    public static let restingDistance = 0.25
    /// The largest speed that a hand is believed to have, in points a second.
    public static let maximumSpeed = 1e6

    /// The content's length and the viewport's, in points.
    public private(set) var contentLength = 0.0
    public private(set) var viewportLength = 0.0

    private enum Mover: Sendable {
        case none
        case hand(anchor: Double, translation: Double)
        case glide(from: Double, velocity: Double, target: Double, began: HostTime)
        case decay(from: Double, velocity: Double, began: HostTime)
    }

    private var mover = Mover.none
    /// Where it was when last looked at.
    public private(set) var offset = 0.0
    /// How fast it went then by itself, in points a second.
    public private(set) var velocity = 0.0
    /// When that was.
    private var seen = HostTime(nanoseconds: 0)

    private static let spring = Spring(response: glideResponse)

    public init() {}

    /// The largest offset that rests.
    public var limit: Double { max(0, contentLength - viewportLength) }
    public var isHeld: Bool { if case .hand = mover { true } else { false } }
    /// Whether it moves by itself.
    public var isMoving: Bool {
        switch mover {
        case .none: offset != clamp(offset)
        case .hand: false
        case .glide, .decay: true
        }
    }
    /// Whether it still runs from a throw.
    public var isDecelerating: Bool { if case .decay = mover { true } else { false } }

    // MARK: - Extent

    /// The content or the viewport has another length. What rests stays within the ends; what moves or is held moves on
    /// from where it is seen.
    public mutating func setLengths(content: Double, viewport: Double) {
        contentLength = content.isFinite ? max(0, content) : 0
        viewportLength = viewport.isFinite ? max(0, viewport) : 0
        switch mover {
        case .none: offset = clamp(offset)
        case .hand(_, let translation):
            mover = .hand(anchor: unrubbered(offset) + translation, translation: translation)
        case .glide(_, _, let target, _) where target != clamp(target): glide(towards: target)
        case .glide: break
        case .decay: mover = .decay(from: offset, velocity: velocity, began: seen)
        }
    }

    // MARK: - What moves it

    /// A wheel or a key asks for `distance` points further on.
    public mutating func glide(by distance: Double, now: HostTime) {
        advance(to: now)
        glide(to: destination + distance, now: now)
    }

    /// Goes to `target`, smoothly.
    public mutating func glide(to target: Double, now: HostTime) {
        guard target.isFinite, !isHeld else { return }
        advance(to: now)
        if case .none = mover, clamp(target) == offset { return }
        glide(towards: target)
    }

    /// Is at `target`, at once.
    public mutating func jump(to target: Double) {
        guard target.isFinite else { return }
        rest(at: clamp(target))
    }

    /// Goes no further than is needed for `range` to be seen whole, or as much of it as the viewport holds.
    public mutating func reveal(_ range: ClosedRange<Double>, now: HostTime) {
        let base = destination
        if range.lowerBound < base {
            glide(to: range.lowerBound, now: now)
        } else if range.upperBound > base + viewportLength {
            glide(to: min(range.lowerBound, range.upperBound - viewportLength), now: now)
        }
    }

    /// A hand takes hold: what moves, stands.
    public mutating func beginDrag(now: HostTime) {
        advance(to: now)
        velocity = 0
        mover = .hand(anchor: unrubbered(offset), translation: 0)
    }

    /// The hand is `translation` points from where it took hold; downwards (to the right) is positive.
    public mutating func drag(translation: Double) {
        guard case .hand(let anchor, _) = mover, translation.isFinite else { return }
        mover = .hand(anchor: anchor, translation: translation)
        offset = rubbered(anchor - translation)
    }

    /// The hand lets go at `velocity` points a second.
    public mutating func endDrag(velocity: Double, now: HostTime) {
        guard isHeld else { return }
        mover = .none
        advance(to: now)
        guard !isMoving, velocity.isFinite, abs(velocity) >= Self.restingSpeed else { return }
        self.velocity = min(max(-velocity, -Self.maximumSpeed), Self.maximumSpeed)
        mover = .decay(from: offset, velocity: self.velocity, began: now)
    }

    /// What moves, stands where it is; past an end it springs back.
    public mutating func stop(now: HostTime) {
        advance(to: now)
        if isHeld { return }
        freeze()
        advance(to: now)
    }

    /// Stands where it was last seen, also where a hand held it, until it is told the time again; past an end, it then
    /// springs back.
    mutating func freeze() { rest(at: offset) }

    // MARK: - Time

    /// Moves to where it is at `now`. True where the offset changed.
    @discardableResult
    public mutating func advance(to now: HostTime) -> Bool {
        let before = offset
        seen = max(seen, now)
        switch mover {
        case .hand: return false
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

    /// After how many seconds a throw comes to an end of the content; nil if it never does.
    private func crossing(from: Double, velocity: Double) -> Double? {
        if from != clamp(from) { return 0 }
        let fraction = ((velocity > 0 ? limit : 0) - from) / (velocity * Self.decayTime)
        return fraction < 1 ? -Self.decayTime * logarithm(1 - fraction) : nil
    }

    /// Where it goes, if it goes somewhere; else where it is.
    private var destination: Double {
        if case .glide(_, _, let target, _) = mover { target } else { offset }
    }

    /// Glides from where it is seen.
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

    /// Where content is seen that a hand would have at `free`: past an end, ever less of the way.
    private func rubbered(_ free: Double) -> Double {
        let inside = clamp(free)
        let beyond = free - inside
        guard beyond != 0, viewportLength > 0 else { return inside }
        let room = viewportLength * Self.rubberFraction
        let drawn = room * (1 - 1 / (abs(beyond) / room + 1))
        return inside + (beyond < 0 ? -drawn : drawn)
    }

    /// The inverse of `rubbered`.
    private func unrubbered(_ seen: Double) -> Double {
        let inside = clamp(seen)
        let drawn = abs(seen - inside)
        let room = viewportLength * Self.rubberFraction
        guard drawn > 0, drawn < room else { return inside }
        let beyond = room * (1 / (1 - drawn / room) - 1)
        return inside + (seen < inside ? -beyond : beyond)
    }
}
