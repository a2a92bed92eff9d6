import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadeMedia

/// A decoder for a subtitle stream. Confined to the thread that reads the stream.
struct SubtitleDecoder: ~Copyable {
    private enum Reader: ~Copyable {
        case codec(CodecContext)
        /// FFmpeg would leave out the places of cues.
        case webVTT(WebVTT)
        /// Each packet is a document. FFmpeg has no decoder.
        case ttml
    }

    private let reader: Reader
    /// Whether packets consist only of text, which may be in any encoding.
    let isBareText: Bool
    /// The encoding of the packets, if `isBareText`.
    private(set) var encoding: StreamEncoding

    /// The result of decoding a packet.
    struct Output {
        var events: [SubtitleEvent] = []
        /// The time at which any earlier picture ends, in nanoseconds; nil if the packet contains no picture subtitle.
        /// An empty picture subtitle ends the earlier picture without replacing it.
        var cut: Int64?
    }

    /// The longest plausible duration: a day, in nanoseconds. A longer duration counts as unknown.
    private static let longest: Int64 = 86_400_000_000_000

    init(
        _ parameters: UnsafePointer<AVCodecParameters>, encoding: StreamEncoding = StreamEncoding()
    ) throws(PlaybackError) {
        self.encoding = encoding
        let id = parameters.pointee.codec_id
        let isText = avcodec_descriptor_get(id).map { $0.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0 } ?? false
        isBareText = isText && id != AV_CODEC_ID_MOV_TEXT && id != AV_CODEC_ID_DVB_TELETEXT
        switch id {
        case AV_CODEC_ID_WEBVTT:
            let extradata = UnsafeBufferPointer(
                start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size)))
            reader = .webVTT(WebVTT(header: Array(extradata)))
        case AV_CODEC_ID_TTML: reader = .ttml
        default: reader = .codec(try Self.codec(parameters))
        }
    }

    private static func codec(_ parameters: UnsafePointer<AVCodecParameters>) throws(PlaybackError) -> CodecContext {
        let id = parameters.pointee.codec_id
        guard let codec = avcodec_find_decoder(id) else {
            throw .nothingToPlay(reason: CodecName.noDecoder(id, identifier: nil))
        }
        guard MediaFormats.contains(codec.pointee.name, in: MediaFormats.decodersOfSubtitles) else {
            throw .nothingToPlay(reason: "unsupported codec (\(String(cString: avcodec_get_name(id))))")
        }
        MemoryBudget.limitAllocations()
        var owned = avcodec_alloc_context3(codec)
        guard let context = owned, avcodec_parameters_to_context(context, parameters) >= 0 else {
            avcodec_free_context(&owned)
            throw .outOfMemory
        }
        // FFmpeg checks this before it allocates pictures or their canvas.
        context.pointee.max_pixels = Int64(MemoryBudget.subtitlePixels)
        context.pointee.pkt_timebase = glissade_time_base_nanoseconds()
        context.pointee.thread_count = 1
        let code = avcodec_open2(context, codec, nil)
        guard code >= 0 else {
            avcodec_free_context(&owned)
            throw .nothingToPlay(reason: "\(String(cString: codec.pointee.name)): \(describe(code: code))")
        }
        return CodecContext(context)
    }

    /// The script header, including the styles, as the decoder provides it; nil for picture subtitles.
    var header: String? {
        switch reader {
        case .codec(let context):
            guard let header = context.pointer.pointee.subtitle_header else { return nil }
            let bytes = UnsafeBufferPointer(start: header, count: Int(context.pointer.pointee.subtitle_header_size))
            return String(
                decoding: TextEncoding.utf8(Array(bytes.prefix { $0 != 0 }), as: encoding.found), as: UTF8.self)
        default: return ""
        }
    }

    /// Resets the decoder's state after a seek.
    func flush() {
        switch reader {
        case .codec(let context): avcodec_flush_buffers(context.pointer)
        default: break
        }
    }

    /// Decodes a packet whose times are in nanoseconds. A packet without a time yields no events.
    ///
    /// - Parameter isNew: Whether the packet has not been decoded before, so that it counts for the encoding.
    mutating func decode(
        _ packet: UnsafePointer<AVPacket>, isNew: Bool = true
    ) throws(PlaybackError) -> Output {
        let start = packet.pointee.pts != glissade_nopts() ? packet.pointee.pts : packet.pointee.dts
        guard start != glissade_nopts(), PacketTimeline.sane(start) != nil else { return Output() }
        let copy = try readable(packet, isNew)
        switch reader {
        case .codec(let context): return try Self.output(of: copy.pointer, at: start, context)
        case .webVTT(let reader):
            let line = reader.line(Self.bytes(copy.pointer), settings: Self.settings(of: packet))
            let length = Self.length(of: packet) ?? SubtitleEvent.presumedLength
            let event = line.flatMap { SubtitleEvent(start: start, duration: length, content: .line($0)) }
            return Output(events: event.map { [$0] } ?? [])
        case .ttml:
            // The times are those of the track. What a packet shows ends with it.
            let end = start + (Self.length(of: packet) ?? SubtitleEvent.presumedLength)
            return Output(events: Self.events(ofTTML: Self.bytes(copy.pointer), during: start..<end))
        }
    }

    private static func events(ofTTML bytes: [UInt8], during interval: Range<Int64>) -> [SubtitleEvent] {
        var events: [SubtitleEvent] = []
        var byteCount = 0
        TTML.read(TextEncoding.utf8(bytes), during: interval) { event in
            byteCount += event.byteCount
            if byteCount <= longestDocument { events.append(event) }
            return byteCount <= longestDocument
        }
        return events
    }

    /// The maximum memory for the events of a packet, in bytes.
    private static let longestDocument = 4 << 20

    /// Decodes a packet by FFmpeg.
    private static func output(
        of packet: UnsafePointer<AVPacket>, at start: Int64, _ context: borrowing CodecContext
    ) throws(PlaybackError) -> Output {
        var output = Output()
        var subtitle = AVSubtitle()
        var isThere: CInt = 0
        let code = avcodec_decode_subtitle2(
            context.pointer, &subtitle, &isThere, UnsafeMutablePointer(mutating: packet))
        defer { if isThere != 0 { avsubtitle_free(&subtitle) } }
        guard code >= 0 else { throw .cannotOpen(reason: describe(code: code)) }
        guard isThere != 0 else { return output }

        let begin = start.addingClamped(Int64(subtitle.start_display_time) * 1_000_000)
        let length = Self.length(of: subtitle, packet)
        var picture = SubtitlePicture(canvas: canvas(of: context), parts: [])
        var pixels = 0
        for index in 0..<Int(subtitle.num_rects) {
            guard let rect = subtitle.rects[index]?.pointee else { continue }
            if rect.type == SUBTITLE_BITMAP {
                pixels += max(0, Int(rect.w)) * max(0, Int(rect.h))
                if pixels <= MemoryBudget.subtitlePixels, let part = Self.part(rect) { picture.parts.append(part) }
            } else if let line = Self.line(rect) {
                let event = SubtitleEvent(
                    start: begin, duration: length ?? SubtitleEvent.presumedLength, content: .line(line))
                if let event { output.events.append(event) }
            }
        }
        if subtitle.format == 0 {
            output.cut = begin
            let event = SubtitleEvent(
                start: begin, duration: length ?? SubtitleEvent.longestPicture, content: .picture(picture))
            if !picture.parts.isEmpty, let event { output.events.append(event) }
        }
        return output
    }

    /// The size of the canvas on which pictures are placed. The default is 720×576, as on a PAL DVD.
    private static func canvas(of context: borrowing CodecContext) -> PixelSize {
        let size = PixelSize(width: Int(context.pointer.pointee.width), height: Int(context.pointer.pointee.height))
        return size.isEmpty ? PixelSize(width: 720, height: 576) : size
    }

    /// Returns a reference to `packet`. If `packet` consists of text in an encoding other than UTF-8, returns a copy
    /// converted to UTF-8 instead.
    private mutating func readable(
        _ packet: UnsafePointer<AVPacket>, _ isNew: Bool
    ) throws(PlaybackError) -> Packet {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: max(0, Int(packet.pointee.size)))
        guard isBareText, !bytes.isEmpty, !TextEncoding.needsNoConversion(bytes) else {
            return try Packet(referring: packet)
        }
        let text = encoding.text(Array(bytes), isNew: isNew)
        let copy = try Packet()
        guard av_new_packet(copy.pointer, CInt(clamping: text.count)) >= 0 else { throw .outOfMemory }
        av_packet_copy_props(copy.pointer, packet)
        text.withUnsafeBytes {
            copy.pointer.pointee.data?.update(
                from: $0.baseAddress!.assumingMemoryBound(to: UInt8.self), count: $0.count)
        }
        return copy
    }

    private static func bytes(_ packet: UnsafePointer<AVPacket>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: packet.pointee.data, count: max(0, Int(packet.pointee.size))))
    }

    /// Returns the settings of a WebVTT cue, which are in the packet's side data.
    private static func settings(of packet: UnsafePointer<AVPacket>) -> [UInt8] {
        var size = 0
        if let data = av_packet_get_side_data(packet, AV_PKT_DATA_WEBVTT_SETTINGS, &size) {
            return Array(UnsafeBufferPointer(start: data, count: size))
        }
        // Matroska's `S_TEXT/WEBVTT` has the settings in the first line of the addition 1. Its number takes 8 bytes.
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8 else {
            return []
        }
        let bytes = UnsafeBufferPointer(start: data, count: size)
        guard bytes.prefix(8).elementsEqual([0, 0, 0, 0, 0, 0, 0, 1]) else { return [] }
        return Array(bytes.dropFirst(8).prefix { $0 != 10 && $0 != 0 })
    }

    /// Returns the duration of a subtitle in nanoseconds; nil if neither the container nor the decoder specifies a
    /// plausible duration.
    private static func length(of subtitle: AVSubtitle, _ packet: UnsafePointer<AVPacket>) -> Int64? {
        if let length = length(of: packet) { return length }
        let (start, end) = (subtitle.start_display_time, subtitle.end_display_time)
        let length = end > start ? Int64(end - start) * 1_000_000 : 0
        return (1...longest).contains(length) ? length : nil
    }

    private static func length(of packet: UnsafePointer<AVPacket>) -> Int64? {
        (1...longest).contains(packet.pointee.duration) ? packet.pointee.duration : nil
    }

    private static func line(_ rect: AVSubtitleRect) -> SubtitleLine? {
        if let event = rect.ass { return SubtitleLine(event: String(cString: event)) }
        return rect.text.flatMap { SubtitleLine(text: String(cString: $0)) }
    }

    private static func part(_ rect: AVSubtitleRect) -> SubtitlePicture.Part? {
        let size = PixelSize(width: Int(rect.w), height: Int(rect.h))
        guard !size.isEmpty, let pixels = rect.data.0, let palette = rect.data.1 else { return nil }
        let stride = Int(rect.linesize.0)
        guard stride >= size.width else { return nil }
        var indices: [UInt8] = []
        indices.reserveCapacity(size.width * size.height)
        for y in 0..<size.height { indices += UnsafeBufferPointer(start: pixels + y * stride, count: size.width) }
        var colors = [UInt32](repeating: 0, count: 256)
        for index in 0..<min(256, max(0, Int(rect.nb_colors))) {
            let color = UnsafeRawPointer(palette).loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            colors[index] = premultiplied(color)
        }
        return .init(x: Int(rect.x), y: Int(rect.y), size: size, indices: indices, colors: colors)
    }

    private static func premultiplied(_ color: UInt32) -> UInt32 {
        let alpha = color >> 24
        func scaled(_ shift: UInt32) -> UInt32 { (((color >> shift & 0xFF) * alpha + 127) / 255) << shift }
        return alpha << 24 | scaled(16) | scaled(8) | scaled(0)
    }
}
