import Glibc

/// Converts between file paths and percent-encoded `file://` URLs (RFC 8089; RFC 3986, 2.1).
public enum FileAddress {
    /// The prefix of every `file://` URL.
    public static let prefix = "file://"

    /// Returns the path in a `file://` URL, as bytes; nil if `location` is not a `file://` URL.
    ///
    /// Users who type a URL often do not percent-encode the path. The path is therefore returned undecoded if it
    /// contains an invalid escape, or if a file exists only at the undecoded path.
    public static func path(of location: String) -> [UInt8]? {
        guard location.hasPrefix(prefix) else { return nil }
        let written = Array(location.utf8.dropFirst(prefix.utf8.count))
        guard let decoded = decoded(written), decoded != written else { return written }
        return !exists(decoded) && exists(written) ? written : decoded
    }

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
