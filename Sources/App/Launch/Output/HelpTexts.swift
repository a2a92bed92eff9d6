import GlissadeLibrary
import GlissadeSettings

/// The texts that the command line prints. Any thread.
package enum HelpTexts {
    /// The list of default key bindings, with one line for each command.
    package static var keys: String {
        let sections = KeyMap().sections
        let width = sections.flatMap(\.lines).map(\.label.count).max() ?? 0
        return sections.map { section in
            let lines = section.lines.map { line in
                "  \(line.label)\(String(repeating: " ", count: width - line.label.count))  \(line.value)"
            }
            return ([section.title + ":"] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    /// The text of a settings file with every option at its default.
    package static var settings: String { Settings.sample }
}
