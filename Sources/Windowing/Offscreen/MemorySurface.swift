public import GlissadeGeometry
public import GlissadePresentation

/// A surface without a window, for frames drawn by the CPU. The frames stay in their `SoftwareMemoryOutput`. Main
/// thread.
@MainActor public final class MemorySurface: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public let scale: Double
    public var isVisible: Bool { !pixelSize.isEmpty }
    public var refreshRate: Double? { nil }

    /// Creates a surface of `size` device pixels.
    public init(size: PixelSize, scale: Double = 1) {
        pixelSize = size
        self.scale = scale
    }

    /// Changes the size, in device pixels. A surface with an empty size is not visible.
    public func resize(to size: PixelSize) { pixelSize = size }
    public func makeCurrent() {}
}
