import GlissadePlatform

/// A mistake in the settings file, or a failure to read or write the file.
public struct SettingsDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name without its folder.
    public var file: String
    /// The number of the line with the mistake, starting at 1; nil if the problem concerns the whole file.
    public var line: Int?
    /// The reason, such as "keys: unknown command 'foo'".
    public var reason: String
    /// Whether the text is not valid TOML. Any other mistake concerns only its own option or section.
    public var isSyntaxError: Bool

    /// Creates a diagnostic. Replaces characters in `reason` that are not safe to display, as `DisplaySafeText` does.
    public init(file: String, line: Int? = nil, reason: String, isSyntaxError: Bool = false) {
        self.file = file
        self.isSyntaxError = isSyntaxError
        self.line = line
        self.reason = DisplaySafeText.text(reason)
    }

    /// The diagnostic in the form of a compiler message: "config.toml:12: keys: unknown command 'foo'".
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + reason }
}
