import Library
import Settings

/// What the command line tells of the program. Any thread.
public enum HelpTexts {
    /// A line for each command: its keys, and what they do.
    public static var keys: String {
        let lines = KeyMap().sections.flatMap(\.lines)
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { line in
            "  \(line.label)\(String(repeating: " ", count: width - line.label.count))  \(line.value)"
        }.joined(separator: "\n")
    }

    /// A settings file that says what holds without one, with every option.
    public static var settings: String { Settings.sample }
}
