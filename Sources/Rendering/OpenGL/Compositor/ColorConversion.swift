public import GlissadePicture

/// An affine map from texture samples (0…1) to R'G'B' (0…1).
///
/// The steps that it combines: texture value → code value (bit depth and alignment) → Y' 0…1 and Cb, Cr −½…½ (range) →
/// R'G'B' (matrix). Computed in `Double`, and rounded once for the shader. Sources: ITU-T H.273, equations 20…31 for
/// the ranges and 38…43 for the matrix.
public struct ColorConversion: Hashable, Sendable {
    /// The contribution of a luma sample of 1 to red, green and blue.
    public let luma: SIMD3<Double>
    /// The contribution of a Cb sample of 1 to red, green and blue.
    public let blueDifference: SIMD3<Double>
    /// The contribution of a Cr sample of 1 to red, green and blue.
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

        let (black, lumaSpan, chromaSpan): (Double, Double, Double)
        switch format.range {
        case .limited:
            let unit = Double(1 << (depth - 8))
            (black, lumaSpan, chromaSpan) = (16 * unit, 219 * unit, 224 * unit)
        case .full:
            let top = Double((1 << depth) - 1)
            (black, lumaSpan, chromaSpan) = (0, top, top)
        }
        let middle = Double(1 << (depth - 1))

        let (red, blue) = format.matrix.weights
        let green = 1 - red - blue
        let perRed = SIMD3(2 * (1 - red), -2 * red * (1 - red) / green, 0)
        let perBlue = SIMD3(0, -2 * blue * (1 - blue) / green, 2 * (1 - blue))

        luma = SIMD3(repeating: codes / lumaSpan)
        if case .gray = format.layout {
            blueDifference = .zero
            redDifference = .zero
            bias = SIMD3(repeating: brightnessOffset - black / lumaSpan)
        } else {
            blueDifference = perBlue * (codes / chromaSpan)
            redDifference = perRed * (codes / chromaSpan)
            bias = SIMD3(repeating: brightnessOffset - black / lumaSpan) - (perRed + perBlue) * (middle / chromaSpan)
        }
    }

    /// Converts texture samples to R'G'B', without clipping.
    public func callAsFunction(_ y: Double, _ cb: Double, _ cr: Double) -> SIMD3<Double> {
        luma * y + blueDifference * cb + redDifference * cr + bias
    }

    /// Returns the four columns of a `mat4x3`: for luma, for the first and the second chroma sample, and for the bias.
    /// If `vFirst` is true, Cr is the first chroma sample. Otherwise, Cb is the first one.
    func columns(vFirst: Bool) -> InlineArray<12, Float> {
        let first = vFirst ? redDifference : blueDifference
        let second = vFirst ? blueDifference : redDifference
        return InlineArray { index in
            let column = index < 3 ? luma : index < 6 ? first : index < 9 ? second : bias
            return Float(column[index % 3])
        }
    }
}
