public import Gestures
public import Motion
import Stage

extension Button: @MainActor GestureElement {
    public var recognizers: [GestureRecognizer] { [] }

    public func receive(_ event: PointerEvent) {
        switch event.phase {
        case .pressed: setPressed(event.button == .primary)
        case .released:
            let isOn = isPressed && contains(event.position, now: event.time)
            setPressed(false)
            if isOn { action?() }
        case .moved: break
        case .cancelled: setPressed(false)
        case .entered, .left: break
        }
    }

    private func contains(_ point: Point, now: HostTime) -> Bool {
        let local = layer.convert(fromWindow: point, at: LocalTime(now))
        return Rect(origin: .zero, size: layer.frame.size).contains(local)
    }
}

extension Button: Hovering {
    public func hover(_ point: Point?, now: HostTime) { setHovered(point != nil) }
}
