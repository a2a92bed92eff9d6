/// An affine map from texture samples (0…1) to R'G'B' (0…1).
///
/// The steps that it combines: texture value → code value (bit depth and alignment) → Y' 0…1 and Cb, Cr −½…½ (range) →
/// R'G'B' (matrix). Computed in `Double`, and rounded once for the shader. Sources: ITU-T H.273, equations 20…31 for
/// the ranges, 38…43 for the matrix, and 47…50 for YCgCo.
///
/// Cg and Co of limited range have 224 steps, like Cb and Cr, as in libplacebo and the encoders that only label their
/// frames. H.273 and zimg give them 219, as if R'G'B' were quantized first: at most 4 steps of 1/255 apart.
public struct ColorConversion: Hashable, Sendable {
    /// The contribution of a luma sample of 1 to red, green and blue.
    public let luma: SIMD3<Double>
    /// The contribution of a sample of 1 of the first chroma plane, usually Cb, to red, green and blue.
    public let blueDifference: SIMD3<Double>
    /// The contribution of a sample of 1 of the second chroma plane, usually Cr, to red, green and blue.
    public let redDifference: SIMD3<Double>
    /// The constant that is added to the contributions of the samples.
    public let bias: SIMD3<Double>

    /// Creates the map for textures with samples of `format`. The textures must return 0…1 for the full range of a byte
    /// or 16-bit word.
    ///
    /// - Parameter brightnessOffset: The number to add to each of R', G' and B' (`Brightness`).
    public init(_ format: PixelFormat, brightnessOffset: Double = 0) {
        let depth = format.bitDepth
        // The code value for which the texture would return 1. For 9 to 15 bits, it is larger than the largest code of
        // `depth` bits: much larger if samples use the low bits of a word, slightly larger if they use the high bits.
        let wordBits = depth > 8 ? 16 : 8
        let step = format.isHighAligned ? Double(1 << (wordBits - depth)) : 1
        let codes = Double((1 << wordBits) - 1) / step

        let (black, lumaSpan): (Double, Double)
        var chromaSpan: Double
        switch format.range {
        case .limited:
            let unit = Double(1 << (depth - 8))
            (black, lumaSpan, chromaSpan) = (16 * unit, 219 * unit, 224 * unit)
        case .full:
            let top = Double((1 << depth) - 1)
            (black, lumaSpan, chromaSpan) = (0, top, top)
        }
        let (perLuma, perFirst, perSecond) = Self.columns(of: format.matrix)
        // Without a matrix, all planes have the range of luma.
        let middle = format.matrix == .identity ? black : Double(1 << (depth - 1))
        if format.matrix == .identity { chromaSpan = lumaSpan }

        if case .gray = format.layout {
            luma = SIMD3(repeating: codes / lumaSpan)
            blueDifference = .zero
            redDifference = .zero
            bias = SIMD3(repeating: brightnessOffset - black / lumaSpan)
        } else {
            luma = perLuma * (codes / lumaSpan)
            blueDifference = perFirst * (codes / chromaSpan)
            redDifference = perSecond * (codes / chromaSpan)
            bias =
                SIMD3(repeating: brightnessOffset) - perLuma * (black / lumaSpan)
                - (perFirst + perSecond) * (middle / chromaSpan)
        }
    }

    /// The contributions to R'G'B' of luma, 0…1, and of the first and the second chroma plane, each −½…½. Without a
    /// matrix, all are 0…1.
    private static func columns(
        of matrix: ColorMatrix
    ) -> (luma: SIMD3<Double>, first: SIMD3<Double>, second: SIMD3<Double>) {
        guard let (red, blue) = matrix.weights else {
            return matrix == .identity
                ? (SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 0, 0))
                : (SIMD3(1, 1, 1), SIMD3(-1, 1, -1), SIMD3(1, 0, -1))
        }
        let green = 1 - red - blue
        return (
            SIMD3(1, 1, 1), SIMD3(0, -2 * blue * (1 - blue) / green, 2 * (1 - blue)),
            SIMD3(2 * (1 - red), -2 * red * (1 - red) / green, 0)
        )
    }

    /// Converts texture samples to R'G'B', without clipping.
    public func callAsFunction(_ y: Double, _ cb: Double, _ cr: Double) -> SIMD3<Double> {
        luma * y + blueDifference * cb + redDifference * cr + bias
    }
}
