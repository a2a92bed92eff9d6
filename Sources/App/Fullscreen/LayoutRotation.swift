import GlissadeGeometry
import GlissadeInput

/// The rotation of the main window's layout in fullscreen, and the conversion between window points and layout points.
/// Main thread.
///
/// A rotated layout is as wide as the window is high, and as high as the window is wide. It is drawn rotated clockwise
/// by 90°: its top edge is at the right edge of the window.
@MainActor final class LayoutRotation {
    /// How the points of the window and of a layout correspond.
    struct Conversion: Hashable {
        var isRotated = false
        /// The size of the window, in points.
        var window = Size.zero
        /// The size of a device pixel, in points.
        var pixel = 1.0

        /// The bounds of the layout, in points.
        var bounds: Rect { Rect(origin: .zero, size: window.rotated(by: isRotated ? .quarter : .none)) }

        /// Converts a point of the window to a point of the layout. The upper left corner of a device pixel becomes the
        /// upper left corner of the rotated pixel.
        func layout(_ point: Point) -> Point {
            guard isRotated else { return point }
            let y = window.width - pixel - point.x
            // A finger may be at a fraction of the last pixel.
            return Point(x: point.y, y: point.x < window.width ? max(y, 0) : y)
        }

        /// Converts a distance or a velocity in the layout to one in the window.
        func windowVector(_ vector: Point) -> Point { isRotated ? Point(x: -vector.y, y: vector.x) : vector }

        func layout(_ event: PointerEvent) -> PointerEvent {
            guard isRotated else { return event }
            var event = event
            event.position = layout(event.position)
            return event
        }

        /// Converts a scroll. The notches of a wheel keep their meaning. The distances of two fingers on a touchpad are
        /// directions on the screen, like the pointer's movement.
        func layout(_ event: ScrollEvent) -> ScrollEvent {
            guard isRotated else { return event }
            var event = event
            event.position = layout(event.position)
            if event.isPrecise { (event.deltaX, event.deltaY) = (event.deltaY, -event.deltaX) }
            return event
        }
    }

    /// The conversion for the current layout.
    private(set) var current = Conversion()
    /// The conversion for input. It stays the same from a press until all buttons and fingers are up, so that a drag of
    /// the fullscreen video does not change its coordinates. Other gestures are canceled when the layout is rotated.
    private(set) var input = Conversion()

    /// Sets the conversion for a new layout.
    ///
    /// - Parameters:
    ///   - window: The size of the window, in points.
    ///   - scale: Device pixels per point.
    func update(isRotated: Bool, window: Size, scale: Double) {
        current = Conversion(isRotated: isRotated, window: window, pixel: 1 / scale)
    }

    /// Updates the conversion for input, unless a gesture is in progress. Call before converting an event.
    func prepareInput(isBusy: Bool) {
        if !isBusy { input = current }
    }
}
