public import Input
public import Time

// Wheel input: vertical scrolls change the volume; horizontal ones, or those with Shift, seek. Horizontal scrolls
// arrive here only if no page took them; `wheelPan` claims those that are not for the page before the page's own pan.

extension VideoGestures {
    /// Handles a scroll that no recognizer took. With Control, Alt or Command it is ignored.
    public func receive(_ event: ScrollEvent) -> Bool {
        if isLocked { return true }
        guard event.modifiers.isDisjoint(with: [.control, .alt, .command]), event.deltaX.isFinite, event.deltaY.isFinite
        else { return false }
        var turn = wheelTurn.flatMap { $0.isOver(at: event.time) ? nil : $0 } ?? WheelTurn(now: event.time)
        turn.add(event)
        if turn.use == nil, turn.hasDirection { turn.use = use(of: turn, for: event) }
        let notches = turn.use == nil ? 0 : turn.takeNotches()
        wheelTurn = turn
        switch turn.use {
        case .volume: if notches != 0 { onVolumeWheel?(notches, event.time) }
        case .seekSideways, .seekUpright: seek(by: notches, now: event.time)
        case .nothing: return false
        case nil: break
        }
        return true
    }

    private func use(of turn: WheelTurn, for event: ScrollEvent) -> WheelTurn.Use {
        let seeks = turn.isSideways || event.modifiers.contains(.shift)
        guard allows(seeks ? .horizontalWheel : .wheel, at: event.position) else { return .nothing }
        if !seeks { return .volume }
        guard beginSeek(now: event.time) else { return .nothing }
        return turn.isSideways ? .seekSideways : .seekUpright
    }

    func beginWheelPan() -> Bool {
        let now = wheelPan.time
        soughtNotches = 0
        if allows(.horizontalWheel, at: wheelPan.pressLocation), beginSeek(now: now) { return true }
        // The scroll was refused before: if it still reaches the target, it does nothing.
        var turn = WheelTurn(now: now)
        turn.use = .nothing
        wheelTurn = turn
        return false
    }

    func wheelPanChanged() {
        guard wheelPan.isActive else { return }
        let notches = wheelPan.notches
        seek(by: notches - soughtNotches, now: wheelPan.time)
        soughtNotches = notches
    }

    // MARK: - Seeking

    /// When `advance` must be called if there is no event before.
    public var nextWake: HostTime? { seek?.end }

    /// Ends a wheel seek whose time has passed.
    public func advance(to now: HostTime) {
        if let seek, seek.end <= now { endSeek(now: now) }
    }

    /// Continues the current wheel seek, or begins one.
    ///
    /// - Returns: Whether there is something to seek in.
    private func beginSeek(now: HostTime) -> Bool {
        advance(to: now)
        if seek != nil { return true }
        guard let (position, duration) = timeline?() else { return false }
        let begun = WheelSeek(
            position: position, duration: duration, secondsPerNotch: secondsPerNotch(duration), now: now)
        seek = begun
        onSeek?(.began(begun.position), now)
        return true
    }

    private func seek(by notches: Double, now: HostTime) {
        guard seek?.turn(by: notches, now: now) == true, let seek else { return }
        onSeek?(.changed(seek.position), now)
    }

    func endSeek(now: HostTime? = nil) {
        guard let ended = seek else { return }
        seek = nil
        onSeek?(.ended(ended.position), now ?? ended.lastTurn)
    }
}
