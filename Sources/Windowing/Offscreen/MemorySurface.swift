public import Geometry
public import Presentation

/// An invisible surface for the CPU, whose frames are kept by their output. Main thread.
@MainActor public final class MemorySurface: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public let scale: Double
    public var isVisible: Bool { !pixelSize.isEmpty }
    public var refreshRate: Double? { nil }

    /// A surface of `size` device pixels.
    public init(size: PixelSize, scale: Double = 1) {
        pixelSize = size
        self.scale = scale
    }

    /// Changes the size, in device pixels; an empty surface is not visible.
    public func resize(to size: PixelSize) { pixelSize = size }
    public func makeCurrent() {}
    public func swap() {}
}
