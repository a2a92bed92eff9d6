import Geometry

/// Where the pixels of a target lie in a picture that is drawn there.
struct PictureMap {
    /// In the picture's pixels: from a pixel of the target to the next on the right, and to the next below.
    let across: SIMD2<Double>
    let down: SIMD2<Double>
    private let origin: SIMD2<Double>
    private let start: SIMD2<Double>
    /// Neither rotated nor turned.
    let isUpright: Bool
    /// Whether every target pixel lies on one of the picture's, upright or rotated by quarters.
    let isOneToOne: Bool

    /// - Parameters:
    ///   - destination: where the whole upright picture would lie; not empty.
    ///   - turn: how far it is turned about its middle there, clockwise, in quarter turns; finite.
    ///   - rotation: what sets the picture upright.
    init(destination: PixelRect, turn: Double = 0, rotation: QuarterTurns = .none, picture: PixelSize) {
        let size = SIMD2(Double(destination.width), Double(destination.height))
        let (cosine, sine) = (QuarterTurn.cosine(turn), QuarterTurn.sine(turn))
        // From pixels to (0…1, 0…1) of the upright picture.
        let (toRight, toBelow) = (SIMD2(cosine, -sine) / size, SIMD2(sine, cosine) / size)
        let texels = SIMD2(Double(picture.width), Double(picture.height))
        /// A way in the upright picture, in the stored one.
        func stored(_ way: SIMD2<Double>) -> SIMD2<Double> {
            switch rotation {
            case .none: way * texels
            case .quarter: SIMD2(way.y, -way.x) * texels
            case .half: -way * texels
            case .threeQuarters: SIMD2(-way.y, way.x) * texels
            }
        }
        (across, down) = (stored(toRight), stored(toBelow))
        if turn == 0 {
            // From the corner, so that no half is lost where numbers are large.
            origin = SIMD2(Double(destination.minX), Double(destination.minY))
            start = texels / 2 - stored(SIMD2(0.5, 0.5))
        } else {
            origin = SIMD2(Double(destination.minX), Double(destination.minY)) + size / 2
            start = texels / 2
        }
        isUpright = turn == 0 && rotation == .none
        let upright = rotation.swapsAxes ? PixelSize(width: picture.height, height: picture.width) : picture
        isOneToOne = turn == 0 && destination.size == upright
    }

    /// The position in the picture of a point of the target: of a pixel's top left corner, or half a pixel further of
    /// its middle.
    func position(_ x: Double, _ y: Double) -> SIMD2<Double> {
        let away = SIMD2(x, y) - origin
        return start + across * away.x + down * away.y
    }
}
