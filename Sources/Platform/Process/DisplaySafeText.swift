/// Text that others have written (names, titles), as it can be shown in one line.
public enum DisplaySafeText {
    /// `text` with U+FFFD for what controls a terminal, ends a line, or turns the direction of what follows: a name could
    /// pretend to another ending by that.
    public static func text(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x00..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: line.append("\u{FFFD}")
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
