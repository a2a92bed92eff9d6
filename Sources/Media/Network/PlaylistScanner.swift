/// Judges whether what is read is a playlist, and what that costs FFmpeg, while its bytes come in. A value.
///
/// FFmpeg's HLS demuxer takes some 8 KiB for each stream that a playlist names, and keeps the whole address of each part: a
/// playlist of 16 MiB can take gigabytes. For DASH it keeps the document as a tree, and an address for each part as well.
struct PlaylistScanner {
    enum Kind: Hashable, Sendable {
        case hls
        /// Of DASH.
        case xml

        /// Longer ones are refused. The longest lists of parts are those of days of a broadcast; a tree of XML takes more
        /// than thirty times its text.
        var mostBytes: Int64 { self == .hls ? 16 << 20 : 4 << 20 }
    }

    /// What FFmpeg keeps of a playlist.
    struct Cost: Hashable, Sendable {
        var streams = 0
        var bytes = 0

        /// Of all playlists of a film. FFmpeg reads the beginning of each stream before the film begins.
        static let mostStreams = 200
        static let mostBytes = 256 << 20

        static func + (left: Cost, right: Cost) -> Cost {
            Cost(streams: left.streams + right.streams, bytes: left.bytes + right.bytes)
        }
    }

    /// Nil for anything but a playlist, and before its first seven bytes that are not white space.
    private(set) var kind: Kind?
    private(set) var cost = Cost()
    /// Up to where it has been read, without a gap.
    private(set) var taken: Int64 = 0

    private var isJudged = false
    private var opening: [UInt8] = []
    /// The beginning of the line, or of the element, that is being read.
    private var line: [UInt8] = []
    private var lineLength = 0
    /// For the key that the following parts have.
    private var keyBytes = 0
    private var longestElement = 0
    private var elements = 0
    /// Of the playlist's own address, which those in it are relative to.
    private let addressBytes: Int

    private static let signature = Array("#EXTM3U".utf8)
    /// No media begins with more white space.
    private static let mostSpace = 64 << 10
    /// FFmpeg's HLS demuxer cuts addresses and lines off here.
    private static let longestAddress = 4096
    /// A stream's or a part's own entry, with what the allocator adds.
    private static let streamBytes = 16 << 10
    private static let entryBytes = 256

    init(addressBytes: Int) { self.addressBytes = addressBytes }

    /// Takes the bytes at `place`. Those that do not follow on the last ones are left out, but for the beginning: there it is
    /// read again.
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
        if kind == .xml {
            if byte == UInt8(ascii: "<") {
                elements += 1
                lineLength = 0
            }
            lineLength += 1
            longestElement = max(longestElement, lineLength)
            cost.bytes = elements * (Self.entryBytes + addressBytes + longestElement)
            return
        }
        // A zero ends a line as well.
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
