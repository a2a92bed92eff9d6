/// Detects playlists in incoming bytes, and estimates how much memory FFmpeg needs for them.
///
/// FFmpeg's HLS demuxer allocates about 8 KiB for each stream, and keeps the full URL of each part. A playlist of 16
/// MiB can therefore take gigabytes.
struct PlaylistScanner {
    enum Kind: Hashable, Sendable {
        case hls
        /// XML, which is treated as a DASH manifest.
        case xml

        /// The maximum length of a playlist, in bytes. A DASH manifest can list many segments in few bytes.
        var mostBytes: Int64 { self == .hls ? 16 << 20 : 4 << 20 }
    }

    /// The estimated cost of a playlist in FFmpeg: the number of streams to open, and the memory in bytes.
    struct Cost: Hashable, Sendable {
        var streams = 0
        var bytes = 0

        /// The maximum number of streams in all playlists of a film together. FFmpeg reads the start of each stream
        /// before playback begins.
        static let mostStreams = 200
        /// The maximum memory for all playlists of a film together, in bytes.
        static let mostBytes = 256 << 20

        static func + (left: Cost, right: Cost) -> Cost {
            Cost(streams: left.streams + right.streams, bytes: left.bytes + right.bytes)
        }
    }

    /// The kind of playlist; nil if the data is not a playlist, or if there is too little data to tell.
    private(set) var kind: Kind?
    private(set) var cost = Cost()
    /// The number of bytes scanned so far, all of them contiguous from the start of the data.
    private(set) var taken: Int64 = 0

    /// Whether the data is known to be a playlist, or known not to be one.
    private var isJudged = false
    private var opening: [UInt8] = []
    /// The first bytes of the current line of an HLS playlist: enough to recognize a tag.
    private var line: [UInt8] = []
    /// The length of the current line, in bytes.
    private var lineLength = 0
    /// The length of the last key's URL, in bytes. FFmpeg stores a copy of that URL for each later part.
    private var keyBytes = 0
    /// The length of the playlist's own URL, in bytes. FFmpeg prepends that URL to each relative URL.
    private let addressBytes: Int

    /// How an HLS playlist begins.
    static let signature = Array("#EXTM3U".utf8)
    /// The maximum amount of white space to skip at the start, in bytes. Data with more white space counts as XML.
    private static let mostSpace = 64 << 10
    /// The length at which FFmpeg's HLS demuxer truncates URLs and lines, in bytes.
    private static let longestAddress = 4096
    /// The memory for one stream, in bytes, including allocator overhead.
    private static let streamBytes = 16 << 10
    /// The memory, in bytes, that FFmpeg needs for a segment's entry in a parsed playlist, apart from the segment's URL.
    private static let entryBytes = 256

    /// Creates a scanner for a playlist whose own URL has `addressBytes` bytes.
    init(addressBytes: Int) { self.addressBytes = addressBytes }

    /// Scans the bytes at the offset `place`. Offset 0 restarts the scan. Other bytes are ignored unless they directly
    /// follow the bytes that were scanned last. Does nothing once the data is known not to be a playlist.
    mutating func take(_ bytes: UnsafeRawBufferPointer, at place: Int64) {
        if isJudged, kind == nil { return }
        if place == 0, taken > 0 { self = PlaylistScanner(addressBytes: addressBytes) }
        guard place == taken else { return }
        for byte in bytes {
            taken += 1
            if isJudged { scan(byte) } else { judge(byte) }
            if isJudged, kind == nil { return }
        }
    }

    private mutating func judge(_ byte: UInt8) {
        let isSpace = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte)
        if opening.isEmpty, isSpace, taken <= Int64(Self.mostSpace) { return }
        opening.append(byte)
        if opening.first == UInt8(ascii: "<") || taken > Int64(Self.mostSpace) {
            kind = .xml
        } else if opening == Self.signature {
            kind = .hls
        } else if Self.signature.starts(with: opening) {
            return
        }
        isJudged = true
        if kind != nil { for byte in opening { scan(byte) } }
    }

    private mutating func scan(_ byte: UInt8) {
        // The playlists that a manifest is translated into have costs of their own.
        if kind == .xml { return }
        // A zero byte ends a line too.
        guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r"), byte != 0 else {
            if lineLength > 0 { takeLine() }
            line.removeAll(keepingCapacity: true)
            lineLength = 0
            return
        }
        lineLength += 1
        if line.count < 20 { line.append(byte) }
    }

    private mutating func takeLine() {
        func begins(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { line.starts(with: $0) }
        }
        let isWhole = begins("http://") || begins("https://")
        let address = min(Self.longestAddress, lineLength + (isWhole ? 0 : addressBytes))
        if begins("#EXT-X-STREAM-INF:") || begins("#EXT-X-MEDIA:") {
            cost.streams += 1
            cost.bytes += Self.streamBytes
        } else if begins("#EXT-X-KEY:") {
            keyBytes = address
        } else if begins("#EXT-X-MAP:") || line.first != UInt8(ascii: "#") {
            cost.bytes += Self.entryBytes + address + keyBytes
        }
    }
}
