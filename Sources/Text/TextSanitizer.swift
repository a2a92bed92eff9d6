import Layers

/// What of a string is set: cut to what could be seen, and without what would draw nothing, or not what it says.
enum TextSanitizer {
    /// How many marks may follow one another on one letter: the Stream-Safe Text Format's number (UAX #15).
    private static let longestRunOfMarks = 30
    private static let replacement: Unicode.Scalar = "\u{FFFD}"
    /// Ends a line and not, like a line feed, a paragraph: Pango counts the lines of each paragraph.
    private static let lineSeparator: Unicode.Scalar = "\u{2028}"

    /// `text`'s string, at most `roomForScalars` of it and an ellipsis.
    ///
    /// Line breaks are line separators as long as `lineLimit` has lines for them, then spaces. Tabs are spaces. Control
    /// characters are replacement characters, and so are overrides of direction, by which a name can be made to look as
    /// if it had another extension.
    static func of(_ text: TextContent, lineLimit: Int, roomForScalars room: Int) -> String {
        var breaks = lineLimit - 1
        var visible = String.UnicodeScalarView()
        let scalars = text.string.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: room, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else {
            append(scalars[...], to: &visible, breaks: &breaks)
            return String(visible)
        }
        // Shaping takes its time, and strings come from anywhere: cut before it, not after.
        switch text.truncation {
        case .end:
            append(scalars[..<end], to: &visible, breaks: &breaks)
            visible.append("…")
        case .middle:
            append(scalars.prefix(room / 2), to: &visible, breaks: &breaks)
            visible.append("…")
            append(scalars.suffix(room / 2).drop(while: isMark), to: &visible, breaks: &breaks)
        }
        return String(visible)
    }

    /// `visible` with spaces in place of the line separators after its first `start` bytes; nil where there are none.
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
        // Below these there are none, and nearly all text is there: the table is not asked.
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
