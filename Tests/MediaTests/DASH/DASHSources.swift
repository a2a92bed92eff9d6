@testable import GlissadeMedia

/// Parts of DASH manifests for tests.
enum DASHSource {
    /// Where the manifests are.
    static let address = "http://a.example/films/film.mpd"

    static func document(_ period: String, _ attributes: String = "mediaPresentationDuration=\"PT4S\"") -> [UInt8] {
        Array("<?xml version=\"1.0\"?>\n<MPD type=\"static\" \(attributes)><Period>\(period)</Period></MPD>".utf8)
    }

    /// An adaptation set with one representation, which contains `addressing`. Without other `codecs`, its segments are
    /// not rewritten.
    static func set(
        _ addressing: String, kind: String = "video", codecs: String = "other", attributes: String = ""
    ) -> String {
        "<AdaptationSet contentType=\"\(kind)\" \(attributes)><Representation id=\"r1\" bandwidth=\"1000\" "
            + "codecs=\"\(codecs)\" mimeType=\"\(kind)/mp4\">\(addressing)</Representation></AdaptationSet>"
    }

    static func playlists(
        _ document: [UInt8], at address: String = address,
        readIndex: (WebAddress, Range<Int64>) -> [UInt8]? = { _, _ in nil }
    ) throws -> DASHPlaylists {
        try DASHPlaylists(DASHManifest(document), at: WebAddress(address)!, readIndex: readIndex)
    }

    /// The playlist of the only video representation in `period`.
    static func playlist(
        _ period: String, _ attributes: String = "mediaPresentationDuration=\"PT4S\"",
        readIndex: (WebAddress, Range<Int64>) -> [UInt8]? = { _, _ in nil }
    ) throws -> String {
        try playlists(document(period, attributes), readIndex: readIndex).texts["glissade-dash://video/0"] ?? ""
    }

    /// The segments of a playlist: duration, address, and byte range if there is one.
    static func segments(_ playlist: String) -> [String] {
        var segments: [String] = []
        var (length, range) = ("", "")
        for line in playlist.split(separator: "\n") {
            if line.hasPrefix("#EXTINF:") {
                length = String(line.dropFirst(8).dropLast())
            } else if line.hasPrefix("#EXT-X-BYTERANGE:") {
                range = " " + line.dropFirst(17)
            } else if !line.hasPrefix("#") {
                segments.append("\(length) \(line)\(range)")
                range = ""
            }
        }
        return segments
    }

    /// Why the manifest cannot be played; nil if it can.
    static func failure(_ document: [UInt8], at address: String = address) -> DASHFailure? {
        do {
            _ = try playlists(document, at: address)
            return nil
        } catch { return error as? DASHFailure }
    }

    /// Why the only video representation in `period` cannot be played; nil if it can.
    static func failure(_ period: String) -> DASHFailure? { failure(document(period)) }
}
