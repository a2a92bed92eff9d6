public import Geometry

/// How a picture is to be seen: the shape of its pixels and which way is up.
public struct PixelGeometry: Hashable, Sendable {
    /// Width of a pixel over its height; 1 where the file does not say or says nonsense.
    public var pixelAspect: Double
    /// The clockwise turn that sets the picture upright.
    public var rotation: QuarterTurns

    public init(pixelAspect: Double = 1, rotation: QuarterTurns = .none) {
        self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.01 && pixelAspect < 100 ? pixelAspect : 1
        self.rotation = rotation
    }

    /// The upright size in square pixels: the picture is stretched, never shrunk, as players do.
    public func displaySize(of coded: PixelSize) -> Size {
        var size = coded.size
        if pixelAspect >= 1 { size.width *= pixelAspect } else { size.height /= pixelAspect }
        return rotation.swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}
