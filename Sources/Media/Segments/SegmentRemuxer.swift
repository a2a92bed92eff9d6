import GlissadeCFFmpeg

/// Rewrites a segment from MP4 to MPEG-TS while it is read. The streams are copied, not encoded again.
///
/// In FFmpeg 5.1, the HLS demuxer cannot seek in MP4 segments: its MP4 demuxer reads nothing more after a seek.
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
