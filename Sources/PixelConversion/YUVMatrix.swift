import CYUV
import Picture

/// What leads from Y'CbCr to R'G'B' in libyuv's form: factors in 64ths.
///
/// Made here, because libyuv's own keep every factor below 2, which is too little for blue in BT.709 and BT.2020 of limited
/// range (2.112 and 2.142): up to 16 steps in saturated blue. Rounding to 64ths costs no more than a step in red and blue,
/// and a step and a half in green, at the ends of chroma's range.
struct YUVMatrix: ~Copyable {
    /// What a matrix depends on.
    struct Key: Hashable {
        var matrix: ColorMatrix
        var range: ColorRange
        /// Whether luma has 10 bits, and chroma 10 of which the upper 8 count; else both have 8.
        var isDeep: Bool
        /// What is added to R'G'B', -1…1 of the range.
        var brightnessOffset = 0.0
    }

    let key: Key
    /// What of the lift is not in the matrix, and still to be added to the bytes that it leads to.
    let remainingLevels: Int
    private let memory: UnsafeMutablePointer<YuvConstants>

    /// For libyuv, which reads it; lives as long as this.
    var constants: UnsafePointer<YuvConstants> { UnsafePointer(memory) }

    init(_ key: Key) {
        self.key = key
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<YuvConstants>.size, alignment: PixelBufferPool.alignment
        ).bindMemory(to: YuvConstants.self, capacity: 1)

        // What a step of luma is of 255, and how libyuv brings a sample to 16 bits: by repeating its upper bits.
        let top = key.isDeep ? 1023.0 : 255.0
        let lumaStep: Double
        // What a step of chroma's 8 bits is of 255.
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
        let (red, blue) = key.matrix.weights
        let green = 1 - red - blue
        func factor(_ value: Double) -> UInt8 { UInt8((value * chromaStep * 64).rounded()) }
        let (blueToGreen, redToGreen) = (factor(2 * blue * (1 - blue) / green), factor(2 * red * (1 - red) / green))
        // Sums saturate at 16 bits, far beyond what is clipped: the lift costs nothing here.
        let wanted = (32 - black * 64 + key.brightnessOffset * 255 * 64).rounded()
        #if arch(arm64) || arch(arm)
            // There the sums have no sign, and green is what would get below zero first.
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
