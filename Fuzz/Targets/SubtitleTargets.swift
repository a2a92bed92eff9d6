import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadePicture

@testable import GlissadeMedia
@testable import GlissadeSubtitles

enum SubtitleTargets {
    private static let placement: SubtitlePlacement = {
        var placement = SubtitlePlacement()
        placement.size = PixelSize(width: 160, height: 90)
        return placement
    }()

    /// Reads a subtitle file and renders its first events.
    @MainActor static func file(_ bytes: [UInt8]) {
        silenceFFmpeg()
        InputFile.shared.write(bytes)
        guard let source = try? SubtitleFile.read(InputFile.shared.path, id: 1) else { return }
        let events = source.timeline.events
        check(!events.isEmpty, "a file that was read has events")
        check(zip(events, events.dropFirst()).allSatisfy { $0.start <= $1.start }, "events are in order")
        var renderer = SubtitleRenderer(report: { _ in })
        renderer.set(source, for: placement)
        for event in events.prefix(4) {
            check(event.start <= event.end, "an event does not end before its start")
            let moment = source.timeline.moment(at: event.start)
            check(moment.until > event.start, "a moment ends after its start")
            _ = source.timeline.lines(around: event.start)
            _ = renderer.picture(of: moment.events, at: event.start)
        }
        for time in [Int64.min, -1, 0, .max] { _ = source.timeline.lines(around: time) }
    }

    private static let codecs = [
        AV_CODEC_ID_HDMV_PGS_SUBTITLE, AV_CODEC_ID_DVB_SUBTITLE, AV_CODEC_ID_DVD_SUBTITLE, AV_CODEC_ID_MOV_TEXT,
        AV_CODEC_ID_SUBRIP, AV_CODEC_ID_ASS, AV_CODEC_ID_WEBVTT, AV_CODEC_ID_XSUB, AV_CODEC_ID_EIA_608,
        AV_CODEC_ID_MICRODVD, AV_CODEC_ID_SAMI, AV_CODEC_ID_TEXT, AV_CODEC_ID_TTML,
    ]

    /// Decodes packets of a subtitle stream.
    ///
    /// The first byte selects the decoder. Each packet follows its two-byte length, whose top bit flushes the decoder
    /// first.
    static func packets(_ bytes: [UInt8]) {
        silenceFFmpeg()
        guard let first = bytes.first, var parameters = avcodec_parameters_alloc().map(Optional.some) else { return }
        defer { avcodec_parameters_free(&parameters) }
        guard let described = parameters else { return }
        described.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        described.pointee.codec_id = codecs[Int(first) % codecs.count]
        guard var decoder = try? SubtitleDecoder(described) else { return }
        var timeline = SubtitleTimeline(byteLimit: 1 << 20)
        var rest = bytes.dropFirst()
        var time: Int64 = 0
        while rest.count > 2 {
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            if length & 0x8000 != 0 { decoder.flush() }
            let content = rest.prefix(length & 0x7FFF)
            rest = rest.dropFirst(content.count)
            guard !content.isEmpty, let packet = try? Packet(), av_new_packet(packet.pointer, CInt(content.count)) >= 0
            else { return }
            for (index, byte) in content.enumerated() { packet.pointer.pointee.data[index] = byte }
            packet.pointer.pointee.pts = time
            packet.pointer.pointee.duration = 500_000_000
            time += 1_000_000_000
            guard let output = try? decoder.decode(packet.pointer) else { continue }
            if let cut = output.cut { timeline.cutPictures(at: cut) }
            for event in output.events {
                _ = timeline.insert(event)
                if case .picture(let picture) = event.content { _ = SubtitleImage([picture], for: placement) }
            }
            _ = timeline.moment(at: time)
        }
    }

    static func text(_ bytes: [UInt8]) {
        let text = TextEncoding.utf8(bytes)
        check(text.withUnsafeBufferPointer { TextEncoding.isUTF8($0) }, "the result is always UTF-8")
        check(!bytes.isEmpty || text.isEmpty, "no input gives no text")
        let string = String(decoding: text, as: UTF8.self)
        let tagged = AssMarkup(string[...])
        check(!tagged.plain.contains("\n\n"), "there are no empty lines")
        _ = tagged.isAnimated
        for columns in [1, 20] { _ = LineBreaking.broken("0,Default,,0,0,0,,\(string)", columns: columns) }
        if let line = SubtitleLine(event: "0,0,Default,,0,0,0,,\(string)") { _ = (line.plainText, line.isAnimated) }
        if let line = SubtitleLine(text: string) { _ = (line.plainText, line.isAnimated) }
    }
}
