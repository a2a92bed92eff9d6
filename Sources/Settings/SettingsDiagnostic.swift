import Platform

/// Something in the settings file that is not used, and why. A value; any thread.
public struct SettingsDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, without its folder.
    public var file: String
    /// From 1; nil where it is the file as a whole.
    public var line: Int?
    /// In words: "keys: unknown command 'foo'".
    public var reason: String

    public init(file: String, line: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.reason = DisplaySafeText.text(reason)
    }

    /// As compilers write it: "config.toml:12: keys: unknown command 'foo'".
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + reason }
}
