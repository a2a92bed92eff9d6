import GlissadeCFFmpeg

// Reads HLS and DASH segments in MP4 as MPEG-TS, for versions of FFmpeg whose HLS demuxer cannot seek in MP4 segments.
// Everything about it is in this file; with those versions, it can be deleted.

/// Whether MP4 segments are rewritten.
enum SegmentRewriting {
    /// Whether the HLS demuxer of a version of libavformat cannot seek in MP4 segments: it reads nothing more after a
    /// seek. So it is with FFmpeg 5.1, 7.0 and 7.1 (Debian 12 and 13). FFmpeg 8.0, libavformat 62, was the first
    /// release with the correction, which did not go into the 7.1 branch. Versions in development between them count
    /// as wrong, since rewriting works with all.
    ///
    /// - Parameter version: What `avformat_version` returns: the major version in the bits from 16 on.
    static func isNeeded(by version: UInt32) -> Bool { version >> 16 < 62 }
}

/// The segments of a film that are rewritten as MPEG-TS, of DASH streams and of HLS playlists. Reads their
/// initialization segments.
///
/// Rewritten segments have other times than the others. So either all HLS playlists of a film are rewritten, or none.
///
/// Threads: confined to the thread that reads the media.
final class RewrittenSegments {
    typealias Initialization = SegmentRemuxer.Initialization

    private let session: ResourceSession
    /// What comes before the segments, by the fragment of their addresses.
    private var initializations: [String: Initialization] = [:]
    /// The initialization segments that have been read.
    private var known: [Initialization: [UInt8]] = [:]
    /// Why initialization segments could not be read.
    private var failures: [Initialization: ResourceFailure] = [:]
    /// The number of each HLS playlist that has been rewritten, by its URL.
    private var numbers: [String: Int] = [:]
    /// Whether the HLS playlists are rewritten; nil before the first one has been read.
    private var isRewriting: Bool?
    /// Whether a playlist cannot be rewritten after others have been. The film must then be opened again.
    private(set) var isMixed = false

    /// The maximum number of initialization segments to remember. A live stream may always have new ones.
    private static let mostKnown = 64

    init(session: ResourceSession) {
        self.session = session
        isRewriting = session.rules.rewritesSegments ? nil : false
    }

    /// Sets what comes before the segments of a DASH stream, by the fragment of their addresses.
    ///
    /// - Parameter known: The initialization segments that have been read already.
    func setInitializations(_ initializations: [String: Initialization], known: [Initialization: [UInt8]]) {
        (self.initializations, self.known) = (initializations, known)
    }

    /// Forgets that initialization segments could not be read.
    func forgetFailures() { failures.removeAll() }

    /// Forgets the HLS playlists, before the film is opened again.
    func reset() {
        isRewriting = isMixed || !session.rules.rewritesSegments ? false : nil
        isMixed = false
        initializations.removeAll()
        numbers.removeAll()
    }

    // MARK: - Playlists

    /// Returns an HLS playlist, rewritten if its segments can be.
    ///
    /// - Parameters:
    ///   - name: The URL that FFmpeg has opened.
    ///   - address: The same after redirects.
    ///   - key: The key of the playlist's cost.
    /// - Throws: A failure if the rewritten playlists are too long, or if a playlist that has been rewritten cannot be
    ///   rewritten any more.
    func playlist(
        _ text: [UInt8], named name: String, at address: WebAddress, key: String
    ) throws(ResourceFailure) -> [UInt8] {
        guard isRewriting != false else { return text }
        let prefix = "hls-\(numbers[name] ?? numbers.count)"
        let playlist = SegmentPlaylist(text, at: address, named: prefix)
        guard playlist.hasSegments else { return text }
        var canRewrite = playlist.first != nil
        if !session.isOpen, let first = playlist.first {
            // FFmpeg fails too, since `failure` refuses the initialization segment.
            guard let bytes = try? bytes(of: first) else { return text }
            canRewrite = SegmentRemuxer.canRewrite(bytes)
        }
        guard canRewrite else {
            if session.isOpen {
                session.fail(.changedFormat)
                throw .changedFormat
            }
            isMixed = isRewriting == true
            isRewriting = false
            return text
        }
        var scanner = PlaylistScanner(addressBytes: address.text.utf8.count)
        playlist.text.withUnsafeBytes { scanner.take($0, at: 0) }
        try session.note(scanner.cost, of: key)
        isRewriting = true
        numbers[name] = numbers[name] ?? numbers.count
        // Those of the same playlist before it was reloaded.
        initializations = initializations.filter { !$0.key.hasPrefix(prefix + "/") }
        initializations.merge(playlist.initializations) { $1 }
        return playlist.text
    }

    // MARK: - Segments

    /// Returns what comes before a segment that is to be rewritten, and the byte range to read, both from the fragment of
    /// its address; nil for anything else.
    func segment(_ url: String) -> (initialization: Initialization, range: Range<Int64>?)? {
        guard !initializations.isEmpty, let mark = url.firstIndex(of: "#") else { return nil }
        var fragment = url[url.index(after: mark)...]
        if fragment.hasSuffix(SegmentPlaylist.suffix) { fragment.removeLast(SegmentPlaylist.suffix.count) }
        let parts = fragment.split(separator: ":", maxSplits: 1)
        guard let name = parts.first, let initialization = initializations[String(name)] else { return nil }
        let ends = parts.dropFirst().first?.split(separator: "-").compactMap { Int64($0) } ?? []
        return (initialization, ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil)
    }

    /// Returns why an initialization segment could not be read that is this part of the data at `address`; nil for
    /// anything else.
    func failure(at address: WebAddress, _ start: Int64, _ end: Int64?) -> ResourceFailure? {
        failures.first { initialization, _ in
            initialization.address == address.text && initialization.range?.lowerBound ?? 0 == start
                && initialization.range?.upperBound == end
        }?.value
    }

    /// Reads an initialization segment, or returns it if it has been read before.
    ///
    /// - Throws: Why it cannot be read, also if that was found before; `changedFormat` if the film is open, and the
    ///   segments cannot be rewritten.
    func bytes(of initialization: Initialization) throws(ResourceFailure) -> [UInt8] {
        if let bytes = known[initialization] { return bytes }
        do throws(ResourceFailure) {
            if let failure = failures[initialization] { throw failure }
            let bytes = try read(initialization)
            if session.isOpen, isRewriting == true, !SegmentRemuxer.canRewrite(bytes) { throw .changedFormat }
            if known.count >= Self.mostKnown { known.removeAll() }
            known[initialization] = bytes
            return bytes
        } catch {
            session.notePart(error)
            if failures.count >= Self.mostKnown { failures.removeAll() }
            if error != .interrupted { failures[initialization] = error }
            throw error
        }
    }

    private func read(_ initialization: Initialization) throws(ResourceFailure) -> [UInt8] {
        guard let address = WebAddress(initialization.address) else { throw .invalidAddress }
        do throws(ResourceFailure) {
            return try session.part(of: address, initialization.range)
        } catch {
            // Without it, all segments would be left out, so a busy server is asked once more. Once the film is open,
            // `part` has done so.
            guard !session.isOpen, error.isUnavailable, error.isRetriable else { throw error }
            return try session.part(of: address, initialization.range)
        }
    }
}

/// Rewrites a segment from MP4 to MPEG-TS while it is read. The streams are copied, not encoded again.
///
/// Threads: confined to the thread that reads the media. FFmpeg's callbacks run on that thread too.
final class SegmentRemuxer {
    /// What comes before each segment.
    struct Initialization: Hashable, Sendable {
        var address: String
        var range: Range<Int64>?
        /// What to add to the times of the segments, in microseconds.
        var offset: Int64

        /// What to add to times that start at 0, in microseconds: enough that no time is negative.
        static let margin: Int64 = 10_000_000
    }

    /// Reads bytes of the segment; 0 at its end.
    private let source: (UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int
    /// What is left of the initialization segment, which is read first.
    private var head: ArraySlice<UInt8>
    /// What to add to the times, in microseconds.
    private let offset: Int64
    /// The size of the largest packet that is copied, in bytes.
    private let packetLimit: Int
    private var output: [UInt8] = []
    private var position = 0
    private var input: UnsafeMutablePointer<AVFormatContext>?
    private var inputIO: UnsafeMutablePointer<AVIOContext>?
    private var muxer: UnsafeMutablePointer<AVFormatContext>?
    private var failure: ResourceFailure?
    private var isAtEnd = false

    private static let bufferSize = 32 << 10
    /// How much memory to keep for the output of further packets, in bytes.
    private static let mostKeptBytes = 8 << 20
    /// The codecs that both MP4 and MPEG-TS carry in a form that FFmpeg converts.
    private static let codecs = [
        AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3,
    ]
    private static let microseconds = AVRational(num: 1, den: AV_TIME_BASE)

    init(
        initialization: [UInt8], offset: Int64, packetLimit: Int = MemoryBudget.packetBytes,
        source: @escaping (UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int
    ) {
        head = initialization[...]
        self.offset = offset
        self.packetLimit = packetLimit
        self.source = source
    }

    deinit {
        avformat_close_input(&input)
        Self.free(&inputIO)
        if let muxer {
            Self.free(&muxer.pointee.pb)
            avformat_free_context(muxer)
        }
    }

    /// Reads bytes of the rewritten segment. Returns the number of bytes read; 0 at the end, which may be early if the
    /// segment is damaged.
    func read(into target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int {
        while position == output.count {
            if let failure { throw failure }
            if isAtEnd { return 0 }
            output.removeAll(keepingCapacity: output.capacity <= Self.mostKeptBytes)
            position = 0
            copyPacket()
        }
        let count = min(target.count, output.count - position)
        target.copyBytes(from: output[position..<position + count])
        position += count
        return count
    }

    /// Copies the next packet, or ends the output.
    private func copyPacket() {
        guard muxer != nil || open(), let input, let muxer, let packet = try? Packet() else {
            isAtEnd = true
            return
        }
        if av_read_frame(input, packet.pointer) < 0 {
            // Writes what the muxer has kept.
            av_write_trailer(muxer)
            isAtEnd = true
        } else if Int(packet.pointer.pointee.size) <= packetLimit, packet.track < Int(muxer.pointee.nb_streams),
            let from = input.pointee.streams[packet.track], let to = muxer.pointee.streams[packet.track]
        {
            av_packet_rescale_ts(packet.pointer, from.pointee.time_base, to.pointee.time_base)
            let shift = av_rescale_q(offset, Self.microseconds, to.pointee.time_base)
            let unknown = glissade_nopts()
            if packet.pointer.pointee.pts != unknown {
                packet.pointer.pointee.pts = packet.pointer.pointee.pts.addingClamped(shift)
            }
            if packet.pointer.pointee.dts != unknown {
                packet.pointer.pointee.dts = packet.pointer.pointee.dts.addingClamped(shift)
            }
            // A packet that cannot be written is left out.
            av_write_frame(muxer, packet.pointer)
        }
        avio_flush(muxer.pointee.pb)
    }

    // MARK: - Contexts

    /// Whether segments with this initialization can be rewritten: it describes streams, all in codecs that MPEG-TS
    /// carries.
    static func canRewrite(_ initialization: [UInt8]) -> Bool {
        let remuxer = SegmentRemuxer(initialization: initialization, offset: 0) { _ in 0 }
        guard remuxer.open(), let input = remuxer.input, input.pointee.nb_streams > 0 else { return false }
        return (0..<Int(input.pointee.nb_streams)).allSatisfy { index in
            input.pointee.streams[index].map { codecs.contains($0.pointee.codecpar.pointee.codec_id) } == true
        }
    }

    private func open() -> Bool {
        inputIO = makeIO(forWriting: false)
        guard inputIO != nil, let context = avformat_alloc_context() else { return false }
        context.pointee.pb = inputIO
        context.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        input = context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "data", 0)
        for (name, value) in MediaFormats.limitsOfAddresses { av_dict_set(&options, name, value, 0) }
        guard avformat_open_input(&input, "segment", av_find_input_format("mov"), &options) >= 0, let input else {
            return false
        }
        guard avformat_alloc_output_context2(&muxer, nil, "mpegts", nil) >= 0, let muxer else { return false }
        muxer.pointee.pb = makeIO(forWriting: true)
        guard muxer.pointee.pb != nil else { return false }
        // All segments have the same timeline, so the times must not be moved.
        muxer.pointee.avoid_negative_ts = 0
        for index in 0..<Int(input.pointee.nb_streams) {
            guard let stream = avformat_new_stream(muxer, nil), let from = input.pointee.streams[index],
                avcodec_parameters_copy(stream.pointee.codecpar, from.pointee.codecpar) >= 0
            else { return false }
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = from.pointee.time_base
        }
        var flags: OpaquePointer?
        defer { av_dict_free(&flags) }
        av_dict_set(&flags, "mpegts_copyts", "1", 0)
        // The packet counters restart in each segment.
        av_dict_set(&flags, "mpegts_flags", "+initial_discontinuity", 0)
        return avformat_write_header(muxer, &flags) >= 0
    }

    private func makeIO(forWriting: Bool) -> UnsafeMutablePointer<AVIOContext>? {
        guard let buffer = av_malloc(Self.bufferSize) else { return nil }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), CInt(Self.bufferSize), forWriting ? 1 : 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, buffer, size in
                guard let opaque, let buffer, size > 0 else { return glissade_averror_eof() }
                return Unmanaged<SegmentRemuxer>.fromOpaque(opaque).takeUnretainedValue()
                    .readInput(UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
            },
            { opaque, bytes, size in
                guard let opaque, let bytes, size > 0 else { return 0 }
                Unmanaged<SegmentRemuxer>.fromOpaque(opaque).takeUnretainedValue().output +=
                    UnsafeRawBufferPointer(start: bytes, count: Int(size))
                return size
            }, nil)
        if io == nil { av_free(buffer) }
        return io
    }

    private func readInput(_ target: UnsafeMutableRawBufferPointer) -> CInt {
        if !head.isEmpty {
            let count = min(target.count, head.count)
            target.copyBytes(from: head.prefix(count))
            head = head.dropFirst(count)
            return CInt(count)
        }
        do throws(ResourceFailure) {
            let count = try source(target)
            return count > 0 ? CInt(count) : glissade_averror_eof()
        } catch {
            failure = error
            return glissade_averror_from_errno(EIO)
        }
    }

    private static func free(_ io: inout UnsafeMutablePointer<AVIOContext>?) {
        guard let context = io else { return }
        // FFmpeg may have replaced the buffer.
        av_freep(&context.pointee.buffer)
        avio_context_free(&io)
    }
}

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
