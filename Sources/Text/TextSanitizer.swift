import Layers

/// Prepares a string for layout: truncates it to the length that could be visible, and removes characters that draw
/// nothing or mislead.
enum TextSanitizer {
    /// The maximum number of consecutive combining marks, from the Stream-Safe Text Format (UAX #15).
    private static let longestRunOfMarks = 30
    private static let replacement: Unicode.Scalar = "\u{FFFD}"
    /// Ends a line but not a paragraph, unlike a line feed: Pango counts lines per paragraph.
    private static let lineSeparator: Unicode.Scalar = "\u{2028}"

    /// The string of `text`, with at most `scalarLimit` scalars and an ellipsis.
    ///
    /// Line breaks become line separators within `lineLimit`, then spaces. Tabs become spaces. Control characters
    /// become replacement characters, as do directional overrides, which can disguise a file name's extension.
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
        // Shaping is slow, and strings come from untrusted sources: truncate before shaping.
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

    /// `visible` with spaces in place of the line separators after its first `start` bytes; nil if there are none.
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
        // There are none below this value, which covers nearly all text without a table lookup.
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
