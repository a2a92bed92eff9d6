import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput
import GlissadeLayers
public import GlissadeTime

// Input of a list: a vertical drag or the wheel scrolls it, a click activates a row, and hovering highlights one.

extension ListView: @MainActor GestureTarget {
    /// How far the pointer may move between press and release of a click, in points.
    public static let clickTravel = 24.0

    public func receive(_ event: ScrollEvent) -> Bool {
        guard isScrollEnabled, event.deltaY != 0 else { return false }
        wheel(event.deltaY, now: event.time)
        return true
    }

    /// Connects `pressing` to the list: the pressed row is highlighted, and is activated if the pointer is released on
    /// it.
    func follow(_ pressing: PressRecognizer) {
        pressing.maximumTravel = Self.clickTravel
        pressing.onPress = { [weak self] point, now in
            guard let self else { return }
            press(row(atWindow: point, now: now))
        }
        pressing.isInside = { [weak self] point, now in
            guard let self, let pressed else { return false }
            return pressed == row(atWindow: point, now: now)
        }
        pressing.onChange = { [weak self] in self?.pressEnded($0) }
    }

    private func pressEnded(_ pressing: GestureRecognizer) {
        let activated = pressing.state == .recognized ? pressed : nil
        press(nil)
        if let activated { source?.activate(activated, now: pressing.time) }
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
        row(at: layer.convert(fromLayout: point, at: LocalTime(now)))
    }
}

extension ListView: HoverTarget {
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
