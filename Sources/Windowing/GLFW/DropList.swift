/// Parses the list of files and URLs of a drop (text/uri-list, RFC 2483).
enum DropList {
    /// The longest list that is read, in bytes. A longer one counts as empty.
    static let longest = 1 << 20
    private static let mostItems = 10_000

    /// Returns at most the first `mostItems` items, in order. A `file:` URL loses its host name, and is left out if
    /// it has no path. Other items are returned as written.
    static func parse(_ bytes: some Collection<UInt8>) -> [String] {
        guard bytes.count <= longest else { return [] }
        let lines = bytes.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") || $0 == 0 }
        return lines.lazy.filter { $0.first != UInt8(ascii: "#") }
            .compactMap { location(String(decoding: $0, as: UTF8.self)) }.prefix(mostItems).map { $0 }
    }

    /// Returns a `file:` URL of any form in RFC 8089 as `file:///path`; nil if it has no path. Returns any other line
    /// as it is.
    private static func location(_ line: String) -> String? {
        guard line.utf8.prefix(5).elementsEqual("file:".utf8) else { return line }
        var path = line.utf8.dropFirst(5)
        if path.starts(with: "//".utf8) { path = path.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        return path.first == UInt8(ascii: "/") ? "file://" + String(decoding: path, as: UTF8.self) : nil
    }
}
