public import Gestures
public import Motion
public import Stage

extension Button: @MainActor GestureElement {
    public var recognizers: [GestureRecognizer] { [] }

    public func receive(_ event: PointerEvent) {
        let now = event.time
        switch event.phase {
        case .pressed:
            let isPrimary = event.button == .primary
            setPressed(isPrimary, isUnderHand: isPrimary, now: now)
        case .released:
            let isOn = isPressed && contains(event.position, now: now)
            setPressed(false, isUnderHand: false, now: now)
            if isOn { action?() }
        case .moved:
            if isPressed { setPressed(true, isUnderHand: contains(event.position, now: now), now: now) }
        case .cancelled: setPressed(false, isUnderHand: false, now: now)
        case .entered, .left: break
        }
    }

    private func contains(_ point: Point, now: HostTime) -> Bool {
        let local = layer.convert(fromWindow: point, at: LocalTime(now))
        return Rect(origin: .zero, size: layer.frame.size).contains(local)
    }
}

extension Button: Hovering {
    public func hover(_ point: Point?, now: HostTime) { setHovered(point != nil, now: now) }
}

extension Button: Focusable {
    public var focusLayer: Layer { layer }
    public var canFocus: Bool { isEnabled && layer.isToBeSeen }
    public func setFocused(_ isFocused: Bool, now: HostTime) { focus(isFocused, now: now) }

    /// Enter and Space press it, once however long they are held.
    public func handle(_ key: KeyEvent) -> Bool {
        guard isEnabled, key.modifiers.isEmpty, key.key == .enter || key.key == .space else { return false }
        if !key.isRepeat { activate(now: key.time) }
        return true
    }
}
