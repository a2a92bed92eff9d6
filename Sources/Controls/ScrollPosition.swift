public import Motion

/// Where scrolling content is, and how it goes on by itself: after a wheel, a key, or a hand that lets go.
///
/// Pure arithmetic in points along one axis; time is told, and must not run backwards. The offset is how far the content's
/// beginning lies before the viewport's: 0 at the beginning, `limit` at the end.
///
/// - A wheel or a key names a place to glide to; a critically damped spring goes there, and a further turn of the wheel
///   moves the place without a jump in place or speed.
/// - A hand that lets go hands over its speed, which decays exponentially; the end lies `speed · decayTime` ahead.
/// - Past the ends the content gives way to the hand ever less, and springs back when it is let go.
public struct ScrollPosition: Sendable {
    /// In which time the speed of thrown content falls to 1/e, in seconds: 0.998 of it is left after each millisecond.
    public static let decayTime = 0.4995
    /// The response of the spring that glides to a place, in seconds.
    public static let glideResponse = 0.28
    /// How far content can be drawn past its end, as a share of the viewport.
    public static let rubberShare = 0.55
    /// Thrown content that is slower than this rests, in points a second.
    public static let restingSpeed = 8.0

    /// The content's length and the viewport's, in points.
    public private(set) var contentLength = 0.0
    public private(set) var viewportLength = 0.0

    private enum Mover: Sendable {
        case none
        case hand(anchor: Double)
        case glide(from: Double, velocity: Double, target: Double, began: HostTime)
        case decay(from: Double, velocity: Double, began: HostTime)
    }

    private var mover = Mover.none
    /// Where it was when last looked at.
    public private(set) var offset = 0.0

    public init() {}

    /// The largest offset that rests.
    public var limit: Double { max(0, contentLength - viewportLength) }
    public var isHeld: Bool { if case .hand = mover { true } else { false } }
    /// Whether it moves by itself.
    public var isMoving: Bool {
        switch mover {
        case .none, .hand: false
        case .glide, .decay: true
        }
    }
    /// Whether it still runs from a throw.
    public var isDecelerating: Bool { if case .decay = mover { true } else { false } }

    // MARK: - Extent

    /// The content or the viewport has another length. What rests stays within the ends; what moves, moves on.
    public mutating func setLengths(content: Double, viewport: Double) {
        contentLength = content.isFinite ? max(0, content) : 0
        viewportLength = viewport.isFinite ? max(0, viewport) : 0
        switch mover {
        case .none: offset = clamp(offset)
        case .glide(let from, let velocity, let target, let began):
            mover = .glide(from: from, velocity: velocity, target: clamp(target), began: began)
        case .hand, .decay: break
        }
    }

    // MARK: - What moves it

    /// A wheel or a key asks for `distance` points further on.
    public mutating func glide(by distance: Double, now: HostTime) {
        guard distance.isFinite else { return }
        var base = offset
        if case .glide(_, _, let target, _) = mover { base = target }
        glide(to: base + distance, now: now)
    }

    /// Goes to `target`, smoothly.
    public mutating func glide(to target: Double, now: HostTime) {
        guard target.isFinite, !isHeld else { return }
        advance(to: now)
        mover = .glide(from: offset, velocity: velocity(at: now), target: clamp(target), began: now)
    }

    /// Is at `target`, at once.
    public mutating func jump(to target: Double) {
        guard target.isFinite else { return }
        mover = .none
        offset = clamp(target)
    }

    /// Goes no further than is needed for `range` to be seen whole, or as much of it as the viewport holds.
    public mutating func reveal(_ range: ClosedRange<Double>, now: HostTime) {
        var base = offset
        if case .glide(_, _, let target, _) = mover { base = target }
        if range.lowerBound < base {
            glide(to: range.lowerBound, now: now)
        } else if range.upperBound > base + viewportLength {
            glide(to: min(range.lowerBound, range.upperBound - viewportLength), now: now)
        }
    }

    /// A hand takes hold: what moves, stands.
    public mutating func beginDrag(now: HostTime) {
        advance(to: now)
        mover = .hand(anchor: unrubbered(offset))
    }

    /// The hand is `translation` points from where it took hold; downwards (to the right) is positive.
    public mutating func drag(translation: Double) {
        guard case .hand(let anchor) = mover, translation.isFinite else { return }
        offset = rubbered(anchor - translation)
    }

    /// The hand lets go at `velocity` points a second.
    public mutating func endDrag(velocity: Double, now: HostTime) {
        guard isHeld else { return }
        let speed = velocity.isFinite ? -velocity : 0
        if offset < 0 || offset > limit {
            mover = .glide(from: offset, velocity: 0, target: clamp(offset), began: now)
        } else {
            mover = abs(speed) < Self.restingSpeed ? .none : .decay(from: offset, velocity: speed, began: now)
        }
    }

    /// What moves, stands where it is; past an end it springs back.
    public mutating func stop(now: HostTime) {
        advance(to: now)
        mover = offset == clamp(offset) ? .none : .glide(from: offset, velocity: 0, target: clamp(offset), began: now)
    }

    // MARK: - Time

    /// Moves to where it is at `now`. True where the offset changed.
    @discardableResult
    public mutating func advance(to now: HostTime) -> Bool {
        let before = offset
        switch mover {
        case .none, .hand: return false
        case .glide(let from, let velocity, let target, let began):
            let t = max(0, (now - began).inSeconds)
            let spring = Spring(response: Self.glideResponse)
            offset = spring.value(at: t, from: from, to: target, velocity: velocity)
            let speed = spring.velocity(at: t, from: from, to: target, velocity: velocity)
            if abs(offset - target) < 0.25, abs(speed) < Self.restingSpeed {
                offset = target
                mover = .none
            }
        case .decay(let from, let velocity, let began):
            let t = max(0, (now - began).inSeconds)
            let left = exponential(-t / Self.decayTime)
            offset = from + velocity * Self.decayTime * (1 - left)
            let speed = velocity * left
            if offset < 0 || offset > limit {
                mover = .glide(from: offset, velocity: speed, target: clamp(offset), began: now)
            } else if abs(speed) < Self.restingSpeed {
                mover = .none
            }
        }
        return offset != before
    }

    private func velocity(at now: HostTime) -> Double {
        switch mover {
        case .none, .hand: return 0
        case .glide(let from, let velocity, let target, let began):
            return Spring(response: Self.glideResponse)
                .velocity(at: max(0, (now - began).inSeconds), from: from, to: target, velocity: velocity)
        case .decay(_, let velocity, let began):
            return velocity * exponential(-max(0, (now - began).inSeconds) / Self.decayTime)
        }
    }

    // MARK: - Ends

    private func clamp(_ value: Double) -> Double { min(max(value, 0), limit) }

    /// Where content is seen that a hand would have at `free`: past an end, ever less of the way.
    private func rubbered(_ free: Double) -> Double {
        let inside = clamp(free)
        let beyond = free - inside
        guard beyond != 0, viewportLength > 0 else { return inside }
        let room = viewportLength * Self.rubberShare
        let drawn = room * (1 - 1 / (abs(beyond) / room + 1))
        return inside + (beyond < 0 ? -drawn : drawn)
    }

    /// The inverse of `rubbered`.
    private func unrubbered(_ seen: Double) -> Double {
        let inside = clamp(seen)
        let drawn = abs(seen - inside)
        let room = viewportLength * Self.rubberShare
        guard drawn > 0, drawn < room else { return inside }
        let beyond = room * (1 / (1 - drawn / room) - 1)
        return inside + (seen < inside ? -beyond : beyond)
    }
}

/// e to the power of `x`, from the standard library's own arithmetic: this module links no C library of its own.
private func exponential(_ x: Double) -> Double {
    // Halved until it is small, then a series, then squared back: exact to the last few bits for the x at hand.
    if x.isNaN { return 0 }
    if x < -700 { return 0 }
    var halvings = 0
    var small = x
    while abs(small) > 0.5 {
        small /= 2
        halvings += 1
    }
    var (sum, term) = (1.0, 1.0)
    for n in 1...14 {
        term *= small / Double(n)
        sum += term
    }
    for _ in 0..<halvings { sum *= sum }
    return sum
}
