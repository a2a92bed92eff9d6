import GlissadePlatform

/// What a playlist in a file may refer to: files in the playlist's own folder and in folders below it, by relative URLs
/// (RFC 3986, 4.2) without `..`.
enum LocalReference {
    /// Returns the components of the path that a reference names, relative to the base, with percent escapes decoded. A
    /// `%` that begins no escape stands for itself. The query and the fragment are ignored.
    ///
    /// - Throws: `namesAddress` if the reference begins with a scheme, and `outsideFolder` if it is an absolute path,
    ///   contains `..`, or contains a slash or a null byte that is percent-encoded.
    static func components(of reference: some Collection<UInt8>) throws(ResourceFailure) -> [[UInt8]] {
        let path = reference.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if hasScheme(path) { throw .namesAddress(shown(reference)) }
        guard path.first != UInt8(ascii: "/") else { throw .outsideFolder(shown(reference)) }
        var components: [[UInt8]] = []
        for part in path.split(separator: UInt8(ascii: "/")) {
            let name = decoded(part)
            guard name != Array("..".utf8), !name.contains(0), !name.contains(UInt8(ascii: "/")) else {
                throw .outsideFolder(shown(reference))
            }
            if name != [UInt8(ascii: ".")] { components.append(name) }
        }
        return components
    }

    /// Checks all URLs in an HLS playlist that FFmpeg opens: those of segments, variants, renditions, keys and
    /// initialization segments. Only keys may be in `data:` URLs: another playlist in one would not be checked.
    ///
    /// - Throws: What `components` throws for the first URL that is not allowed.
    static func check(playlist text: [UInt8]) throws(ResourceFailure) {
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x00 && $0 != 0x0A && $0 != 0x0D }
            rest = rest[line.endIndex...].dropFirst()
            guard let reference = reference(in: line.prefix(longestLine)) else { continue }
            if line.starts(with: "#EXT-X-KEY:".utf8), reference.starts(with: "data:".utf8) { continue }
            _ = try components(of: reference)
        }
    }

    /// The length at which FFmpeg's HLS demuxer cuts lines, in bytes.
    private static let longestLine = 4095

    /// Returns the URL in a line of a playlist; nil if there is none, or if FFmpeg does not open it.
    private static func reference(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.first == UInt8(ascii: "#") else { return line.isEmpty ? nil : line }
        guard let tag = tags.first(where: { line.starts(with: $0) }) else { return nil }
        return PlaylistAttributes.value("URI", in: line.dropFirst(tag.count)).map { $0[...] }
    }

    private static let tags = ["#EXT-X-KEY:", "#EXT-X-MAP:", "#EXT-X-MEDIA:"].map { Array($0.utf8) }

    /// Whether `path` begins with a scheme: a letter, then letters, digits, `+`, `-` and `.`, then a colon (RFC 3986,
    /// 3.1).
    private static func hasScheme(_ path: some Collection<UInt8>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let scheme = path.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < path.count else { return false }
        // FFmpeg also takes schemes that begin with another of these characters.
        return !scheme.isEmpty && scheme.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func decoded(_ name: some Collection<UInt8>) -> [UInt8] {
        func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) }
        var bytes: [UInt8] = []
        let name = Array(name)
        var place = 0
        while place < name.count {
            if name[place] == UInt8(ascii: "%"), place + 2 < name.count, let high = digit(name[place + 1]),
                let low = digit(name[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(name[place])
                place += 1
            }
        }
        return bytes
    }

    /// Returns the start of a reference, as text that is safe to show on one line.
    private static func shown(_ reference: some Collection<UInt8>) -> String {
        DisplaySafeText.text(String(decoding: reference.prefix(longestShown), as: UTF8.self))
            + (reference.count > longestShown ? "…" : "")
    }

    private static let longestShown = 80
}
