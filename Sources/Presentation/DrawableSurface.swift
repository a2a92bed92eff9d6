public import Geometry
public import Rendering

/// Something a frame is drawn into and then shown: a window, or memory that only a test reads.
///
/// Main thread. Its context and framebuffer are what OpenGL ES calls reach after `makeCurrent`.
@MainActor public protocol DrawableSurface: AnyObject {
    /// What is drawn into, in device pixels; zero while a window is iconified on some desktops.
    var pixelSize: PixelSize { get }
    /// Device pixels per point.
    var scale: Double { get }
    /// Whether drawing now could be seen: shown, not iconified, not of zero size.
    var isVisible: Bool { get }
    /// How often the display shows something new, in Hz, as the window system says; nil where it is not known. May ask
    /// the window system.
    var refreshRate: Double? { get }
    /// Another number after a display came or went.
    var monitorGeneration: Int { get }
    /// Makes OpenGL ES calls of this thread go here.
    func makeCurrent()
    /// Shows what was drawn.
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
