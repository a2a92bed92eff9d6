public import Geometry
public import Time

// A hand that draws the fullscreen element down. Positions and speeds are the window's points, and points a second.

extension FullscreenController {
    /// The fastest that a hand is taken to be: beyond it, what was measured is no hand.
    static let maximumSpeed = 20_000.0

    /// A hand takes hold of the element: where it is fullscreen, or goes on by itself after a hand, which is where it is
    /// seen. Not on a way that the program began, nor while it fades.
    ///
    /// - Returns: whether there is something to hold.
    public func beginDrag(now: HostTime) -> Bool {
        guard element != nil, fade == nil else { return false }
        switch mover {
        case nil:
            guard state == .fullscreen else { return false }
            mover = .hand(FullscreenHold(progress: 1, offset: .zero, height: bounds.size.height))
            setState(.moving)
        case .settle:
            let seen = figure(at: now)
            // It may just have been found that the item is gone.
            guard fade == nil else { return false }
            mover = .hand(
                FullscreenHold(
                    progress: seen.progress, offset: seen.frame.centre - bounds.centre, height: bounds.size.height))
        case .program, .hand: return false
        }
        return isHeld
    }

    /// The hand is `translation` away from where it took hold.
    public func drag(by translation: Point, now: HostTime) {
        guard case .hand(var hold) = mover, translation.magnitude <= InlinePlace.limit else { return }
        hold.move(to: translation)
        mover = .hand(hold)
    }

    /// The hand lets go at `velocity`: the element goes back to its place where it would coast beyond the threshold.
    public func endDrag(velocity: Point, now: HostTime) {
        guard case .hand(let hold) = mover else { return }
        let velocity = Point(x: Self.speed(velocity.x), y: Self.speed(velocity.y))
        release(hold, to: hold.goesBack(velocity: velocity) ? 0 : 1, velocity: velocity, now: now)
    }

    /// The hand is lost, or thinks better of it: the element fills the window again.
    public func cancelDrag(now: HostTime) {
        guard case .hand(let hold) = mover else { return }
        release(hold, to: 1, velocity: .zero, now: now)
    }

    private func release(_ hold: FullscreenHold, to end: Double, velocity: Point, now: HostTime) {
        mover = .settle(settle(from: hold, velocity: velocity, to: end, now: now))
        advance(to: now)
    }

    /// The springs that take the element to `end` from where a hand has it, or springs already do; nil where neither has.
    func settle(to end: Double, now: HostTime) -> FullscreenSettle? {
        switch mover {
        case .program, nil: return nil
        case .hand(let hold): return settle(from: hold, velocity: .zero, to: end, now: now)
        case .settle(let settle):
            let (progress, offset) = settle.position(at: now)
            return FullscreenSettle(
                from: progress, offset: offset, velocity: settle.velocity(at: now), to: end, span: span, at: now)
        }
    }

    private func settle(from hold: FullscreenHold, velocity: Point, to end: Double, now: HostTime) -> FullscreenSettle {
        let way = way()
        let (progress, centre) = hold.velocity(of: velocity)
        return FullscreenSettle(
            from: hold.progress, offset: bounds.centre + hold.centreOffset - way.centre(at: hold.progress),
            velocity: (progress, centre - way.length.scaled(by: progress)), to: end, span: span, at: now)
    }

    /// How many points the progress is at most seen as.
    private var span: Double { max(bounds.size.width, bounds.size.height) }

    private static func speed(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -maximumSpeed), maximumSpeed) : 0
    }
}
