public import GlissadeInput
public import GlissadeTime

// Wheel input. Vertical scrolls change the volume; horizontal scrolls, and vertical ones with Shift, seek.
//
// `receive` gets only the scrolls that no recognizer has taken. `wheelPan` takes the horizontal scrolls that are meant
// for seeking, ahead of the page's own pan.

extension VideoGestures {
    /// Handles a scroll that no recognizer has taken. While the video is locked, consumes every scroll without effect.
    /// Otherwise, ignores scrolls with Control, Alt or Command.
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
        // If the refused scroll still reaches `receive`, it must not be used there either.
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

    /// When `advance` must be called to end the wheel seek; nil if no wheel seek is in progress.
    public var nextWake: HostTime? { seek?.end }

    /// Ends the wheel seek if no scroll has arrived for `WheelSeek.pause`.
    public func advance(to now: HostTime) {
        if let seek, seek.end <= now { endSeek(now: now) }
    }

    /// Begins a wheel seek, unless one is already in progress.
    ///
    /// - Returns: False if `timeline` provides no position to start from.
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
