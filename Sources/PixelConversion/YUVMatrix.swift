import GlissadeCYUV
import GlissadePicture

/// A color matrix from Y'CbCr to R'G'B' in libyuv's form, with factors in 64ths. For matrices that have luma weights;
/// `RowColorConversion` has any.
///
/// libyuv's own matrices keep every factor below 2. In limited range, blue needs 2.112 (BT.709) or 2.142 (BT.2020), so
/// saturated blue would be off by up to 16 steps of 1/255. Rounding the factors to 64ths causes an error of at most one
/// step in red and blue and one and a half steps in green.
struct YUVMatrix: ~Copyable {
    /// The parameters that determine a matrix.
    struct Key: Hashable {
        var matrix: ColorMatrix
        var range: ColorRange
        /// Whether samples have 10 bits rather than 8. Of 10-bit chroma, only the upper 8 bits are used.
        var isDeep: Bool
        /// The number added to R', G' and B', as a fraction of their range: -1…1.
        var brightnessOffset = 0.0
    }

    let key: Key
    /// The part of the brightness offset that the matrix cannot include, in steps of 1/255 to add to the output
    /// bytes.
    let remainingLevels: Int
    private let memory: UnsafeMutablePointer<YuvConstants>

    /// The matrix for libyuv's functions; valid as long as this value exists.
    var constants: UnsafePointer<YuvConstants> { UnsafePointer(memory) }

    init(_ key: Key) {
        self.key = key
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<YuvConstants>.size, alignment: PixelBufferPool.alignment
        ).bindMemory(to: YuvConstants.self, capacity: 1)

        // The largest luma code. libyuv expands it to 65535, by repeating a sample's upper bits.
        let top = key.isDeep ? 1023.0 : 255.0
        // A step of luma, in units of 1/255.
        let lumaStep: Double
        // A step of 8-bit chroma, in units of 1/255.
        let chromaStep: Double
        let black: Double
        switch key.range {
        case .limited:
            lumaStep = key.isDeep ? 255.0 / 876 : 255.0 / 219
            chromaStep = 255.0 / 224
            black = 16 * 255.0 / 219
        case .full:
            lumaStep = 255 / top
            chromaStep = key.isDeep ? 4 * 255.0 / 1023 : 1
            black = 0
        }
        // Of a frame without chroma, only the range matters.
        let (red, blue) = key.matrix.weights ?? (0.2126, 0.0722)
        let green = 1 - red - blue
        func factor(_ value: Double) -> UInt8 { UInt8(min((value * chromaStep * 64).rounded(), 255)) }
        let (blueToGreen, redToGreen) = (factor(2 * blue * (1 - blue) / green), factor(2 * red * (1 - red) / green))
        // Sums saturate at 16 bits, far beyond the range to which results are clipped, so the bias can include the
        // brightness offset at no cost.
        let wanted = (32 - black * 64 + key.brightnessOffset * 255 * 64).rounded()
        #if arch(arm64) || arch(arm)
            // On ARM, sums are unsigned. With a lower bias, green would be the first to fall below zero.
            let bias = max(wanted, -Double(Int(blueToGreen) + Int(redToGreen)) * 128)
        #else
            let bias = wanted
        #endif
        remainingLevels = Int(((wanted - bias) / 64).rounded())
        glissade_fill_yuv_constants(
            memory, factor(2 * (1 - blue)), blueToGreen, redToGreen, factor(2 * (1 - red)),
            Int16((lumaStep * 64 * 65536 * top / 65535).rounded()), Int16(bias))
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }
}
