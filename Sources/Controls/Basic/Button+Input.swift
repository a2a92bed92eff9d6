import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput
public import GlissadeLayers
public import GlissadeTime

extension Button: @MainActor GestureTarget {
    /// Connects `press` to the button: the button looks pressed while the pointer is down on it, and acts when the
    /// pointer is released on it.
    func follow(_ press: PressRecognizer) {
        press.isInside = { [weak self] in self?.contains($0, now: $1) ?? false }
        press.onPress = { [weak self] _, now in self?.setPressed(true, isUnderPointer: true, now: now) }
        press.onMove = { [weak self] point, now in
            guard let self, isPressed else { return }
            setPressed(true, isUnderPointer: contains(point, now: now), now: now)
        }
        press.onChange = { [weak self] press in self?.pressEnded(press) }
    }

    private func pressEnded(_ press: GestureRecognizer) {
        let acts = press.state == .recognized && isPressed
        setPressed(false, isUnderPointer: false, now: press.time)
        if acts { action?() }
    }

    private func contains(_ point: Point, now: HostTime) -> Bool {
        let local = layer.convert(fromLayout: point, at: LocalTime(now))
        return Rect(origin: .zero, size: layer.frame.size).contains(local)
    }
}

extension Button: HoverTarget {
    public func hover(_ point: Point?, now: HostTime) { setHovered(point != nil, now: now) }
}

extension Button: Focusable {
    public var focusLayer: Layer { layer }
    public var canFocus: Bool { isEnabled && layer.isEffectivelyVisible }
    public func setFocused(_ isFocused: Bool, now: HostTime) { focus(isFocused, now: now) }

    /// Activates the button on Enter or Space. A key repeat counts as handled, but does nothing.
    public func handle(_ key: KeyEvent) -> Bool {
        guard isEnabled, key.modifiers.isEmpty, key.key == .enter || key.key == .space else { return false }
        if !key.isRepeat { activate(now: key.time) }
        return true
    }
}
