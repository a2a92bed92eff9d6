package import GlissadePicture

extension ColorMatrix {
    /// R'G'B' by the standard's own formulas (H.273, equations 38…43 and 47…50), without clipping.
    ///
    /// - Parameters:
    ///   - luma: 0…1.
    ///   - first: The first chroma plane, −½…½: Cb or Cg.
    ///   - second: The second chroma plane, −½…½: Cr or Co.
    package func formula(_ luma: Double, _ first: Double, _ second: Double) -> SIMD3<Double> {
        guard let (kr, kb) = weights else {
            let rest = luma - first
            return SIMD3(rest + second, luma + first, rest - second)
        }
        let red = luma + 2 * (1 - kr) * second
        let blue = luma + 2 * (1 - kb) * first
        return SIMD3(red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
    }
}
