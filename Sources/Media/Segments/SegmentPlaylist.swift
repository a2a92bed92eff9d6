/// An HLS playlist of segments, rewritten so that FFmpeg takes its MP4 segments for MPEG-TS (RFC 8216, 4.3).
///
/// The initialization segments (`EXT-X-MAP`) go, and so do the byte ranges. Instead, the address of each segment gets a
/// fragment that names its initialization segment and its byte range. `RewrittenSegments` reads the fragment.
struct SegmentPlaylist {
    typealias Initialization = SegmentRemuxer.Initialization

    /// Whether the playlist lists any segments. The main playlist of a stream with variants does not.
    private(set) var hasSegments = false
    /// The initialization segments, by the fragments that name them. Empty if the segments cannot be rewritten.
    private(set) var initializations: [String: Initialization] = [:]
    /// The initialization segment of the first segment; nil if the segments cannot be rewritten.
    private(set) var first: Initialization?
    /// The rewritten playlist.
    private(set) var text: [UInt8] = []

    private let base: WebAddress
    private let name: String
    private var fragments: [Initialization: String] = [:]
    /// The number of lines that name initialization segments.
    private var mapCount = 0
    /// The initialization segment of the next segments.
    private var current: Initialization?
    /// The byte range of the next segment.
    private var range: Range<Int64>?
    /// Where the next byte range starts if it does not say.
    private var offset: Int64 = 0
    /// Whether the next address is that of a segment.
    private var isSegment = false

    /// Makes FFmpeg's HLS demuxer accept the fragments of a segment: it checks how the address ends.
    static let suffix = ".ts"
    /// The maximum number of lines that name initialization segments. Each takes a few microseconds.
    private static let mostMaps = 10_000
    /// The longest line, in bytes. FFmpeg cuts longer ones.
    private static let longestLine = 4095
    /// The longest fragment, in bytes.
    private static let mostFragmentBytes = 96

    /// Rewrites a playlist.
    ///
    /// - Parameters:
    ///   - base: The URL of the playlist, to which its lines are relative.
    ///   - name: How the fragments begin.
    init(_ text: [UInt8], at base: WebAddress, named name: String) {
        self.base = base
        self.name = name
        var isRewritable = true
        for line in PlaylistLines(text) {
            if line.starts(with: "#EXTINF:".utf8) { hasSegments = true }
            if isRewritable { isRewritable = take(line) }
            if hasSegments, !isRewritable { break }
        }
        guard isRewritable, !initializations.isEmpty, self.text.count <= PlaylistScanner.Kind.hls.mostBytes else {
            (initializations, first, self.text) = ([:], nil, [])
            return
        }
    }

    /// Rewrites a line. Returns false if the segments cannot be rewritten.
    private mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: "#EXT-X-MAP:".utf8) {
            mapCount += 1
            guard mapCount <= Self.mostMaps, line.count <= Self.longestLine else { return false }
            current = initialization(line)
            return current != nil
        }
        if line.starts(with: "#EXT-X-BYTERANGE:".utf8) {
            guard line.count <= Self.longestLine else { return false }
            range = Self.range(line.dropFirst(17), after: offset)
            return range != nil
        }
        if line.starts(with: "#EXT-X-KEY:".utf8) {
            // Encrypted segments stay as they are.
            guard line.count <= Self.longestLine, Self.attribute("METHOD", of: line) == "NONE" else { return false }
        }
        guard line.first != UInt8(ascii: "#"), !line.isEmpty, isSegment else {
            if line.starts(with: "#EXTINF:".utf8) { isSegment = true }
            text += line
            text.append(UInt8(ascii: "\n"))
            return true
        }
        guard let current else { return false }
        let address = line.prefix { $0 != UInt8(ascii: "#") }
        guard base.text.utf8.count + address.count + Self.mostFragmentBytes <= SegmentTemplate.longestAddress else {
            return false
        }
        let bytes = range.map { ":\($0.lowerBound)-\($0.upperBound)" } ?? ""
        text += address
        text += "#\(fragment(of: current))\(bytes)\(Self.suffix)\n".utf8
        offset = range?.upperBound ?? 0
        (isSegment, range) = (false, nil)
        return true
    }

    private mutating func fragment(of initialization: Initialization) -> String {
        if let known = fragments[initialization] { return known }
        let fragment = "\(name)/\(fragments.count)"
        fragments[initialization] = fragment
        initializations[fragment] = initialization
        if first == nil { first = initialization }
        return fragment
    }

    // MARK: - Attributes

    private func initialization(_ line: ArraySlice<UInt8>) -> Initialization? {
        guard let text = Self.attribute("URI", of: line), let address = base.resolving(text),
            address.text.utf8.count <= SegmentTemplate.longestAddress
        else { return nil }
        var range: Range<Int64>?
        if let text = Self.attribute("BYTERANGE", of: line) {
            range = Self.range(Array(text.utf8)[...], after: 0)
            if range == nil { return nil }
        }
        return Initialization(address: address.text, range: range, offset: Initialization.margin)
    }

    /// Returns the value of an attribute of a tag; nil if there is none.
    private static func attribute(_ name: StaticString, of line: ArraySlice<UInt8>) -> String? {
        let attributes = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        return PlaylistAttributes.value(name, in: attributes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the range of bytes from `length@start`, or from `length` alone, which starts at `next`. Nil if it is
    /// malformed or empty.
    private static func range(_ text: ArraySlice<UInt8>, after next: Int64) -> Range<Int64>? {
        let numbers = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            .map { Int64(String(decoding: $0, as: UTF8.self)) ?? -1 }
        guard let length = numbers.first, length > 0, numbers.count <= 2 else { return nil }
        let start = numbers.count > 1 ? numbers[1] : next
        guard (0...HTTPReader.farthest).contains(start), length <= HTTPReader.farthest - start else { return nil }
        return start..<start + length
    }
}
