import Stage

/// What of a string is set: cut to what could be seen, and without what would draw nothing, or not what it says.
enum VisibleText {
    /// How many marks may follow one another on one letter: the Stream-Safe Text Format's number (UAX #15).
    private static let longestRunOfMarks = 30
    private static let replacement: Unicode.Scalar = "\u{FFFD}"
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
                // The space is what is seen where the lines have been used up by wrapping.
                visible.append(" ")
                if breaks > 0 { visible.append(lineSeparator) }
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
