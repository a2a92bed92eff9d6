import Gestures
import Motion
import Navigation
import Windowing

/// The hand on a floating window: moves it from anywhere, resizes it from its corners.
///
/// Main thread. The window goes where the pointer is on the screen, asked once in each round of the loop however often the
/// mouse reports: what the pointer is in the window says little, for that moves along.
@MainActor final class FloatingHand: GestureElement {
    var recognizers: [GestureRecognizer] { [pan, doubleTap] }
    /// Called when the hand has let go of a window that it moved or resized.
    var onEnd: (@MainActor (PixelRect) -> Void)?
    var onDoubleClick: (@MainActor (HostTime) -> Void)?
    /// Where the pointer was last seen in the window, in points.
    var latest = Point.zero

    private let window: Window
    private let limits: FloatingFrame.Limits
    private let pan = PanRecognizer(name: "float")
    private let doubleTap = TapRecognizer(count: 2)
    private var hold: Hold?
    private var isMoved = false

    private struct Hold {
        var area: PixelRect
        var pointer: Point
        /// Nil moves the window.
        var corner: FloatingFrame.Corner?
        var last: PixelRect
    }

    init(_ window: Window, limits: FloatingFrame.Limits) {
        self.window = window
        self.limits = limits
        pan.drivenByScroll = false
        pan.onChange = { [weak self] _ in self?.panChanged() }
        doubleTap.onChange = { [weak self] tap in
            guard let self, tap.state == .recognized else { return }
            onDoubleClick?(tap.time)
        }
    }

    var isActive: Bool { hold != nil }

    private func panChanged() {
        switch pan.state {
        case .began:
            let press = pan.pressLocation
            guard let pointer = window.pointerOnScreen else { return pan.cancel() }
            let area = window.area
            let units = window.unitsPerPoint
            // The hand has moved since the press: the window comes after.
            let start = Point(x: Double(area.minX) + press.x * units, y: Double(area.minY) + press.y * units)
            hold = Hold(
                area: area, pointer: start,
                corner: FloatingFrame.corner(at: press, in: window.size), last: area)
            _ = pointer
            isMoved = true
        case .changed: isMoved = true
        case .ended, .cancelled:
            isMoved = true
            follow()
            if let hold { onEnd?(hold.last) }
            hold = nil
        case .possible, .recognized, .failed: break
        }
    }

    func advance(to now: HostTime) { follow() }

    private func follow() {
        guard var hold, isMoved else { return }
        isMoved = false
        guard let pointer = window.pointerOnScreen else { return }
        let travel = Point(x: pointer.x - hold.pointer.x, y: pointer.y - hold.pointer.y)
        let area =
            hold.corner.map { limits.resized(hold.area, at: $0, by: travel) }
            ?? FloatingFrame.moved(hold.area, by: travel)
        guard area != hold.last else { return }
        hold.last = area
        self.hold = hold
        window.setArea(area)
    }
}
