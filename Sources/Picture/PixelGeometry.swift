public import GlissadeGeometry

/// The pixel shape and orientation of a frame.
public struct PixelGeometry: Hashable, Sendable {
    /// The pixel aspect ratio, width divided by height. The initializer replaces an invalid or extreme ratio with 1.
    public var pixelAspect: Double
    /// The clockwise rotation that makes the frame upright, once it has been mirrored if `isMirrored` is true.
    public var rotation: QuarterTurns
    /// Whether the frame is mirrored left to right, before it is rotated. A frame that is mirrored and rotated by half a
    /// turn is upside down.
    public var isMirrored: Bool

    public init(pixelAspect: Double = 1, rotation: QuarterTurns = .none, isMirrored: Bool = false) {
        self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.01 && pixelAspect < 100 ? pixelAspect : 1
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// Returns the size, in square pixels, at which a frame decoded at the size `coded` is displayed upright. If pixels
    /// are not square, either the width or the height is stretched. Neither is ever shrunk.
    public func displaySize(of coded: PixelSize) -> Size {
        var size = coded.size
        if pixelAspect >= 1 { size.width *= pixelAspect } else { size.height /= pixelAspect }
        return size.rotated(by: rotation)
    }
}
