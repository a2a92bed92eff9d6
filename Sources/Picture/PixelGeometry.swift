public import Geometry

/// The pixel shape and orientation of a frame.
public struct PixelGeometry: Hashable, Sendable {
    /// The pixel aspect ratio, width divided by height. The initializer replaces an invalid or extreme one with 1.
    public var pixelAspect: Double
    /// The clockwise rotation that makes the frame upright.
    public var rotation: QuarterTurns

    public init(pixelAspect: Double = 1, rotation: QuarterTurns = .none) {
        self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.01 && pixelAspect < 100 ? pixelAspect : 1
        self.rotation = rotation
    }

    /// Returns the size, in square pixels, of an upright frame that is decoded at the size `coded`. Pixels that are
    /// not square stretch the width or the height; neither is ever shrunk.
    public func displaySize(of coded: PixelSize) -> Size {
        var size = coded.size
        if pixelAspect >= 1 { size.width *= pixelAspect } else { size.height /= pixelAspect }
        return rotation.swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}
