import Time

/// Breaks text that is written without spaces, where libass was built without Unicode's rules for that (as Debian's is):
/// it breaks at spaces alone, and what has none would leave the picture.
enum LineBreaking {
    /// How many signs as wide as they are high fit on a line.
    static func columns(for placement: SubtitlePlacement) -> Int {
        let em = SubtitleStyle.textSize * Double(placement.size.height) * placement.scale
        guard em > 0 else { return .max }
        return max(1, Int(min(1e6, 0.88 * Double(placement.size.width) / em)))
    }

    /// `fields` of an event with a `\N` wherever a run without spaces exceeds a line, before a sign that may begin one.
    static func broken(_ fields: String, columns: Int) -> String {
        var broken = String.UnicodeScalarView()
        // Halves, for signs that are narrow.
        var (width, commas, isInTags, previous) = (0, 0, false, Unicode.Scalar(0 as UInt8))
        for sign in fields.unicodeScalars {
            defer { previous = sign }
            if commas < 7 || isInTags || sign == "{" {
                if sign == "," { commas += 1 }
                isInTags = commas >= 7 && sign != "}" && (isInTags || sign == "{")
                broken.append(sign)
                continue
            }
            if sign == " " || previous == "\\" && (sign == "N" || sign == "n") {
                width = 0
                broken.append(sign)
                continue
            }
            let isWide = isWide(sign)
            if isWide, !neverFirst.contains(sign), !neverLast.contains(previous), width + 2 > columns * 2 {
                broken.append("\\")
                broken.append("N")
                width = 0
            }
            width += isWide ? 2 : 1
            broken.append(sign)
        }
        return String(broken)
    }

    /// Chinese and Japanese signs, Korean syllables, and forms as wide as they (Unicode Standard Annex 11).
    private static func isWide(_ sign: Unicode.Scalar) -> Bool {
        switch sign.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Signs that end something, and small ones that belong to the one before (JIS X 4051's rules, in short).
    private static let neverFirst = Set("、。，．・：；？！）］｝」』】〉》〕〟ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々".unicodeScalars)
    private static let neverLast = Set("（［｛「『【〈《〔〝\\".unicodeScalars)
}
