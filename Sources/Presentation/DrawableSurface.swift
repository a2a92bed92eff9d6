public import GlissadeGeometry

/// Where a renderer draws and shows frames: a window or a buffer in memory.
///
/// Threads: main thread. After `makeCurrent`, OpenGL draws into the surface.
@MainActor public protocol DrawableSurface: AnyObject {
    /// The size in device pixels. On some desktops it is zero while the window is iconified.
    var pixelSize: PixelSize { get }
    /// Device pixels per point.
    var scale: Double { get }
    /// Whether a frame drawn now would be visible. False while the window is hidden, iconified or empty.
    var isVisible: Bool { get }
    /// The display's refresh rate in Hz, according to the window system; nil if unknown. May query the window system.
    var refreshRate: Double? { get }
    /// A number that changes whenever a display is connected or disconnected.
    var monitorGeneration: Int { get }
    /// Makes the surface's OpenGL context current (`GLContext.current`). Does nothing if the surface has no context.
    func makeCurrent()
}

extension DrawableSurface {
    public var monitorGeneration: Int { 0 }

    /// The size in points.
    public var size: Size {
        Size(width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
    }
}
