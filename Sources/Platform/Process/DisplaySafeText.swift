/// Makes untrusted strings, such as file names and titles, safe to show on one line.
package enum DisplaySafeText {
    /// Replaces control characters, line separators and bidirectional formatting (embeddings, overrides and isolates)
    /// with U+FFFD. Bidirectional formatting could make a file name appear to have a different extension.
    package static func text(_ text: String) -> String {
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
