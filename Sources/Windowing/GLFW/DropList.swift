/// Parses a list of dropped files and URLs (text/uri-list, RFC 2483).
enum DropList {
    /// The maximum length of a list, in bytes. A longer list counts as empty.
    static let longest = 1 << 20
    private static let mostItems = 10_000

    /// Returns the first `mostItems` items of the list, in order. Skips comment lines, and `file:` URLs without a path.
    /// Removes the host name from `file:` URLs. Leaves all other items unchanged.
    static func parse(_ bytes: some Collection<UInt8>) -> [String] {
        guard bytes.count <= longest else { return [] }
        let lines = bytes.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") || $0 == 0 }
        return lines.lazy.filter { $0.first != UInt8(ascii: "#") }
            .compactMap { location(String(decoding: $0, as: UTF8.self)) }.prefix(mostItems).map { $0 }
    }

    /// Rewrites a `file:` URL, in any form that RFC 8089 allows, as `file:///path`. Returns nil if the URL has no path.
    /// Returns any other line unchanged.
    private static func location(_ line: String) -> String? {
        guard line.lowercased().utf8.starts(with: "file:".utf8) else { return line }
        var path = line.utf8.dropFirst(5)
        if path.starts(with: "//".utf8) { path = path.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        return path.first == UInt8(ascii: "/") ? "file://" + String(decoding: path, as: UTF8.self) : nil
    }
}
