import GlissadeCGLFW
public import GlissadeGeometry
import GlissadePlatform

/// The window's position, size, size limits and monitor.
extension Window {
    /// The content's current area, in the window system's units. Queries the server.
    public var area: PixelRect {
        if let area = x11.area { return area }
        var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        glfwGetWindowPos(handle, &x, &y)
        glfwGetWindowSize(handle, &width, &height)
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x) + Int(width), maxY: Int(y) + Int(height))
    }

    /// Sets the content's position and size, in the window system's units. A single request sets both.
    ///
    /// Clamps the position and the size to what X11 allows. Each side is at least one unit long. In fullscreen, sets
    /// the area that the window returns to afterwards.
    public func setArea(_ area: PixelRect) {
        var valid = area
        valid.minX = min(max(area.minX, -32768), 32767)
        valid.minY = min(max(area.minY, -32768), 32767)
        valid.maxX = min(max(area.maxX, valid.minX + 1), valid.minX + 32767)
        valid.maxY = min(max(area.maxY, valid.minY + 1), valid.minY + 32767)
        if fullscreen.isWanted {
            fullscreen.restoredArea = valid
            if !isShown { place = Point(x: Double(valid.minX), y: Double(valid.minY)) }
            return
        }
        geometryChanges()
        if !isShown {
            // This call also makes GLFW set a hint, so that the window manager honors the position.
            move(to: Point(x: Double(valid.minX), y: Double(valid.minY)))
        }
        x11.setArea(valid)
    }

    /// Moves the content's top-left corner to `position`, in the window system's units.
    public func move(to position: Point) {
        let corner = PixelRect(rounding: Rect(origin: position, size: .zero))
        if !isShown { place = Point(x: Double(corner.minX), y: Double(corner.minY)) }
        glfwSetWindowPos(handle, Int32(clamping: corner.minX), Int32(clamping: corner.minY))
    }

    /// Sets the content's size, in points.
    public func resize(to size: Size) {
        let units = unitsPerPoint
        func length(_ points: Double) -> Int32 {
            points.isFinite ? Int32(max(1, min((points * units).rounded(), 32767))) : 1
        }
        geometryChanges()
        glfwSetWindowSize(handle, length(size.width), length(size.height))
    }

    /// Sets the aspect ratio that the content keeps while the user resizes the window. The window manager enforces the
    /// ratio.
    ///
    /// - Parameter aspect: Any size with that ratio. Nil removes the constraint. So does a ratio that is invalid or
    ///   outside 1:1000 to 1000:1.
    public func setAspect(_ aspect: Size?) {
        guard let aspect, aspect.width.isFinite, aspect.height.isFinite, aspect.width > 0, aspect.height > 0,
            case let ratio = aspect.width / aspect.height, (0.001...1000).contains(ratio)
        else { return glfwSetWindowAspectRatio(handle, GLFW_DONT_CARE, GLFW_DONT_CARE) }
        // The ratio is exact if both lengths are whole numbers. Otherwise its error is at most 1/10,000 for ratios up
        // to 1:6.
        let isWhole = aspect.width.rounded() == aspect.width && aspect.height.rounded() == aspect.height
        let factor = isWhole && max(aspect.width, aspect.height) <= 32767 ? 1 : 30000 / max(aspect.width, aspect.height)
        glfwSetWindowAspectRatio(
            handle, Int32(max(1, (aspect.width * factor).rounded())), Int32(max(1, (aspect.height * factor).rounded())))
    }

    /// Sets the content's minimum size, in points. The window manager enforces the limit. Nil removes the limit, and so
    /// does a size that is not positive.
    public func setMinimumSize(_ size: Size?) {
        let units = unitsPerPoint
        func limit(_ points: Double?) -> Int32 {
            guard let points, points.isFinite, points > 0 else { return GLFW_DONT_CARE }
            return Int32(max(1, min((points * units).rounded(), 32767)))
        }
        let (width, height) = (limit(size?.width), limit(size?.height))
        let isNone = width == GLFW_DONT_CARE || height == GLFW_DONT_CARE
        glfwSetWindowSizeLimits(
            handle, isNone ? GLFW_DONT_CARE : width, isNone ? GLFW_DONT_CARE : height, GLFW_DONT_CARE, GLFW_DONT_CARE)
    }

    /// The pointer's position on the screen, in the window system's units, even while the pointer is outside the window;
    /// nil if unknown. One round trip.
    public var pointerOnScreen: Point? { x11.connection.pointer }

    // MARK: - Monitors

    /// The whole area of the window's monitor, in the window system's units; nil if there is no monitor. The window's
    /// monitor is the monitor that shows the largest part of the window. If no monitor shows any part of the window, it
    /// is the primary monitor.
    public var monitorArea: PixelRect? { GLFW.monitor(under: area)?.area }

    /// The work area of the window's monitor, which excludes panels and docks, in the window system's units; nil if
    /// there is no monitor.
    public var workArea: PixelRect? { GLFW.monitor(under: area).map(GLFW.workArea) }

    /// The work areas of all monitors, which exclude panels and docks, in the window system's units. The window's
    /// monitor comes first.
    public var workAreas: [PixelRect] {
        guard let own = GLFW.monitor(under: area) else { return [] }
        let others = GLFW.monitors.filter { $0.handle != own.handle }
        return ([own] + others).map(GLFW.workArea)
    }

    /// The refresh rate of the window's monitor, in Hz; nil if unknown. The value is up to two seconds old. GLFW rounds
    /// the rate to an integer: 59.94 Hz becomes 60.
    public var refreshRate: Double? { GLFW.monitorWithMode(under: fullscreen.area ?? area)?.refreshRate }

    public var monitorGeneration: Int { GLFW.monitorGeneration }

    /// The height of the window's monitor, in pixels; nil if there is no monitor. The value is up to two seconds old.
    public var monitorHeight: Int? { GLFW.monitorWithMode(under: fullscreen.area ?? area)?.area.height }

    /// The size of the window's monitor, in points; nil if there is no monitor.
    public var screenSize: Size? {
        guard let area = monitorArea else { return nil }
        let units = unitsPerPoint
        return Size(width: Double(area.width) / units, height: Double(area.height) / units)
    }
}
