/// The built-in style, for text without its own style: white with a dark outline, centered at the bottom.
///
/// All lengths are fractions of the video's height.
enum SubtitleStyle {
    /// The font's em size. The font size in a script is the line height instead, which is larger by the factor
    /// `lineFraction`.
    static let textSize = 0.05
    private static let lineFraction = 1.16
    /// The height of a line.
    static let lineHeight = textSize * lineFraction
    private static let outline = 0.0035
    private static let shadow = 0.0015
    static let bottomMargin = 0.045
    private static let sideMargin = 0.06

    /// Returns a script header with this style. The resolution is that of the header `original`, or 384×288 if
    /// `original` specifies none.
    ///
    /// - Parameter scale: The text scale. Here, it affects only the outline and the shadow. libass scales the text.
    static func header(replacing original: String, scale: Double) -> String {
        let width = number("PlayResX", in: original) ?? 384
        let height = number("PlayResY", in: original) ?? 288
        func length(_ fraction: Double) -> String { rounded(fraction * Double(height)) }
        let (side, bottom) = (length(sideMargin), Int((bottomMargin * Double(height)).rounded()))
        // Encoding -1: the first strong character determines the text direction.
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(width)
            PlayResY: \(height)
            WrapStyle: 0
            ScaledBorderAndShadow: yes
            YCbCr Matrix: None

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding
            Style: Default,sans-serif,\(length(textSize * lineFraction)),&H00FFFFFF,&H00FFFFFF,&H00101010,&H80000000,0,0,0,0,\
            100,100,0,0,1,\(length(outline * scale)),\(length(shadow * scale)),2,\(side),\(side),\(bottom),-1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
    }

    private static func number(_ key: String, in header: String) -> Int? {
        for line in header.split(whereSeparator: \.isNewline) where line.hasPrefix(key) {
            let value = line.dropFirst(key.count).drop { $0 == ":" || $0 == " " }
            if let number = Int(value.prefix { $0.isNumber }), (1...16384).contains(number) { return number }
        }
        return nil
    }

    /// Returns `value` rounded to hundredths, with a decimal point in any locale.
    private static func rounded(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
