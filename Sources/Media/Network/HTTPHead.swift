/// The head of a server's answer, taken in line by line. A value.
struct HTTPHead {
    private(set) var status = 0
    /// What the server says beside the number: `Not Found`.
    private(set) var reason = ""
    private(set) var isComplete = false
    private var isVersion1 = true
    private var fields: [String: String] = [:]
    private var byteCount = 0

    /// Longer heads are refused.
    private static let longest = 256 << 10
    /// What is asked for below.
    private static let names: Set<String> = [
        "location", "content-length", "content-range", "content-type", "accept-ranges", "etag", "last-modified",
        "transfer-encoding", "icy-name", "icy-br", "icy-url", "icy-metaint",
    ]

    /// Takes a line with its end; false where there have been too many.
    mutating func take(_ line: some Collection<UInt8>) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.longest else { return false }
        let text =
            String(decoding: line, as: UTF8.self).trimmingPrefix { $0 == " " }
            .split(omittingEmptySubsequences: true) { $0.isNewline }.first.map(String.init) ?? ""
        if text.hasPrefix("HTTP/") || text.hasPrefix("ICY ") {
            let words = text.split(separator: " ", maxSplits: 2)
            self = HTTPHead()
            byteCount = line.count
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            reason = words.count > 2 ? String(words[2].prefix(80)) : ""
            isVersion1 = !text.hasPrefix("HTTP/2") && !text.hasPrefix("HTTP/3")
        } else if text.isEmpty {
            isComplete = true
        } else if !isComplete, let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            if Self.names.contains(name) {
                fields[name] = String(text[text.index(after: colon)...].trimmingPrefix { $0 == " " || $0 == "\t" })
            }
        }
        return true
    }

    /// Whether it is the answer and not word that one is to come (1xx).
    var isAnswer: Bool { isComplete && status >= 200 }
    var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) && location != nil }
    var location: String? { fields["location"] }

    /// Without parameters: `video/mp4`.
    var contentType: String? {
        fields["content-type"].map { String($0.prefix { $0 != ";" && $0 != " " }) }
    }

    /// How many bytes this answer has; nil where nobody knows before its end.
    var contentLength: Int64? {
        fields["transfer-encoding"] == nil
            ? fields["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } : nil
    }

    /// Which part this is of how much in all; nil where it does not say.
    var contentRange: (start: Int64?, last: Int64?, total: Int64?)? {
        // Some servers leave the unit out, or write it another way.
        guard let field = fields["content-range"],
            let first = field.firstIndex(where: { $0 == "*" || $0 == "-" || $0.isASCII && $0.isNumber })
        else { return nil }
        let halves = field[first...].split(separator: "/", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        let total = Int64(halves[1])
        guard total ?? 0 >= 0 else { return nil }
        let places = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard places.count == 2, let start = places[0], start >= 0 else { return (nil, nil, total) }
        return (start, places[1].flatMap { $0 >= start ? $0 : nil }, total)
    }

    var takesRanges: Bool { status == 206 || fields["accept-ranges"]?.lowercased() == "bytes" }
    /// Whether the end of the connection is told apart from its loss.
    var isDelimited: Bool { !isVersion1 || fields["content-length"] != nil || fields["transfer-encoding"] != nil }
    /// Radio: it goes on for ever, and a connection that ends is one that was lost.
    var isRadio: Bool { contentLength == nil && fields.keys.contains { $0.hasPrefix("icy-") } }
    /// Whether nothing tells that there is a file behind it: it may be made as it is sent, and what was sent is not to be had
    /// again.
    var isUnmarked: Bool {
        status == 200 && contentLength == nil
            && !fields.keys.contains { ["etag", "last-modified", "accept-ranges"].contains($0) }
    }

    /// Whether `other` is of the same content, as far as both say.
    func isSameContent(as other: HTTPHead) -> Bool {
        for name in ["etag", "last-modified"] {
            if let mine = fields[name], let its = other.fields[name] {
                // A weak tag is the same tag.
                return mine.trimmingPrefix("W/") == its.trimmingPrefix("W/")
            }
        }
        return true
    }

    /// Whether both say when their content was changed last, and say the same.
    func isAsOld(as other: HTTPHead) -> Bool {
        fields["last-modified"] != nil && fields["last-modified"] == other.fields["last-modified"]
    }
}
