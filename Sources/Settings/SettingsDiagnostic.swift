import Platform

/// A mistake in the settings file: the ignored line or option, and the reason. A value; any thread.
public struct SettingsDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name without its folder.
    public var file: String
    /// The line, starting at 1; nil if the mistake concerns the whole file.
    public var line: Int?
    /// The reason, without control characters, such as "keys: unknown command 'foo'".
    public var reason: String

    /// Creates a diagnostic and escapes control characters in `reason`.
    public init(file: String, line: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.reason = DisplaySafeText.text(reason)
    }

    /// The diagnostic in the form of a compiler message: "config.toml:12: keys: unknown command 'foo'".
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + reason }
}
