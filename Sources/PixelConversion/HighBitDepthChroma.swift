import Geometry
import Picture

/// Brings chroma samples of more than 8 bits to luma's size, bilinear from where they lie.
///
/// For libyuv's matrix of 10 bits, which takes the upper 8 of a chroma sample and cuts off the rest: what comes out is
/// rounded, once and after all blending, to 8 bits, followed by two of zero. The loops are ones that the compiler turns
/// into SIMD: sums of 16 bits, no branches.
struct HighBitDepthChroma: ~Copyable {
    /// A blended row, with a sample more before and after it.
    private var row: [UInt16] = []

    init() {}

    /// The size of the planes to be written to, for a picture of `size`: columns come in pairs.
    static func targetSize(_ size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + 1) & ~1, height: size.height)
    }

    /// How much of a sample and of its neighbor make a sample of the result; of 4.
    private struct Blend {
        var near: UInt16 = 4
        /// Of the one before, for even places; of the one after, for odd ones.
        var far: UInt16 = 0

        /// - Parameter isCentered: the sample lies between the two places that it serves, not on the first.
        init(isOdd: Bool, isCentered: Bool) {
            if isCentered { (near, far) = (3, 1) } else if isOdd { (near, far) = (2, 2) }
        }

        init() {}
    }

    /// Writes a plane of `targetSize` from one of 9…16 bits.
    mutating func upsample(
        _ plane: BytePlane, bitDepth: Int, _ chroma: ChromaSubsampling, siting: ChromaSiting,
        into target: ScratchPlanes.Target
    ) {
        let width = plane.size.width
        if row.count < width + 2 { row = Array(repeating: 0, count: width + 2) }
        let halvesRows = chroma == .quarter
        for y in 0..<target.size.height {
            let near = halvesRows ? y / 2 : y
            let far = halvesRows ? min(max(near + (y % 2 == 0 ? -1 : 1), 0), plane.size.height - 1) : near
            let down = halvesRows ? Blend(isOdd: y % 2 == 1, isCentered: siting != .topLeft) : Blend()
            row.withUnsafeMutableBufferPointer { row in
                guard let padded = row.baseAddress else { return }
                let row = padded + 1
                Self.blend(
                    plane.words(inRow: near), plane.words(inRow: far), down, depth: bitDepth, width, into: row)
                (row[-1], row[width]) = (row[0], row[width - 1])
                if chroma == .full {
                    Self.round(row, width, into: target.words(inRow: y))
                } else {
                    Self.double(row, width, isCentered: siting == .center, into: target.words(inRow: y))
                }
            }
        }
    }

    /// The blended row's depth: 4 times this still fits 16 bits.
    private static let rowDepth = 14

    /// Two rows to one of `rowDepth` bits.
    private static func blend(
        _ near: UnsafePointer<UInt16>, _ far: UnsafePointer<UInt16>, _ fraction: Blend, depth: Int, _ width: Int,
        into row: UnsafeMutablePointer<UInt16>
    ) {
        let (a, b) = (fraction.near, fraction.far)
        if depth <= 12 {
            let up = UInt16(rowDepth - 2 - depth)
            for x in 0..<width { row[x] = (near[x] &* a &+ far[x] &* b) &<< up }
        } else {
            // Each is cut to 12 bits first: what is lost is a sixteenth of the steps that count.
            let down = UInt16(depth - 12)
            for x in 0..<width { row[x] = near[x] &>> down &* a &+ far[x] &>> down &* b }
        }
    }

    private static func rounded(_ sum: UInt16) -> UInt16 { min(sum &>> 8 &+ (sum &>> 7 & 1), 255) &<< 2 }

    private static func round(_ row: UnsafePointer<UInt16>, _ width: Int, into target: UnsafeMutablePointer<UInt16>) {
        for x in 0..<width { target[x] = rounded(row[x] &* 4) }
    }

    private static func double(
        _ row: UnsafePointer<UInt16>, _ width: Int, isCentered: Bool, into target: UnsafeMutablePointer<UInt16>
    ) {
        let (even, odd) = (Blend(isOdd: false, isCentered: isCentered), Blend(isOdd: true, isCentered: isCentered))
        for x in 0..<width {
            target[2 * x] = rounded(row[x] &* even.near &+ row[x - 1] &* even.far)
            target[2 * x + 1] = rounded(row[x] &* odd.near &+ row[x + 1] &* odd.far)
        }
    }
}
