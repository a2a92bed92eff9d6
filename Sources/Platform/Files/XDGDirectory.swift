import Glibc

/// One of the per-user folders of the XDG Base Directory Specification.
package enum XDGDirectory: Sendable {
    case config, state, cache

    /// The path of the `glissade` folder inside this folder; nil if neither this folder's environment variable nor HOME
    /// is set.
    ///
    /// An environment variable that does not hold an absolute path counts as not set.
    package var ofGlissade: BytePath? {
        let (name, standard) =
            switch self {
            case .config: ("XDG_CONFIG_HOME", ".config")
            case .state: ("XDG_STATE_HOME", ".local/state")
            case .cache: ("XDG_CACHE_HOME", ".cache")
            }
        let base = Self.variable(name) ?? Self.variable("HOME")?.appending(standard.utf8)
        return base?.appending("glissade".utf8)
    }

    private static func variable(_ name: String) -> BytePath? {
        guard let value = getenv(name), value.pointee == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
        return BytePath(bytes: UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) })
    }
}
