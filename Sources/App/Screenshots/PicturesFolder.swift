import Glibc
import GlissadeLibrary
import GlissadePlatform

/// The user's pictures folder.
enum PicturesFolder {
    /// The environment variables that determine the folder: `HOME` and `XDG_CONFIG_HOME`.
    struct Environment: Sendable {
        var home: [UInt8]?
        var configHome: [UInt8]?

        init(home: [UInt8]?, configHome: [UInt8]?) {
            self.home = home
            self.configHome = configHome
        }

        /// Reads the variables of this process.
        init() {
            func value(_ name: String) -> [UInt8]? {
                // Read as bytes, since paths need not be UTF-8.
                getenv(name).map { UnsafeRawBufferPointer(start: $0, count: strlen($0)).map { $0 } }
            }
            self.init(home: value("HOME"), configHome: value("XDG_CONFIG_HOME"))
        }
    }

    /// Returns the pictures folder from the desktop's settings (`xdg-user-dirs`), else `Pictures` in the home folder.
    /// Returns nil if neither is known. The folder need not exist.
    ///
    /// Blocks while it reads a small file. Do not call it on the main thread.
    static func path(_ environment: Environment = Environment()) -> BytePath? {
        let home = absolute(environment.home)
        // The XDG Base Directory Specification requires programs to ignore relative paths.
        let config = absolute(environment.configHome) ?? home?.appending(".config".utf8)
        if let config, let text = contents(of: config.appending("user-dirs.dirs".utf8)),
            let folder = folder(in: text, home: home)
        {
            return folder
        }
        return home?.appending("Pictures".utf8)
    }

    /// Returns the last valid value of `XDG_PICTURES_DIR` in the text of `user-dirs.dirs`; nil if there is none.
    ///
    /// A valid value is a quoted absolute path or, if `home` is known, `"$HOME/…"`. `"$HOME"` alone means that the
    /// desktop has no pictures folder. In that case, the home folder is returned.
    static func folder(in text: [UInt8], home: BytePath?) -> BytePath? {
        var found: BytePath?
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let key = Array("XDG_PICTURES_DIR=\"".utf8)
            guard line.starts(with: key), let value = unquoted(line.dropFirst(key.count)) else { continue }
            let variable = Array("$HOME".utf8)
            if value.first == UInt8(ascii: "/") {
                found = BytePath(bytes: value)
            } else if let home, value.starts(with: variable) {
                let rest = value.dropFirst(variable.count)
                let inside = rest.drop { $0 == UInt8(ascii: "/") }
                guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
                found = inside.isEmpty ? home : home.appending(inside)
            }
        }
        return found
    }

    /// Returns the unescaped text up to the closing quote; nil if there is no closing quote, or if the unescaped text
    /// contains a NUL byte.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if isEscaped {
                value.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return value.contains(0) ? nil : value
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func absolute(_ path: [UInt8]?) -> BytePath? {
        guard let path, path.first == UInt8(ascii: "/") else { return nil }
        return BytePath(bytes: path)
    }

    /// The maximum number of bytes read from `user-dirs.dirs`. The rest is ignored.
    private static let longestFile = 65536

    private static func contents(of path: BytePath) -> [UInt8]? {
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: longestFile)
        var count = 0
        while count < text.count {
            let got = text.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
            if got <= 0 { break }
            count += got
        }
        return Array(text.prefix(count))
    }
}
