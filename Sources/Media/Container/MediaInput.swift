package import GlissadeCFFmpeg
import Glibc
import Synchronization
package import GlissadeTime

/// An open media container. Confined to the thread that reads it.
///
/// A container opened by path cannot open other files or hosts, even if it refers to them. The exception is a playlist
/// (HLS or DASH), which can open files in its own folder and below. A playlist opened by an `http` or `https` URL can
/// open other such URLs. No container opened by URL can open files.
package struct MediaInput: ~Copyable {
    /// The path or URL.
    let location: String
    /// The path of a file, as the C library takes it; empty for an address.
    package var path: [CChar] {
        if Self.isAddress(location) { return [0] }
        return (FileAddress.path(of: location) ?? Array(location.utf8)).map { CChar(bitPattern: $0) } + [0]
    }
    /// FFmpeg's context for the container.
    package let context: UnsafeMutablePointer<AVFormatContext>
    /// The I/O context that this input opened itself. Nil for web URLs, playlists in files, RTSP and RTP.
    private let file: UnsafeMutablePointer<AVIOContext>?
    private let gate: Unmanaged<Gate>
    /// The source of the data behind an `http` or `https` URL, or of a playlist in a file; nil for any other location.
    let resource: ResourceInput?
    /// Watches FFmpeg's own network protocols for redirects and timeouts; nil for files and web URLs.
    let watch: StreamWatch?

    /// Where the clock of a transport stream in a file restarts, as far as that was found on opening.
    package private(set) var joins = ClockJoins()
    /// The files of which this one was joined, if each of them has to be opened by itself; empty otherwise. Then the first
    /// one is open, with the length of all.
    package private(set) var parts: [FilePart] = []

    /// The state behind FFmpeg's interrupt callback.
    private final class Gate: Sendable {
        let isInterrupted: @Sendable () -> Bool
        init(isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }
    }

    /// Whether `location` is a URL with a scheme other than `file`, rather than a path.
    package static func isAddress(_ location: String) -> Bool {
        let bytes = Array(location.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1, bytes[colon...].starts(with: "://".utf8)
        else { return false }
        let scheme = bytes[..<colon]
        return !scheme.elementsEqual("file".utf8, by: { $0 | 0x20 == $1 }) && scheme.allSatisfy(isSchemeByte)
    }

    /// Whether a byte may occur in a URL scheme (RFC 3986, 3.1): letters, digits, `+`, `-` and `.`.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Opens `location`, a path or a URL, and finds its streams. Blocks. Throws an error once `isInterrupted` returns
    /// true.
    ///
    /// - Parameters:
    ///   - fileName: The file's name, if `location` is a descriptor's path.
    ///   - part: The part of the file to open; nil to find out whether it was joined.
    ///   - isForPlaying: Whether to skip probing the streams if the header is complete; see `HeaderProbe`.
    ///   - reconnecting: Called with true when the connection to a web server is lost, and with false when the
    ///     connection is back or when no further attempts are made.
    package init(
        location: String, fileName: String? = nil, part: FilePart? = nil, isForPlaying: Bool = false,
        network: NetworkRules = NetworkRules(),
        reconnecting: @escaping @Sendable (Bool) -> Void = { _ in },
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(PlaybackError) {
        let standardInput = location == StandardInput.location ? StandardInput.name : nil
        let isAddress = Self.isAddress(location) && standardInput == nil
        // Without the prefix, FFmpeg would take a colon in the path for the end of a protocol name.
        let path =
            standardInput.map { Array($0.url.utf8) }
            ?? "file:".utf8 + (FileAddress.path(of: location) ?? Array(location.utf8))
        MemoryBudget.limitAllocations()
        guard var context = avformat_alloc_context() else { throw .outOfMemory }
        let watch =
            isAddress && !StreamAddress.isWeb(location)
            ? StreamWatch(timeout: network.streamTimeout, isCancelled: isInterrupted) : nil
        let gate = Unmanaged.passRetained(Gate { watch?.isInterrupted ?? isInterrupted() })
        let interruption = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Gate>.fromOpaque(opaque).takeUnretainedValue().isInterrupted() ? 1 : 0
            }, opaque: gate.toOpaque())
        context.pointee.interrupt_callback = interruption
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var file: UnsafeMutablePointer<AVIOContext>?
        var resource: ResourceInput?
        var parts: [FilePart] = []
        do throws(PlaybackError) {
            if isAddress, let watch {
                try Self.openStream(location, &file, &opened, watch, interruption)
            } else if isAddress {
                try Self.openResource(
                    .address(location), &opened, &resource, network, isInterrupted, reconnecting)
                // Another context, if the first one has failed because of a broken variant.
                context = opened ?? context
            } else {
                // A path need not be valid UTF-8.
                let kind = try Self.openFile(
                    path, Self.probeName(fileName ?? location), part, by: standardInput?.protocol ?? "file",
                    &file, &opened, &parts, interruption)
                if kind == .playlist, standardInput != nil {
                    throw .cannotOpen(reason: "a playlist cannot be read from standard input")
                }
                if kind == .playlist {
                    avio_closep(&file)
                    let folder = try Self.folder(ofPlaylistAt: path.dropFirst("file:".utf8.count))
                    try Self.openResource(
                        .playlist(in: folder), &opened, &resource, network, isInterrupted, reconnecting)
                    context = opened ?? context
                }
            }
            if !isForPlaying || !HeaderProbe.complete(context) {
                try Self.check(StreamProbing.findStreams(in: context, isFile: !isAddress && resource == nil))
            }
            Self.nameTimedText(in: context)
            Self.leaveOutPriming(context)
            if !parts.isEmpty {
                context.pointee.duration = parts.reduce(0) { $0.addingClamped($1.length) } / 1000
            }
            resource?.didOpen(isTimed: context.pointee.duration > 0)
        } catch {
            watch?.watch(nil, url: nil)
            avformat_close_input(&opened)
            avio_closep(&file)
            resource?.close()
            gate.release()
            throw Self.networkFailure(resource, watch) ?? error
        }
        self.location = location
        self.resource = resource
        self.watch = watch
        self.context = context
        self.file = file
        self.gate = gate
        self.parts = parts
        guard file != nil, String(cString: context.pointee.iformat.pointee.name) == "mpegts" else { return }
        joins = findJoins()
        correctLength()
    }

    /// Sets the duration of a file whose clock restarts: FFmpeg has taken it from the last time and the first.
    private func correctLength() {
        guard let last = joins.joins.last, context.pointee.start_time != glissade_nopts() else { return }
        // FFmpeg's own estimate of the end, by the clock there.
        let end = context.pointee.start_time.addingClamped(context.pointee.duration)
        let placed = end.addingClamped(last.offset / 1000)
        if placed > context.pointee.start_time {
            context.pointee.duration = placed.subtractingClamped(context.pointee.start_time)
        }
    }

    /// Makes MP4's tracks of TTML subtitles, for which FFmpeg's reader has no name.
    private static func nameTimedText(in context: UnsafeMutablePointer<AVFormatContext>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar,
                parameters.pointee.codec_id == AV_CODEC_ID_NONE,
                withUnsafeBytes(of: parameters.pointee.codec_tag.littleEndian, { $0.elementsEqual("stpp".utf8) })
            else { continue }
            parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            parameters.pointee.codec_id = AV_CODEC_ID_TTML
        }
    }

    /// Moves the start time past the priming samples, which audio encoders emit first and decoders drop. Some
    /// containers include these samples in their times, such as Matroska written by FFmpeg 7 and later.
    private static func leaveOutPriming(_ context: UnsafeMutablePointer<AVFormatContext>) {
        let start = context.pointee.start_time
        guard start != glissade_nopts(), start < 0 else { return }
        let microseconds = AVRational(num: 1, den: AV_TIME_BASE)
        let starts = (0..<Int(context.pointee.nb_streams)).compactMap { index -> Int64? in
            // Ignore subtitles. FFmpeg gives those without a start time the container's start time.
            guard let stream = context.pointee.streams[index]?.pointee, stream.start_time != glissade_nopts(),
                [AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO].contains(stream.codecpar.pointee.codec_type)
            else { return nil }
            let start = av_rescale_q(stream.start_time, stream.time_base, microseconds)
            let (padding, rate) = (stream.codecpar.pointee.initial_padding, stream.codecpar.pointee.sample_rate)
            guard start < 0, padding > 0, rate > 0 else { return start }
            let rest = start.addingClamped(Int64(padding) * Int64(AV_TIME_BASE) / Int64(rate))
            // Matroska rounds times to milliseconds.
            return rest < -1000 ? rest : 0
        }
        guard let begin = starts.min(), begin > start else { return }
        context.pointee.start_time = begin
        if context.pointee.duration > 0 {
            context.pointee.duration = max(
                1, context.pointee.duration.subtractingClamped(begin.subtractingClamped(start)))
        }
    }

    private enum FileKind { case media, playlist }

    /// Opens a file, or the part `part` of it, unless it is a playlist. Detects the format before the demuxer runs, and
    /// rejects formats that are not in `MediaFormats.ofFiles`. Of a file that was joined, opens the first one, and sets
    /// `parts`.
    private static func openFile(
        _ url: [UInt8], _ probeName: String, _ part: FilePart?, by fileProtocol: String,
        _ file: inout UnsafeMutablePointer<AVIOContext>?, _ context: inout UnsafeMutablePointer<AVFormatContext>?,
        _ parts: inout [FilePart], _ interruption: AVIOInterruptCB
    ) throws(PlaybackError) -> FileKind {
        let fileProtocol = part == nil ? fileProtocol : "subfile,\(fileProtocol)"
        let name = ((part?.prefix ?? "").utf8 + url).map { CChar(bitPattern: $0) } + [0]
        var interruption = interruption
        var options = OptionDictionary()
        try check(options.set("protocol_whitelist", fileProtocol))
        try check(avio_open2(&file, name, AVIO_FLAG_READ, &interruption, &options.pointer))
        if try isManifest(file) { return .playlist }
        var format: UnsafePointer<AVInputFormat>?
        try check(av_probe_input_buffer2(file, &format, probeName, nil, 0, 0))
        // The demuxer for numbered images (`image2`) goes by the name alone, and its score for a `.jpg` beats that of
        // a JPEG's first bytes. A name says nothing about what a picture is, so the content decides.
        if let found = format?.pointee.name, String(cString: found) == "image2" {
            format = nil
            try check(av_probe_input_buffer2(file, &format, "media", nil, 0, 0))
        }
        guard let format else { throw .cannotOpen(reason: reason(glissade_averror_invaliddata())) }
        if ResourceInput.isPlaylist(format) { return .playlist }
        let formatName = String(cString: format.pointee.name)
        guard MediaFormats.contains(format.pointee.name, in: MediaFormats.ofFiles) else {
            throw .cannotOpen(
                reason: referringFormats.contains(formatName)
                    ? "only refers to other files (\(formatName)), which is not supported"
                    : "unsupported format (\(formatName))")
        }
        if part == nil, let opened = file, opened.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 {
            let found = FileParts.find(
                in: FileExtent(size: avio_size(opened)) { readBytes(of: opened, $0, $1) }, format: formatName)
            if let first = found.first {
                avio_closep(&file)
                let kind = try openFile(
                    url, probeName, first, by: fileProtocol, &file, &context, &parts, interruption)
                parts = found
                return kind
            }
            try check(CInt(clamping: min(0, avio_seek(opened, 0, SEEK_SET))))
        }
        if formatName.hasPrefix("mov,mp4") { try limitIndex(of: file, &options) }
        let orientation = try exifOrientation(of: file, formatName)
        context?.pointee.pb = file
        context?.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        for (name, value) in [
            ("protocol_whitelist", fileProtocol), ("format_whitelist", MediaFormats.ofFiles),
            ("codec_whitelist", MediaFormats.decoders), ("max_streams", String(MemoryBudget.streams)),
        ] { try check(options.set(name, value)) }
        let code = avformat_open_input(&context, name, format, &options.pointer)
        // For an impossible frame size, this demuxer adds the length of "FRAME\n" to the error code: "Invalid
        // argument" becomes "Device or resource busy".
        if formatName == "yuv4mpegpipe", code == glissade_averror_from_errno(EINVAL) + 6 {
            throw .cannotOpen(reason: "the video's dimensions are zero or too large")
        }
        try check(code)
        if let orientation, let stream = context?.pointee.streams[0] {
            let (a, b, c, d) = ExifOrientation.matrix(orientation)
            try check(glissade_set_display_matrix(stream, a, b, c, d))
        }
        return .media
    }

    /// Returns the orientation, 2…8, that a picture's Exif data gives; nil if it is stored upright, or is no picture that
    /// can be read twice.
    private static func exifOrientation(
        of file: UnsafeMutablePointer<AVIOContext>?, _ format: String
    ) throws(PlaybackError) -> Int? {
        guard ["jpeg_pipe", "png_pipe", "webp_pipe"].contains(format), let file,
            file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
        else { return nil }
        let found = ExifOrientation.find { readBytes(of: file, $0, $1) }
        try check(CInt(clamping: min(0, avio_seek(file, 0, SEEK_SET))))
        return found.flatMap { $0 > 1 ? $0 : nil }
    }

    /// Reads `count` bytes at the offset `place`, or fewer at the end of the file.
    private static func readBytes(of file: UnsafeMutablePointer<AVIOContext>, _ place: Int64, _ count: Int) -> [UInt8] {
        guard avio_seek(file, place, SEEK_SET) >= 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            filled = max(0, Int(avio_read(file, bytes.baseAddress, CInt(clamping: count))))
        }
    }

    /// Rejects an MP4 file if the index that FFmpeg would build is too large, or if the size of the index cannot be
    /// estimated. If the index is too large only because of the edit lists, makes FFmpeg ignore the edit lists. Does
    /// nothing for input that cannot seek.
    private static func limitIndex(
        of file: UnsafeMutablePointer<AVIOContext>?, _ options: inout OptionDictionary
    ) throws(PlaybackError) {
        guard let file, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return }
        let limit = MemoryBudget.standard.indexEntries
        let tables = MP4Tables(size: avio_size(file), limit: limit) { readBytes(of: file, $0, $1) }
        guard !tables.isCompressed else { throw .cannotOpen(reason: "compressed movie headers are not supported") }
        guard tables.entries <= limit else { throw .cannotOpen(reason: reason(outOfMemory)) }
        // An edit may repeat a whole track, and FFmpeg adds index entries for each repetition. This option makes it
        // ignore the edit list.
        if tables.editedEntries > limit { try check(options.set("advanced_editlist", "0")) }
        try check(CInt(clamping: min(0, avio_seek(file, 0, SEEK_SET))))
    }

    /// Common formats that only refer to other files or URLs. When such a format is rejected, the error says why.
    static let referringFormats: Set<String> = ["concat", "dash", "hls", "imf", "sdp", "vobsub"]

    /// Returns a neutral file name for probing, with the extension of `name` unless the extension is unusual. FFmpeg
    /// would treat `%d` in the original name as a pattern.
    private static func probeName(_ name: String) -> String {
        let last = name.utf8.split(separator: UInt8(ascii: "/")).last ?? name.utf8[...]
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return "media" }
        let kind = last[last.index(after: dot)...]
        let isPlain = kind.count <= 8 && kind.allSatisfy { isSchemeByte($0) && $0 < 128 }
        return isPlain ? "media." + String(decoding: kind, as: UTF8.self) : "media"
    }

    /// Throws `cannotOpen` if `code` is an FFmpeg error.
    static func check(_ code: CInt) throws(PlaybackError) {
        if code < 0 { throw .cannotOpen(reason: reason(code)) }
    }

    deinit {
        // Closing a stream may call the interrupt callback after the context is freed.
        watch?.watch(nil, url: nil)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        var file = file
        avio_closep(&file)
        resource?.close()
        gate.release()
    }

    /// The code that `read` returns for a packet larger than `MemoryBudget.packetBytes`.
    static let packetTooLarge = glissade_averror_from_errno(EMSGSIZE)
    /// The code that `read` returns once the container's index exceeds the memory limit.
    package static let indexTooLarge = glissade_averror_from_errno(E2BIG)

    /// Reads the next packet into `packet`, which must be empty. Returns FFmpeg's code, `packetTooLarge` or
    /// `indexTooLarge`.
    package func read(_ packet: UnsafeMutablePointer<AVPacket>) -> CInt {
        watch?.begin()
        let code = av_read_frame(context, packet)
        guard code >= 0 else {
            return code == glissade_averror_eof() && hasHungUp ? glissade_averror_from_errno(ECONNRESET) : code
        }
        let isTooLarge = packet.pointee.size > MemoryBudget.packetBytes
        guard isTooLarge || isIndexTooLarge(Int(packet.pointee.stream_index)) else { return code }
        av_packet_unref(packet)
        return isTooLarge ? Self.packetTooLarge : Self.indexTooLarge
    }

    /// Clears the error that an interrupted read leaves in FFmpeg's I/O context. While the error is set, all reads and
    /// short forward seeks fail.
    package func clearInterruption() {
        guard let io = context.pointee.pb else { return }
        io.pointee.eof_reached = 0
        io.pointee.error = 0
    }

    /// Whether the container's index has grown too large, as it may while the fragments of an MP4 file are read. To
    /// save time, the entries of all streams are counted only if the stream at `index` has more than an equal share of
    /// the limit.
    private func isIndexTooLarge(_ index: Int) -> Bool {
        let count = Int(context.pointee.nb_streams)
        let limit = MemoryBudget.standard.indexEntries
        guard let stream = stream(index), Int(avformat_index_get_entries_count(stream)) > limit / count else {
            return false
        }
        return (0..<count).reduce(0) { $0 + Int(avformat_index_get_entries_count(context.pointee.streams[$1])) } > limit
    }

    /// Returns the stream at `index`; nil if there is none.
    package func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int(context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[index]
    }

    /// Returns the index of the best stream of the kind `type`, as chosen by FFmpeg; nil if there is none. Prefers
    /// streams in the same program as the stream at the index `other`.
    func bestStream(_ type: AVMediaType, relatedTo other: Int? = nil) -> Int? {
        let index = av_find_best_stream(context, type, -1, CInt(other ?? -1), nil, 0)
        return index >= 0 ? Int(index) : nil
    }

    /// The start time of the media, on the container's own timeline; zero if unknown.
    package var startTime: MediaTime {
        let start = context.pointee.start_time
        return start == glissade_nopts()
            ? .zero : MediaTime(nanoseconds: start.multipliedClamped(by: 1000).clamped(to: PacketTimeline.farthest))
    }

    /// Returns the message for FFmpeg's error code `code`, worded to follow a file's name.
    private static func reason(_ code: CInt) -> String {
        switch code {
        case glissade_averror_invaliddata(): "not a media file, or too damaged to read"
        // The code also means that a file exceeds FFmpeg's limits on streams or single allocations.
        case outOfMemory: "exceeds the memory limit"
        default: describe(code: code)
        }
    }
}
