import GlissadeGeometry

/// The map from positions in the target to positions in the frame or image that is drawn there.
struct PictureMap {
    /// The step in the image, in image pixels, for a step of one pixel in the target: to the right (`across`) or
    /// downward (`down`).
    let across: SIMD2<Double>
    let down: SIMD2<Double>
    private let origin: SIMD2<Double>
    private let start: SIMD2<Double>
    /// Whether the image is drawn without any rotation or mirroring.
    let isUpright: Bool
    /// Whether every target pixel coincides with a pixel of the image: the scale is 1, and `quarterTurns` is 0.
    let isOneToOne: Bool

    /// - Parameters:
    ///   - destination: The rectangle of the whole upright image in the target; not empty.
    ///   - quarterTurns: The rotation about the center of `destination`, clockwise, in quarter turns; finite.
    ///   - rotation: The rotation that makes the stored image upright.
    ///   - isMirrored: Whether the stored image is mirrored left to right, before it is rotated.
    ///   - picture: The size of the stored image.
    init(
        destination: PixelRect, quarterTurns: Double = 0, rotation: QuarterTurns = .none, isMirrored: Bool = false,
        picture: PixelSize
    ) {
        let size = SIMD2(Double(destination.width), Double(destination.height))
        let (cosine, sine) = (QuarterTurn.cosine(quarterTurns), QuarterTurn.sine(quarterTurns))
        // The steps per target pixel, as fractions of the upright image's width and height.
        let (toRight, toBelow) = (SIMD2(cosine, -sine) / size, SIMD2(sine, cosine) / size)
        let texels = SIMD2(Double(picture.width), Double(picture.height))
        /// Converts a vector in the upright image to one in the stored image.
        func stored(_ way: SIMD2<Double>) -> SIMD2<Double> {
            let rotated =
                switch rotation {
                case .none: way
                case .quarter: SIMD2(way.y, -way.x)
                case .half: -way
                case .threeQuarters: SIMD2(-way.y, way.x)
                }
            return (isMirrored ? SIMD2(-rotated.x, rotated.y) : rotated) * texels
        }
        (across, down) = (stored(toRight), stored(toBelow))
        if quarterTurns == 0 {
            // Positions are computed from the corner, so that halves stay exact for large coordinates.
            origin = SIMD2(Double(destination.minX), Double(destination.minY))
            start = texels / 2 - stored(SIMD2(0.5, 0.5))
        } else {
            origin = SIMD2(Double(destination.minX), Double(destination.minY)) + size / 2
            start = texels / 2
        }
        isUpright = quarterTurns == 0 && rotation == .none && !isMirrored
        isOneToOne = quarterTurns == 0 && destination.size == picture.rotated(by: rotation)
    }

    /// Returns the position in the stored image for a position in the target, both in pixels. Integer coordinates are
    /// the top left corners of pixels; centers are half a pixel further.
    func position(_ x: Double, _ y: Double) -> SIMD2<Double> {
        let away = SIMD2(x, y) - origin
        return start + across * away.x + down * away.y
    }
}
