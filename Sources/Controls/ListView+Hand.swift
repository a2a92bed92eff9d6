public import Gestures
public import Motion
import Stage

// The list under a hand: a vertical drag scrolls it, a click activates a row, the wheel and the pointer's place are
// followed.

extension ListView: @MainActor GestureElement {
    public var recognizers: [GestureRecognizer] { [scrollPan] }

    public func receive(_ event: PointerEvent) {
        switch event.phase {
        case .pressed: press(event.button == .primary ? row(atWindow: event.position, now: event.time) : nil)
        case .released:
            let released = row(atWindow: event.position, now: event.time)
            if let pressed, pressed == released { source?.activate(pressed, now: event.time) }
            press(nil)
        case .cancelled: press(nil)
        case .moved, .entered, .left: break
        }
    }

    public func receive(_ event: ScrollEvent) -> Bool {
        guard isScrollEnabled, event.deltaY != 0 else { return false }
        wheel(event.deltaY, now: event.time)
        return true
    }

    func scrollPanChanged() {
        let now = scrollPan.time
        switch scrollPan.state {
        case .began:
            beginDrag(now: now)
            drag(translation: scrollPan.translation.y, now: now)
        case .changed: drag(translation: scrollPan.translation.y, now: now)
        case .ended: endDrag(velocity: scrollPan.velocity.y, now: now)
        case .cancelled: endDrag(velocity: 0, now: now)
        case .possible, .recognized, .failed: break
        }
    }

    private func row(atWindow point: Point, now: HostTime) -> Int? {
        row(at: layer.convert(fromWindow: point, at: LocalTime(now)))
    }
}

extension ListView: Hovering {
    public func hover(_ point: Point?, now: HostTime) {
        setHovered(point.flatMap { row(atWindow: $0, now: now) })
    }
}

extension ListView: @MainActor ScrollContainer {
    public var axis: PanRecognizer.Axes { .vertical }
    public var isAtLeftEnd: Bool { true }
    public var isDecelerating: Bool { scroll.isDecelerating }
    public var contentOffset: Point {
        get { Point(x: 0, y: scroll.offset) }
        set { jump(to: newValue.y) }
    }
}
