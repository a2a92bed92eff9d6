import GlissadeGeometry
import GlissadeGestures
import GlissadeNavigation
import GlissadeTime
import GlissadeWindowing

/// Lets the user move a floating window by dragging it, and resize it by dragging a corner.
///
/// Uses the pointer's position on the screen, because positions relative to a moving window are unreliable. Queries
/// this position at most once per iteration of the frame loop, and once more at the end of the drag. Main thread.
@MainActor final class FloatingWindowDrag: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [pan, doubleTap] }
    /// Called with the window's area, in the window system's units, when the user has finished moving or resizing the
    /// window.
    var onEnd: (@MainActor (PixelRect) -> Void)?
    var onDoubleClick: (@MainActor (HostTime) -> Void)?

    private let window: Window
    /// Any size with the aspect ratio that resizing must keep; nil if every ratio is allowed.
    var aspect: Size?
    private let pan = PanRecognizer(name: "float")
    private let doubleTap = TapRecognizer(count: 2)
    private var hold: Hold?
    private var isMoved = false

    private struct Hold {
        /// The window's frame when the drag began, in points.
        var frame: FloatingFrame
        /// The position of the press on the screen, in the window system's units.
        var pointer: Point
        /// The corner being dragged; nil if the drag moves the window.
        var corner: FloatingFrame.Corner?
        /// The area last set for the window, in the window system's units.
        var last: PixelRect
    }

    init(_ window: Window) {
        self.window = window
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
            let (area, units) = (window.area, window.unitsPerPoint)
            // The pointer has moved since the press. Measuring from the press makes the window catch up.
            hold = Hold(
                frame: FloatingFrame(area.inPoints(units), aspect: aspect),
                pointer: Point(x: Double(area.minX) + press.x * units, y: Double(area.minY) + press.y * units),
                corner: FloatingFrame.corner(at: press, in: window.size), last: area)
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
        let units = window.unitsPerPoint
        let travel = Point(x: (pointer.x - hold.pointer.x) / units, y: (pointer.y - hold.pointer.y) / units)
        let frame = hold.corner.map { hold.frame.resized(from: $0, by: travel) } ?? hold.frame.moved(by: travel)
        let area = PixelRect(points: frame.frame, units: units)
        guard area != hold.last else { return }
        hold.last = area
        self.hold = hold
        window.setArea(area)
    }
}
