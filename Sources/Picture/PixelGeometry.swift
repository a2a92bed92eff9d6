public import Geometry

/// The pixel shape and orientation of a frame.
public struct PixelGeometry: Hashable, Sendable {
    /// The pixel aspect ratio, width by height; 1 if the file's is missing or invalid.
    public var pixelAspect: Double
    /// The clockwise rotation that makes the frame upright.
    public var rotation: QuarterTurns

    public init(pixelAspect: Double = 1, rotation: QuarterTurns = .none) {
        self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.01 && pixelAspect < 100 ? pixelAspect : 1
        self.rotation = rotation
    }

    /// The upright size in square pixels: stretched, never shrunk, as in other players.
    public func displaySize(of coded: PixelSize) -> Size {
        var size = coded.size
        if pixelAspect >= 1 { size.width *= pixelAspect } else { size.height /= pixelAspect }
        return rotation.swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}
