public import GlissadeGeometry
public import GlissadeTime

// Dragging the fullscreen element down, or sideways. Positions are in window points, velocities in points per second.

extension FullscreenController {
    /// The largest plausible velocity along one axis, in points per second. Measured velocities are clamped to it.
    static let maximumSpeed = 20_000.0

    /// Begins a drag of the element, if the element is fullscreen or still settling after a drag. The drag takes over a
    /// settling element at its visible position. No drag can begin during other transitions, or while the element is
    /// fading out.
    ///
    /// - Parameter direction: The direction in which the drag shrinks the element.
    /// - Returns: Whether a drag has begun.
    public func beginDrag(_ direction: DragDirection = .down, now: HostTime) -> Bool {
        guard element != nil, fade == nil else { return false }
        switch mover {
        case nil:
            guard state == .fullscreen else { return false }
            mover = .drag(
                FullscreenHold(progress: 1, offset: .zero, window: bounds.size, direction: direction))
            setState(.moving)
        case .settle:
            let seen = geometry(at: now)
            // `geometry` may just have found that the item is gone.
            guard fade == nil else { return false }
            mover = .drag(
                FullscreenHold(
                    progress: seen.progress, offset: seen.frame.centre - bounds.centre, window: bounds.size,
                    direction: direction))
        case .program, .drag: return false
        }
        return isHeld
    }

    /// Sets the drag's translation since `beginDrag`, in points. The element follows at the next `advance`. An invalid
    /// translation is ignored.
    public func drag(by translation: Point, now: HostTime) {
        guard case .drag(var hold) = mover, translation.magnitude <= InlinePlace.limit else { return }
        hold.move(to: translation)
        mover = .drag(hold)
    }

    /// Ends the drag at `velocity`. The element returns to its place if its depth after coasting (see `FullscreenHold`)
    /// would be at least `NavigationStack.defaultCommitThreshold`. Otherwise, the element fills the window again.
    public func endDrag(velocity: Point, now: HostTime) {
        guard case .drag(let hold) = mover else { return }
        let velocity = Point(x: Self.speed(velocity.x), y: Self.speed(velocity.y))
        release(hold, to: hold.goesBack(velocity: velocity) ? 0 : 1, velocity: velocity, now: now)
    }

    /// Cancels the drag. The element fills the window again.
    public func cancelDrag(now: HostTime) {
        guard case .drag(let hold) = mover else { return }
        release(hold, to: 1, velocity: .zero, now: now)
    }

    private func release(_ hold: FullscreenHold, to end: Double, velocity: Point, now: HostTime) {
        mover = .settle(settle(from: hold, velocity: velocity, to: end, now: now))
        advance(to: now)
    }

    /// Returns springs that take over from the current drag or springs, and move the element to the progress `end`. Nil
    /// if neither a drag nor springs move the element.
    func settle(to end: Double, now: HostTime) -> FullscreenSettle? {
        switch mover {
        case .program, nil: return nil
        case .drag(let hold): return settle(from: hold, velocity: .zero, to: end, now: now)
        case .settle(let settle):
            let (progress, offset) = settle.position(at: now)
            return FullscreenSettle(
                from: progress, offset: offset, velocity: settle.velocity(at: now), to: end, span: span, at: now)
        }
    }

    private func settle(from hold: FullscreenHold, velocity: Point, to end: Double, now: HostTime) -> FullscreenSettle {
        let path = path()
        let (progress, centre) = hold.velocity(of: velocity)
        return FullscreenSettle(
            from: hold.progress, offset: bounds.centre + hold.centreOffset - path.centre(at: hold.progress),
            velocity: (progress, centre - path.length.scaled(by: progress)), to: end, span: span, at: now)
    }

    /// The distance over which a whole transition is assumed to move the element, in points: the longer side of the
    /// window.
    private var span: Double { max(bounds.size.width, bounds.size.height) }

    private static func speed(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -maximumSpeed), maximumSpeed) : 0
    }
}
