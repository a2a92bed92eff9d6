/// Converts rows of 8-bit luma and chroma of full resolution to BGRA by any matrix. Any thread.
///
/// For the matrices that libyuv and swscale have no form for. Each result is within one step of 1/255 of
/// `ColorConversion`.
public struct RowColorConversion: Sendable {
    /// The contributions of the samples to blue, green and red, in units of 2⁻¹⁴.
    private let luma: SIMD4<Int32>
    private let first: SIMD4<Int32>
    private let second: SIMD4<Int32>
    /// What is added for blue, green, red and alpha, with a half for rounding.
    private let bias: SIMD4<Int32>

    private static let fractionBits = 14

    /// Creates the conversion for samples with the matrix and range of `format`. The layout and depth are ignored.
    ///
    /// - Parameter brightnessOffset: The number to add to each of R', G' and B', -1…1.
    public init(_ format: PixelFormat, brightnessOffset: Double = 0) {
        let map = ColorConversion(
            PixelFormat(size: format.size, layout: .planar(.full), matrix: format.matrix, range: format.range),
            brightnessOffset: min(max(brightnessOffset, -1), 1))
        let unit = Double(1 << Self.fractionBits)
        func fixed(_ rgb: SIMD3<Double>, _ alpha: Double, scale: Double) -> SIMD4<Int32> {
            let scaled = (SIMD4(rgb.z, rgb.y, rgb.x, alpha) * (scale * unit)).rounded(.toNearestOrEven)
            return SIMD4<Int32>(scaled.clamped(lowerBound: SIMD4(repeating: -1e9), upperBound: SIMD4(repeating: 1e9)))
        }
        luma = fixed(map.luma, 0, scale: 1)
        first = fixed(map.blueDifference, 0, scale: 1)
        second = fixed(map.redDifference, 0, scale: 1)
        bias = fixed(map.bias, 1, scale: 255) &+ Int32(1 << (Self.fractionBits - 1))
    }

    /// Converts `count` pixels. `bgra` has room for four bytes each; alpha becomes 255.
    public func convert(
        y: UnsafePointer<UInt8>, u: UnsafePointer<UInt8>, v: UnsafePointer<UInt8>,
        to bgra: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let (least, most) = (SIMD4<Int32>(repeating: 0), SIMD4<Int32>(repeating: 255))
        for x in 0..<count {
            let sum = bias &+ luma &* Int32(y[x]) &+ first &* Int32(u[x]) &+ second &* Int32(v[x])
            let bytes = (sum &>> Int32(Self.fractionBits)).clamped(lowerBound: least, upperBound: most)
            let pixel = SIMD4<UInt8>(truncatingIfNeeded: bytes)
            UnsafeMutableRawPointer(bgra + 4 * x).storeBytes(of: pixel, as: SIMD4<UInt8>.self)
        }
    }
}
