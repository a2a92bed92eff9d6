import GlissadePlatform

/// A mistake in the settings file, or a failure to read or write the file.
package struct SettingsDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name without its folder.
    package var file: String
    /// The number of the line with the mistake, starting at 1; nil if the problem concerns the whole file.
    package var line: Int?
    /// The reason, such as "keys: unknown command 'foo'".
    package var reason: String
    /// Whether the text is not valid TOML. Any other mistake concerns only its own option or section.
    package var isSyntaxError: Bool

    /// Creates a diagnostic. Replaces characters in `reason` that are not safe to display, as `DisplaySafeText` does.
    package init(file: String, line: Int? = nil, reason: String, isSyntaxError: Bool = false) {
        self.file = file
        self.isSyntaxError = isSyntaxError
        self.line = line
        self.reason = DisplaySafeText.text(reason)
    }

    /// The diagnostic in the form of a compiler message: "config.toml:12: keys: unknown command 'foo'".
    package var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + reason }
}
