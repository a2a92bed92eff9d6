import Glibc

/// Converts between file paths and percent-encoded `file:` URLs (RFC 8089; RFC 3986, 2.1).
public enum FileAddress {
    /// The prefix of the URLs that `address` returns.
    public static let prefix = "file://"

    /// Returns the path in a `file:` URL, as bytes; nil if `location` is not a `file:` URL.
    ///
    /// The forms are `file:///path`, `file:/path` and `file://host/path`, where the host is `localhost` or this machine's
    /// name. The scheme and the host are case-insensitive. What follows `file://` is a relative path if it begins with
    /// anything else, which is not a URL by the standard.
    ///
    /// Users who type a URL often do not percent-encode the path. The path is therefore returned undecoded if it
    /// contains an invalid escape, or if a file exists only at the undecoded path.
    public static func path(of location: String) -> [UInt8]? {
        guard let written = written(location.utf8) else { return nil }
        guard let decoded = decoded(written), decoded != written else { return written }
        return !exists(decoded) && exists(written) ? written : decoded
    }

    /// Returns the path in a `file:` URL as it is written; nil if `location` is no such URL.
    private static func written(_ location: String.UTF8View) -> [UInt8]? {
        let scheme = "file:".utf8
        guard isSame(location.prefix(scheme.count), scheme) else { return nil }
        let rest = location.dropFirst(scheme.count)
        guard rest.starts(with: "//".utf8) else { return rest.first == UInt8(ascii: "/") ? Array(rest) : nil }
        let afterSlashes = rest.dropFirst(2)
        let host = afterSlashes.prefix { $0 != UInt8(ascii: "/") }
        let path = afterSlashes.dropFirst(host.count)
        let isHere = host.isEmpty || isSame(host, "localhost".utf8) || hostName.map { isSame(host, $0.utf8) } ?? false
        return Array(isHere && !path.isEmpty ? path : afterSlashes)
    }

    /// Whether two texts are equal, ignoring the case of ASCII letters.
    private static func isSame(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.elementsEqual(other) { $0 == $1 || $0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20) }
    }

    /// The name of this machine; nil if it has none.
    private static let hostName: String? = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Returns the `file://` URL of a path. Percent-encodes every byte except unreserved characters (RFC 3986, 2.3) and
    /// `/`.
    public static func address(of path: [UInt8]) -> String {
        var address = prefix
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                address += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }

    /// Returns `path` with its percent escapes decoded; nil if an escape is malformed or decodes to a null byte.
    private static func decoded(_ path: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            rest.removeFirst(2)
        }
        return bytes
    }

    private static func exists(_ path: [UInt8]) -> Bool {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { access($0.baseAddress!, F_OK) == 0 }
    }
}
