import GlissadeGeometry
import GlissadePicture

/// Upsamples chroma of more than 8 bits to the size of luma. Interpolates bilinearly and takes siting into account.
///
/// The output is for libyuv's 10-bit matrix, which truncates chroma to its upper 8 bits. Each output sample is
/// therefore rounded to 8 bits, once, after all interpolation. Two zero bits are appended. The loops use 16-bit sums
/// and no branches, so that the compiler can vectorize them.
struct HighBitDepthChroma: ~Copyable {
    /// A row interpolated between two input rows, padded with one sample at each end.
    private var row: [UInt16] = []

    init() {}

    /// The size of the output planes for a frame of `size`, in samples. The width is rounded up to an even number.
    static func targetSize(_ size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + 1) & ~1, height: size.height)
    }

    /// The weights, out of 4, with which the nearest sample and its neighbor contribute to an output sample.
    private struct Blend {
        var near: UInt16 = 4
        /// The weight of the neighbor: the previous sample at even positions, the next one at odd positions.
        var far: UInt16 = 0

        /// - Parameter isCentered: Whether chroma samples are sited between their two luma samples, rather than on the
        ///   first of them.
        init(isOdd: Bool, isCentered: Bool) {
            if isCentered { (near, far) = (3, 1) } else if isOdd { (near, far) = (2, 2) }
        }

        init() {}
    }

    /// Upsamples a plane of 9…16 bits into `target`, which has the size that `targetSize` returns.
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

    /// The depth of the interpolated row in bits. A value multiplied by 4 still fits in 16 bits.
    private static let rowDepth = 14

    /// Interpolates two rows of `depth` bits into one row of `rowDepth` bits, with the weights `fraction`.
    private static func blend(
        _ near: UnsafePointer<UInt16>, _ far: UnsafePointer<UInt16>, _ fraction: Blend, depth: Int, _ width: Int,
        into row: UnsafeMutablePointer<UInt16>
    ) {
        let (a, b) = (fraction.near, fraction.far)
        if depth <= 12 {
            let up = UInt16(rowDepth - 2 - depth)
            for x in 0..<width { row[x] = (near[x] &* a &+ far[x] &* b) &<< up }
        } else {
            // Both rows are truncated to 12 bits first, which loses less than a sixteenth of an output step.
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
