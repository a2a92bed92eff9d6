import Glibc

/// The folders that the XDG base directory specification gives to programs in a person's home.
public enum XDGDirectory: Sendable {
    case config, state, cache

    /// `glissade` within the folder that the environment names, where that is an absolute path as the specification demands,
    /// else within the one that it has by default; nil where there is no home.
    public var ofGlissade: FilePath? {
        let (name, standard) =
            switch self {
            case .config: ("XDG_CONFIG_HOME", ".config")
            case .state: ("XDG_STATE_HOME", ".local/state")
            case .cache: ("XDG_CACHE_HOME", ".cache")
            }
        let base = Self.variable(name) ?? Self.variable("HOME")?.appending(standard.utf8)
        return base?.appending("glissade".utf8)
    }

    private static func variable(_ name: String) -> FilePath? {
        guard let value = getenv(name), value.pointee == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
        return FilePath(bytes: UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) })
    }
}
