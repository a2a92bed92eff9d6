package import CFFmpeg
import Glibc
import Synchronization
package import Time

/// An opened container, owned by the demuxer's thread.
///
/// What a file may reach: a file given by path may open itself and nothing else, whatever it contains (a playlist, a
/// reference to another file, a host). An address may open addresses, and no files.
package struct MediaInput: ~Copyable {
    package let context: UnsafeMutablePointer<AVFormatContext>
    /// The file that was opened here; nil where FFmpeg opened an address by itself.
    private let file: UnsafeMutablePointer<AVIOContext>?
    private let gate: Unmanaged<Gate>
    /// Where it is a web address, what reads it; of another address, what keeps FFmpeg to it.
    let web: WebInput?
    let watch: StreamWatch?

    /// What FFmpeg asks while it opens and reads.
    private final class Gate: Sendable {
        let isInterrupted: @Sendable () -> Bool
        init(isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }
    }

    /// Whether an argument is an address rather than a path: it names a protocol other than `file`.
    package static func isAddress(_ location: String) -> Bool {
        let bytes = Array(location.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1, bytes[colon...].starts(with: "://".utf8)
        else { return false }
        let scheme = bytes[..<colon]
        return !scheme.elementsEqual("file".utf8) && scheme.allSatisfy(isSchemeByte)
    }

    /// RFC 3986, 3.1: letters, digits, and three signs.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Opens `location`, a path or an address, and finds out what is in it. Blocks; `isInterrupted` can end it.
    ///
    /// - Parameters:
    ///   - fileName: what a file is called, where `location` is not its own path.
    ///   - isForPlaying: what its head says is enough, where that is whole.
    ///   - reconnecting: told when a web server is lost, and when it is there again.
    package init(
        location: String, fileName: String? = nil, isForPlaying: Bool = false, network: NetworkRules = NetworkRules(),
        reconnecting: @escaping @Sendable (Bool) -> Void = { _ in },
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(PlaybackError) {
        let isAddress = Self.isAddress(location)
        // Without the prefix a path with a colon in it would be taken for a protocol.
        let path = "file:".utf8 + (FileAddress.path(of: location) ?? Array(location.utf8))
        MemoryBudget.limitAllocations()
        guard let context = avformat_alloc_context() else { throw .outOfMemory }
        let watch =
            isAddress && !StreamAddress.isWeb(location)
            ? StreamWatch(patience: network.streamPatience, isCancelled: isInterrupted) : nil
        let gate = Unmanaged.passRetained(Gate { watch?.isInterrupted ?? isInterrupted() })
        let interruption = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Gate>.fromOpaque(opaque).takeUnretainedValue().isInterrupted() ? 1 : 0
            }, opaque: gate.toOpaque())
        context.pointee.interrupt_callback = interruption
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var file: UnsafeMutablePointer<AVIOContext>?
        var web: WebInput?
        do throws(PlaybackError) {
            if isAddress, let watch {
                try Self.openStream(location, &file, &opened, watch, interruption)
            } else if isAddress {
                try Self.openWeb(location, &opened, &web, network, isInterrupted, reconnecting)
            } else {
                // A path need not be text.
                try Self.openFile(
                    path.map { CChar(bitPattern: $0) } + [0], Self.probeName(fileName ?? location), &file, &opened,
                    interruption)
            }
            if !isForPlaying || !HeaderProbe.complete(context) {
                try Self.check(StreamProbing.findStreams(in: context, isFile: !isAddress))
            }
            Self.leaveOutPriming(context)
            web?.didOpen(isTimed: context.pointee.duration > 0)
        } catch {
            watch?.watch(nil, url: nil)
            avformat_close_input(&opened)
            avio_closep(&file)
            web?.close()
            gate.release()
            throw Self.networkFailure(web, watch) ?? error
        }
        self.web = web
        self.watch = watch
        self.context = context
        self.file = file
        self.gate = gate
    }

    /// The samples with which an audio encoder begins, and which its decoder drops, are no part of the media: where a
    /// container counts them in (Matroska, as FFmpeg writes it from version 7 on), time begins after them.
    private static func leaveOutPriming(_ context: UnsafeMutablePointer<AVFormatContext>) {
        let start = context.pointee.start_time
        guard start != glissade_nopts(), start < 0 else { return }
        let microseconds = AVRational(num: 1, den: AV_TIME_BASE)
        let starts = (0..<Int(context.pointee.nb_streams)).compactMap { index -> Int64? in
            // Subtitles without a time of their own have the container's.
            guard let stream = context.pointee.streams[index]?.pointee, stream.start_time != glissade_nopts(),
                [AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO].contains(stream.codecpar.pointee.codec_type)
            else { return nil }
            let start = av_rescale_q(stream.start_time, stream.time_base, microseconds)
            let (padding, rate) = (stream.codecpar.pointee.initial_padding, stream.codecpar.pointee.sample_rate)
            guard start < 0, padding > 0, rate > 0 else { return start }
            let rest = start.addingClamped(Int64(padding) * Int64(AV_TIME_BASE) / Int64(rate))
            // Its times are whole milliseconds.
            return rest < -1000 ? rest : 0
        }
        guard let begin = starts.min(), begin > start else { return }
        context.pointee.start_time = begin
        if context.pointee.duration > 0 {
            context.pointee.duration = max(
                1, context.pointee.duration.subtractingClamped(begin.subtractingClamped(start)))
        }
    }

    /// Opens a file, and only then asks FFmpeg what is in it: so it has no reason to open anything.
    private static func openFile(
        _ name: [CChar], _ probeName: String, _ file: inout UnsafeMutablePointer<AVIOContext>?,
        _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ interruption: AVIOInterruptCB
    ) throws(PlaybackError) {
        var interruption = interruption
        var options = OptionDictionary()
        try check(options.set("protocol_whitelist", "file"))
        try check(avio_open2(&file, name, AVIO_FLAG_READ, &interruption, &options.pointer))
        var format: UnsafePointer<AVInputFormat>?
        try check(av_probe_input_buffer2(file, &format, probeName, nil, 0, 0))
        guard let format else { throw .cannotOpen(reason: reason(glissade_averror_invaliddata())) }
        let formatName = String(cString: format.pointee.name)
        guard MediaFormats.contains(format.pointee.name, in: MediaFormats.ofFiles) else {
            throw .cannotOpen(
                reason: referringFormats.contains(formatName)
                    ? "it only refers to other files (\(formatName)), which a file may not"
                    : "not a kind of media that Glissade plays (\(formatName))")
        }
        if formatName.hasPrefix("mov,mp4") { try limitIndex(of: file, &options) }
        context?.pointee.pb = file
        context?.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        for (name, value) in [
            ("protocol_whitelist", "file"), ("format_whitelist", MediaFormats.ofFiles),
            ("codec_whitelist", MediaFormats.decoders), ("max_streams", String(MemoryBudget.streams)),
        ] { try check(options.set(name, value)) }
        let code = avformat_open_input(&context, name, format, &options.pointer)
        // To the size of its pictures, here the code for an impossible one, this demuxer adds the length of "FRAME\n":
        // "Invalid argument" becomes "Device or resource busy".
        if formatName == "yuv4mpegpipe", code == glissade_averror_from_errno(EINVAL) + 6 {
            throw .cannotOpen(reason: "its pictures' dimensions are zero or too large")
        }
        try check(code)
    }

    /// Has an MP4 file whose index would be too large refused before there is any of it.
    private static func limitIndex(
        of file: UnsafeMutablePointer<AVIOContext>?, _ options: inout OptionDictionary
    ) throws(PlaybackError) {
        guard let file, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return }
        let limit = MemoryBudget.standard.indexEntries
        let tables = MP4Tables(size: avio_size(file), limit: limit) { place, count in
            guard avio_seek(file, place, SEEK_SET) >= 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
                filled = max(0, Int(avio_read(file, bytes.baseAddress, CInt(count))))
            }
        }
        guard !tables.isCompressed else { throw .cannotOpen(reason: "its index is compressed, which is not supported") }
        guard tables.entries <= limit else { throw .cannotOpen(reason: reason(outOfMemory)) }
        // An edit may show all of a track again: FFmpeg makes new entries for that, or shows the track as it is.
        if tables.editedEntries > limit { try check(options.set("advanced_editlist", "0")) }
        try check(CInt(clamping: min(0, avio_seek(file, 0, SEEK_SET))))
    }

    /// Formats that list other files, which people have: they are told why these are not played.
    static let referringFormats: Set<String> = ["concat", "dash", "hls", "imf", "sdp", "vobsub"]

    /// A name of the same kind without a meaning: `%d` in one is a pattern to FFmpeg.
    private static func probeName(_ name: String) -> String {
        let last = name.utf8.split(separator: UInt8(ascii: "/")).last ?? name.utf8[...]
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return "media" }
        let kind = last[last.index(after: dot)...]
        let isPlain = kind.count <= 8 && kind.allSatisfy { isSchemeByte($0) && $0 < 128 }
        return isPlain ? "media." + String(decoding: kind, as: UTF8.self) : "media"
    }

    static func check(_ code: CInt) throws(PlaybackError) {
        if code < 0 { throw .cannotOpen(reason: reason(code)) }
    }

    deinit {
        // Closing a stream may ask whether to go on, when the container is gone.
        watch?.watch(nil, url: nil)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        var file = file
        avio_closep(&file)
        web?.close()
        gate.release()
    }

    /// What `read` answers for a packet that is larger than any may be, and where the index has grown beyond what it may.
    static let packetTooLarge = glissade_averror_from_errno(EMSGSIZE)
    package static let indexTooLarge = glissade_averror_from_errno(E2BIG)

    /// Reads the next packet into `packet`, which is empty; FFmpeg's code.
    package func read(_ packet: UnsafeMutablePointer<AVPacket>) -> CInt {
        watch?.begin()
        let code = av_read_frame(context, packet)
        guard code >= 0 else { return code }
        let isTooLarge = packet.pointee.size > MemoryBudget.packetBytes
        guard isTooLarge || isIndexTooLarge(Int(packet.pointee.stream_index)) else { return code }
        av_packet_unref(packet)
        return isTooLarge ? Self.packetTooLarge : Self.indexTooLarge
    }

    /// Fragments of an MP4 file make it grow as they are read. All streams are asked only where that of one is large.
    private func isIndexTooLarge(_ index: Int) -> Bool {
        let count = Int(context.pointee.nb_streams)
        let limit = MemoryBudget.standard.indexEntries
        guard let stream = stream(index), Int(avformat_index_get_entries_count(stream)) > limit / count else {
            return false
        }
        return (0..<count).reduce(0) { $0 + Int(avformat_index_get_entries_count(context.pointee.streams[$1])) } > limit
    }

    package func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int(context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[index]
    }

    /// The best stream of a kind, as FFmpeg ranks them; nil where there is none with a known codec.
    func bestStream(_ type: AVMediaType, relatedTo other: Int? = nil) -> Int? {
        let index = av_find_best_stream(context, type, -1, CInt(other ?? -1), nil, 0)
        return index >= 0 ? Int(index) : nil
    }

    /// Where time begins on the container's own time line.
    package var startTime: MediaTime {
        let start = context.pointee.start_time
        return start == glissade_nopts()
            ? .zero : MediaTime(nanoseconds: start.multipliedClamped(by: 1000).clamped(to: PacketTimeline.farthest))
    }

    /// FFmpeg's reason, in words that fit behind a file's name.
    private static func reason(_ code: CInt) -> String {
        switch code {
        case glissade_averror_invaliddata(): "not a media file, or damaged beyond reading"
        // So its limits of streams and of single allocations are answered as well.
        case outOfMemory: "it asks for more memory than a film may take"
        default: describe(code: code)
        }
    }
}
