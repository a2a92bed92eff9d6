import GlissadeGeometry
import GlissadePicture

/// The visible part of a frame or an image: where it is drawn on the target, and which texels it shows.
struct PictureQuad {
    /// The left, top, right and bottom of the visible part on the target, in clip coordinates.
    let rectangle: SIMD4<Float>
    /// The columns of the shader's `toPicture`, in luma texels: the vectors along the top edge (`across`) and the left
    /// edge (`down`) of the visible part, and its top left corner (`corner`).
    let across: SIMD2<Double>
    let down: SIMD2<Double>
    let corner: SIMD2<Double>
    /// The columns of the shader's `toPlace`: the same vectors and corner, in pixels from the top left corner of the
    /// destination, before the rotation by `quarterTurns`. All are 0 if no `quarterTurns` is given.
    private(set) var placeAcross = SIMD2(0.0, 0.0)
    private(set) var placeDown = SIMD2(0.0, 0.0)
    private(set) var placeCorner = SIMD2(0.0, 0.0)
    /// Whether every target pixel coincides with a luma texel.
    let isOneToOne: Bool

    /// Creates a quad for a frame or an image that fills `destination` after it has been mirrored left to right, if
    /// `isMirrored` is true, and rotated by `rotation`. `clip` is the visible part. It must be inside `destination` and
    /// not empty.
    init(
        destination: PixelRect, rotation: QuarterTurns = .none, isMirrored: Bool = false, clip: PixelRect,
        picture: PixelSize, target: DrawTarget
    ) {
        rectangle = target.clipCoordinates(of: clip)

        let (width, height) = (Double(destination.width), Double(destination.height))
        let left = Double(clip.minX - destination.minX) / width
        let right = Double(clip.maxX - destination.minX) / width
        let top = Double(clip.minY - destination.minY) / height
        let bottom = Double(clip.maxY - destination.minY) / height

        let size = SIMD2(Double(picture.width), Double(picture.height))
        func place(_ x: Double, _ y: Double) -> SIMD2<Double> { Self.stored(x, y, rotation, isMirrored) * size }
        corner = place(left, top)
        across = place(right, top) - corner
        down = place(left, bottom) - corner
        isOneToOne = destination.size == picture.rotated(by: rotation)
    }

    /// Creates a quad for an upright frame that fills `destination` and is then rotated clockwise by `quarterTurns`
    /// about the center of `destination`. The stored frame is made upright as above. `clip` must be inside the bounds of
    /// the rotated frame.
    init(
        destination: PixelRect, quarterTurns: Double, rotation: QuarterTurns, isMirrored: Bool, clip: PixelRect,
        picture: PixelSize, target: DrawTarget
    ) {
        rectangle = target.clipCoordinates(of: clip)
        isOneToOne = false
        let size = SIMD2(Double(destination.width), Double(destination.height))
        let middle = SIMD2(Double(destination.minX), Double(destination.minY)) + size / 2
        let (cosine, sine) = (QuarterTurn.cosine(quarterTurns), QuarterTurn.sine(quarterTurns))
        /// Returns the offset of a target pixel from the top left corner of the destination, before the rotation by
        /// `quarterTurns`.
        func place(_ x: Int, _ y: Int) -> SIMD2<Double> {
            let away = SIMD2(Double(x), Double(y)) - middle
            return SIMD2(away.x * cosine + away.y * sine, away.y * cosine - away.x * sine) + size / 2
        }
        placeCorner = place(clip.minX, clip.minY)
        placeAcross = place(clip.maxX, clip.minY) - placeCorner
        placeDown = place(clip.minX, clip.maxY) - placeCorner
        let texels = SIMD2(Double(picture.width), Double(picture.height))
        func stored(_ place: SIMD2<Double>) -> SIMD2<Double> {
            Self.stored(place.x / size.x, place.y / size.y, rotation, isMirrored) * texels
        }
        corner = stored(placeCorner)
        across = stored(placeCorner + placeAcross) - corner
        down = stored(placeCorner + placeDown) - corner
    }

    /// Converts a position in the upright frame to one in the stored frame. Coordinates are fractions of the width or
    /// height.
    private static func stored(
        _ x: Double, _ y: Double, _ rotation: QuarterTurns, _ isMirrored: Bool
    ) -> SIMD2<Double> {
        let unrotated =
            switch rotation {
            case .none: SIMD2(x, y)
            case .quarter: SIMD2(y, 1 - x)
            case .half: SIMD2(1 - x, 1 - y)
            case .threeQuarters: SIMD2(1 - y, x)
            }
        return isMirrored ? SIMD2(1 - unrotated.x, unrotated.y) : unrotated
    }
}

/// Returns the map from luma texels to the texture coordinates of the chroma planes: factors for x and y, then offsets
/// for x and y.
///
/// The chroma texel in column j serves luma columns 2j and 2j + 1, and its center is at j + ½. If the chroma sample is
/// sited between these columns (`center`), it is at luma position 2j + 1 from the left edge of the frame. Halving this
/// position yields the texel's center. If the chroma sample is co-sited with the left luma sample, it is at 2j + ½.
/// Halving this position yields j + ¼, to which a quarter of a chroma texel must be added. Rows are handled in the same
/// way. The chroma plane of a frame with an odd size is wider than half the luma plane, so the results are divided by
/// the chroma plane's own size.
func chromaPlacement(_ format: PixelFormat) -> SIMD4<Float> {
    let plane = format.planeSize(1)
    let subsampling: ChromaSubsampling
    switch format.layout {
    case .planar(let chroma): subsampling = chroma
    case .semiPlanar: subsampling = .quarter
    case .gray, .rgb: subsampling = .full
    }
    let halvesAcross = subsampling.horizontalShift == 1
    let halvesDown = subsampling.verticalShift == 1
    let isLevel = format.siting == .left || format.siting == .topLeft
    let offset = SIMD2(
        halvesAcross && isLevel ? 0.25 : 0, halvesDown && format.siting == .topLeft ? 0.25 : 0)
    let factor = SIMD2(halvesAcross ? 0.5 : 1, halvesDown ? 0.5 : 1)
    let size = SIMD2(Double(plane.width), Double(plane.height))
    let (f, o) = (factor / size, offset / size)
    return SIMD4(Float(f.x), Float(f.y), Float(o.x), Float(o.y))
}
