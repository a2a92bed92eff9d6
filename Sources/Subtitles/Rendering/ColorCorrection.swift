import GlissadePicture

/// Corrects the colors of a script for a film with another matrix.
///
/// Scripts are written for a renderer that converts colors by the script's `YCbCr Matrix` and draws them into the film,
/// whose matrix then turns them into other colors. Signs match the film only if the same happens here.
struct ColorCorrection: Hashable {
    private let script: ColorMatrix
    private let film: ColorMatrix

    /// The matrices that scripts can name. In films with another one, colors are shown as they are.
    static let matrices: [ColorMatrix] = [.bt601, .bt709, .smpte240, .fcc]

    /// - Parameters:
    ///   - script: The script's matrix; nil if its colors are meant as they are.
    ///   - film: The film's matrix; nil if unknown.
    /// - Returns: Nil if colors need no correction.
    init?(script: ColorMatrix?, film: ColorMatrix?) {
        guard let script, let film, script != film, Self.matrices.contains(film) else { return nil }
        (self.script, self.film) = (script, film)
    }

    /// Returns a color as it is seen in the film. Red is in the highest byte, then green, blue and transparency, as in
    /// libass.
    func corrected(_ color: UInt32) -> UInt32 {
        guard let from = script.weights, let to = film.weights else { return color }
        let (red, green, blue) = (Double(color >> 24), Double(color >> 16 & 0xFF), Double(color >> 8 & 0xFF))
        let luma = from.red * red + (1 - from.red - from.blue) * green + from.blue * blue
        let blueDifference = (blue - luma) / (1 - from.blue)
        let redDifference = (red - luma) / (1 - from.red)
        let seenRed = luma + redDifference * (1 - to.red)
        let seenBlue = luma + blueDifference * (1 - to.blue)
        let seenGreen = (luma - to.red * seenRed - to.blue * seenBlue) / (1 - to.red - to.blue)
        func byte(_ value: Double) -> UInt32 { UInt32(min(255, max(0, value)).rounded()) }
        return byte(seenRed) << 24 | byte(seenGreen) << 16 | byte(seenBlue) << 8 | color & 0xFF
    }
}
