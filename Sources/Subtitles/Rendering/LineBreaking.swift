import GlissadeTime

/// Breaks lines of text in scripts without spaces, such as Chinese.
///
/// Used if libass was built without Unicode line breaking, as in Debian. Such a libass breaks lines only at spaces.
enum LineBreaking {
    /// Returns the number of full-width characters in the built-in style that fit on a line.
    static func columns(for placement: SubtitlePlacement) -> Int {
        let em = SubtitleStyle.textSize * Double(placement.size.height) * placement.scale
        guard em > 0 else { return .max }
        return max(1, Int(min(1e6, 0.88 * Double(placement.size.width) / em)))
    }

    /// Returns `fields`, the fields of an event, with `\N` inserted wherever text without spaces is wider than
    /// `columns` full-width characters. Breaks only before wide characters. Does not break before a character that must
    /// not start a line, or after a character that must not end a line.
    static func broken(_ fields: String, columns: Int) -> String {
        var broken = String.UnicodeScalarView()
        // `width` is in half-width columns.
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

    /// Whether a character is wide (Unicode Standard Annex 11): a Chinese or Japanese character, a Korean syllable, or
    /// a full-width form.
    private static func isWide(_ sign: Unicode.Scalar) -> Bool {
        switch sign.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Characters that must not start a line: closing punctuation, and small characters that belong to the previous
    /// character (a subset of JIS X 4051).
    private static let neverFirst = Set("、。，．・：；？！）］｝」』】〉》〕〟ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々".unicodeScalars)
    private static let neverLast = Set("（［｛「『【〈《〔〝\\".unicodeScalars)
}
