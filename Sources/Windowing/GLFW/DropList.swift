/// A list of dropped files and addresses (text/uri-list, RFC 2483).
enum DropList {
    /// Longer lists are ignored.
    static let longest = 1 << 20
    private static let mostItems = 10_000

    /// The items, in order. Addresses are returned as written, except that those of files have no host name.
    static func parse(_ bytes: some Collection<UInt8>) -> [String] {
        guard bytes.count <= longest else { return [] }
        let lines = bytes.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") || $0 == 0 }
        return lines.lazy.filter { $0.first != UInt8(ascii: "#") }
            .compactMap { location(String(decoding: $0, as: UTF8.self)) }.prefix(mostItems).map { $0 }
    }

    /// `file:///path` for each of the forms in RFC 8089; nil if there is no path.
    private static func location(_ line: String) -> String? {
        guard line.utf8.prefix(5).elementsEqual("file:".utf8) else { return line }
        var path = line.utf8.dropFirst(5)
        if path.starts(with: "//".utf8) { path = path.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        return path.first == UInt8(ascii: "/") ? "file://" + String(decoding: path, as: UTF8.self) : nil
    }
}
