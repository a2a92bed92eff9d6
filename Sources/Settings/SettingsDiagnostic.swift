import Platform

/// A mistake in the settings file: a line or option that is ignored, and the reason. A value; any thread.
public struct SettingsDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file name without its folder.
    public var file: String
    /// The line, from 1; nil for the file as a whole.
    public var line: Int?
    /// As text without control characters: "keys: unknown command 'foo'".
    public var reason: String

    /// Escapes control characters in `reason`.
    public init(file: String, line: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.reason = DisplaySafeText.text(reason)
    }

    /// In the form of a compiler's message: "config.toml:12: keys: unknown command 'foo'".
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + reason }
}
