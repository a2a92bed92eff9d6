import GlissadeLayers

/// Prepares text for layout: truncates it to what could be visible, and replaces characters that would draw nothing or
/// could mislead the user.
enum TextSanitizer {
    /// The maximum number of consecutive combining marks, from the Stream-Safe Text Format (UAX #15). Further marks
    /// are dropped.
    private static let longestRunOfMarks = 30
    private static let replacement: Unicode.Scalar = "\u{FFFD}"
    /// A character that ends a line but not a paragraph. Used because Pango applies its line limit to each paragraph
    /// separately.
    private static let lineSeparator: Unicode.Scalar = "\u{2028}"

    /// Returns the string of `text`, ready for layout. A string of more than `scalarLimit` scalars is truncated, and an
    /// ellipsis is added.
    ///
    /// The first `lineLimit` - 1 line breaks become line separators, and all others become spaces. Tabs become spaces.
    /// Control characters become replacement characters. So do directional overrides, which could disguise a file
    /// name's extension.
    static func of(_ text: TextContent, lineLimit: Int, scalarLimit: Int) -> String {
        var breaks = lineLimit - 1
        var visible = String.UnicodeScalarView()
        let scalars = text.string.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: scalarLimit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else {
            append(scalars[...], to: &visible, breaks: &breaks)
            return String(visible)
        }
        // Truncate before shaping, because shaping is slow and strings come from untrusted sources.
        switch text.truncation {
        case .end:
            append(scalars[..<end], to: &visible, breaks: &breaks)
            visible.append("…")
        case .middle:
            append(scalars.prefix(scalarLimit / 2), to: &visible, breaks: &breaks)
            visible.append("…")
            append(scalars.suffix(scalarLimit / 2).drop(while: isMark), to: &visible, breaks: &breaks)
        }
        return String(visible)
    }

    /// Returns a copy of `visible` in which spaces replace the line separators after the first `start` UTF-8 bytes.
    /// Returns nil if there are no such separators.
    static func joiningLines(of visible: String, from start: Int) -> String? {
        let bytes = visible.utf8
        let scalars = visible.unicodeScalars
        guard let start = bytes.index(bytes.startIndex, offsetBy: start, limitedBy: bytes.endIndex),
            scalars[start...].contains(lineSeparator)
        else { return nil }
        return String(scalars[..<start])
            + String(String.UnicodeScalarView(scalars[start...].map { $0 == lineSeparator ? " " : $0 }))
    }

    private static func append(
        _ scalars: Substring.UnicodeScalarView, to visible: inout String.UnicodeScalarView, breaks: inout Int
    ) {
        var marks = 0
        var previous: Unicode.Scalar?
        for scalar in scalars {
            defer { previous = scalar }
            marks = isMark(scalar) ? marks + 1 : 0
            switch scalar {
            case _ where marks > longestRunOfMarks: continue
            case "\n" where previous == "\r": continue
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}":
                visible.append(breaks > 0 ? lineSeparator : " ")
                breaks -= 1
            case "\t": visible.append(" ")
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202D}", "\u{202E}": visible.append(replacement)
            default: visible.append(scalar)
            }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // No mark has a lower value, so most text in Latin script needs no table lookup.
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
