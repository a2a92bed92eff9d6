import GlissadeCCURL

/// An `http` or `https` URL.
///
/// Parsed by libcurl, so that the security checks see the same host that libcurl connects to.
struct WebAddress: Hashable, Sendable {
    /// The whole URL without its fragment, as passed to libcurl.
    let text: String
    let isEncrypted: Bool
    /// The host name or IP address. An IPv6 address has no brackets.
    let host: String
    private let port: String
    /// The credentials in the URL, percent-encoded: `name` or `name:password`. Nil if the URL has none.
    private let user: String?

    /// Parses `text`; nil if the text is not a valid `http` or `https` URL.
    init?(_ text: String) { self.init(text, relativeTo: nil) }

    /// Returns the target of a redirect from this URL to `location`; nil if the target is not a valid `http` or `https`
    /// URL. If the target has no credentials but the same scheme, host and port as this URL, it inherits this URL's
    /// credentials.
    func resolving(_ location: String) -> WebAddress? {
        guard let next = WebAddress(location, relativeTo: self) else { return nil }
        let isSameServer = next.isEncrypted == isEncrypted && next.host == host && next.port == port
        if !isSameServer || next.user != nil || user == nil { return next }
        return WebAddress(next.text, relativeTo: nil, user: user)
    }

    private init?(_ text: String, relativeTo base: WebAddress?, user newUser: String? = nil) {
        guard let curl = Curl.library, text.utf8.count <= Self.longest, let parts = curl.url_init() else { return nil }
        defer { curl.url_cleanup(parts) }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl.url_get(parts, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
            defer { curl.free(value) }
            return String(cString: value)
        }
        if let base {
            guard curl.url_set(parts, CURLUPART_URL, base.text, 0) == CURLUE_OK,
                // A relative URL keeps the base's credentials; an absolute URL replaces them.
                curl.url_set(parts, CURLUPART_URL, Self.encoded(text), 0) == CURLUE_OK
            else { return nil }
        } else {
            guard curl.url_set(parts, CURLUPART_URL, Self.encoded(text), 0) == CURLUE_OK else { return nil }
        }
        if let newUser {
            let halves = newUser.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard curl.url_set(parts, CURLUPART_USER, halves[0], 0) == CURLUE_OK else { return nil }
            if halves.count > 1 { _ = curl.url_set(parts, CURLUPART_PASSWORD, halves[1], 0) }
        }
        _ = curl.url_set(parts, CURLUPART_FRAGMENT, nil, 0)
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            let host = part(CURLUPART_HOST), let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT),
            let whole = part(CURLUPART_URL)
        else { return nil }
        self.text = whole
        isEncrypted = scheme == "https"
        self.host = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        self.port = port
        user = part(CURLUPART_USER).map { $0 + (part(CURLUPART_PASSWORD).map { ":" + $0 } ?? "") }
    }

    /// The maximum length of a URL, in bytes.
    private static let longest = 1 << 16

    /// Returns `text` with spaces and other unsafe characters percent-encoded, except in the host.
    private static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let colon =
            text.utf8.count >= 3 ? bytes.indices.dropLast(2).first { bytes[$0...].starts(with: "://".utf8) } : nil
        let path = colon.flatMap { colon in bytes[(colon + 3)...].firstIndex { Self.endsHost.contains($0) } } ?? 0
        let start = colon == nil ? 0 : path == 0 ? bytes.count : path
        var encoded = Array(bytes[..<start])
        for byte in bytes[start...] {
            if byte > 0x20, byte < 0x7F, !Self.unsafe.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let endsHost = Set("/?#".utf8)
    private static let unsafe = Set("\"<>\\^`{|}".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)
}
