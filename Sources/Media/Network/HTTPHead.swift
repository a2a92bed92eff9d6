/// The head of an HTTP response, parsed line by line.
struct HTTPHead {
    /// The status code, such as 404; 0 before the status line has arrived, or if that line is malformed.
    private(set) var status = 0
    /// The reason phrase, such as `Not Found`; empty if there is none.
    private(set) var reason = ""
    /// Whether the empty line at the end of the head has arrived.
    private(set) var isComplete = false
    private var isVersion1 = true
    private var fields: [String: String] = [:]
    private var byteCount = 0

    /// The maximum length of a head, in bytes.
    private static let longest = 256 << 10
    /// The header fields to keep, in lower case.
    private static let names: Set<String> = [
        "location", "content-length", "content-range", "content-type", "accept-ranges", "etag", "last-modified",
        "transfer-encoding", "icy-name", "icy-br", "icy-url", "icy-metaint",
    ]

    /// Parses a line, with or without its line ending. A status line starts a new head. Returns false once the head
    /// is too long.
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

    /// Whether this is the complete head of a final response. False for interim responses (1xx).
    var isAnswer: Bool { isComplete && status >= 200 }
    var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) && location != nil }
    var location: String? { fields["location"] }

    /// The media type without parameters, such as `video/mp4`; nil if there is none.
    var contentType: String? {
        fields["content-type"].map { String($0.prefix { $0 != ";" && $0 != " " }) }
    }

    /// The length of this response's body in bytes; nil if the length is not known in advance.
    var contentLength: Int64? {
        fields["transfer-encoding"] == nil
            ? fields["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } : nil
    }

    /// The `Content-Range` field: the offsets of the first and last byte in this response, and the size of the whole
    /// file. Each element is nil if the field omits it. Nil if there is no valid field.
    var contentRange: (start: Int64?, last: Int64?, total: Int64?)? {
        // Some servers omit the unit or misspell it.
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

    /// Whether the server can send a part of the file.
    var takesRanges: Bool { status == 206 || fields["accept-ranges"]?.lowercased() == "bytes" }
    /// Whether the end of the body can be distinguished from a lost connection.
    var isDelimited: Bool { !isVersion1 || fields["content-length"] != nil || fields["transfer-encoding"] != nil }
    /// Whether the response is an Internet radio stream. Such a stream never ends, so a closed connection counts as
    /// lost.
    var isRadio: Bool { contentLength == nil && fields.keys.contains { $0.hasPrefix("icy-") } }
    /// Whether the response shows no sign of being a stored file, such as a length or a modification time. Such a
    /// response may be generated on the fly, and earlier data may no longer be available.
    var isUnmarked: Bool {
        status == 200 && contentLength == nil
            && !fields.keys.contains { ["etag", "last-modified", "accept-ranges"].contains($0) }
    }

    /// Whether this response and `other` seem to have the same content. Compares the entity tags, or the modification
    /// times if a tag is missing. True if neither can be compared.
    func isSameContent(as other: HTTPHead) -> Bool {
        for name in ["etag", "last-modified"] {
            if let mine = fields[name], let its = other.fields[name] {
                // Treat a weak tag as equal to a strong one.
                return mine.trimmingPrefix("W/") == its.trimmingPrefix("W/")
            }
        }
        return true
    }

    /// Whether this response and `other` have the same modification time. False if either time is missing.
    func isAsOld(as other: HTTPHead) -> Bool {
        fields["last-modified"] != nil && fields["last-modified"] == other.fields["last-modified"]
    }
}
