public import Geometry
public import Rendering

/// A target that a frame is drawn into and then shown: a window, or memory.
///
/// Threads: main thread. OpenGL ES calls use its context and framebuffer after `makeCurrent`.
@MainActor public protocol DrawableSurface: AnyObject {
    /// The size of the target in device pixels; zero while the window is iconified on some desktops.
    var pixelSize: PixelSize { get }
    /// Device pixels per point.
    var scale: Double { get }
    /// Whether a frame drawn now would be visible: the window is shown, not iconified, and not empty.
    var isVisible: Bool { get }
    /// The display's refresh rate in Hz, according to the window system; nil if unknown. May query the window system.
    var refreshRate: Double? { get }
    /// Changes whenever a display is added or removed.
    var monitorGeneration: Int { get }
    /// Makes its context current on this thread.
    func makeCurrent()
    /// Shows the frame that was drawn.
    ///
    /// - Throws: `presentation`.
    func swap() throws(RenderingError)
}

extension DrawableSurface {
    public var monitorGeneration: Int { 0 }

    /// The size in points.
    public var size: Size {
        Size(width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
    }
}
