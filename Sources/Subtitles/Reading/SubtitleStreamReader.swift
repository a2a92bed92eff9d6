import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlayback
import GlissadeTime

/// Decodes the packets of the selected subtitle stream.
///
/// Threads: confined to the demuxer's thread.
final class SubtitleStreamReader: @unchecked Sendable {
    // @unchecked: created and used only on the demuxer's thread.
    private var decoder: SubtitleDecoder
    private var lastTime = Int64.min
    private var hasFailed = false
    /// The packets decoded so far, until the encoding of their text is settled, or there are too many. They are decoded
    /// again when the encoding turns out to be another one.
    private var early = RingBuffer<Packet>(capacity: mostEarlyPackets)
    private var earlyBytes = 0
    private var keepsEarly: Bool

    private static let mostEarlyPackets = 1024
    private static let mostEarlyBytes = 1 << 20

    init(_ parameters: UnsafePointer<AVCodecParameters>, encoding: StreamEncoding) throws(PlaybackError) {
        decoder = try SubtitleDecoder(parameters, encoding: encoding)
        keepsEarly = decoder.isBareText
    }

    var header: String? { decoder.header }
    /// The encoding of packets that are not Unicode, as far as it is known.
    var encoding: SubtitleEncoding? { decoder.encoding.found }

    /// Decodes a packet, as `read` does. If its text shows that earlier packets were decoded in the wrong encoding, returns
    /// the events of all of them as well, and calls `restart` first.
    func readAgain(
        _ packet: UnsafePointer<AVPacket>, report: (PlaybackProblem) -> Void, restart: () -> Void
    ) -> [SubtitleDecoder.Output] {
        let before = decoder.encoding.found
        let output = read(packet, report: report)
        guard keepsEarly else { return [output] }
        let isNew = before != nil && decoder.encoding.found != before
        var outputs: [SubtitleDecoder.Output] = []
        if isNew {
            restart()
            for index in 0..<early.count {
                let output = early.peek(at: index) { read($0.pointer, isNew: false, report: report) }
                if let output { outputs.append(output) }
            }
        }
        if decoder.encoding.isSettled || early.isFull || earlyBytes > Self.mostEarlyBytes {
            keepsEarly = false
            early.removeAll()
        } else if let copy = try? Packet(referring: packet) {
            earlyBytes += copy.byteCount
            early.append(copy)
        }
        return outputs + [output]
    }

    /// Decodes a packet. A damaged packet yields no events. Only the first damaged packet is reported.
    ///
    /// - Parameter isNew: Whether the packet has not been decoded before.
    func read(
        _ packet: UnsafePointer<AVPacket>, isNew: Bool = true, report: (PlaybackProblem) -> Void
    ) -> SubtitleDecoder.Output {
        let time = packet.pointee.pts
        // After a backward seek, a picture decoder's state is out of date.
        if time < lastTime { decoder.flush() }
        lastTime = time
        do throws(PlaybackError) {
            return try decoder.decode(packet, isNew: isNew)
        } catch {
            if !hasFailed { report(.damagedData(reason: "subtitles: \(error.description)")) }
            hasFailed = true
            return SubtitleDecoder.Output()
        }
    }
}

extension Subtitles: SubtitleReceiver {
    nonisolated func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?) {
        reader.withLock { $0 = nil }
        guard let stream, let parameters = stream.pointee.codecpar else { return pipeline.begin { _ in nil } }
        do throws(PlaybackError) {
            let hints = EncodingHints(language: metadata("language", in: stream.pointee.metadata))
            let reader = try SubtitleStreamReader(
                parameters, encoding: StreamEncoding(chosen: pipeline.encoding, hints: hints))
            let header = reader.header
            pipeline.begin { id in
                SubtitleSource(
                    id: id, header: header, isStyled: SubtitleSource.isStyled(parameters.pointee.codec_id),
                    fonts: format.map { SubtitleSource.fonts(in: $0) } ?? [])
            }
            self.reader.withLock { $0 = reader }
        } catch {
            pipeline.begin { _ in nil }
            pipeline.report(.streamNotPlayable(kind: "subtitles", reason: error.description))
        }
    }

    nonisolated func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>) {
        guard let reader = reader.withLock({ $0 }) else { return }
        let outputs = reader.readAgain(packet, report: pipeline.report) {
            pipeline.beginAgain(header: reader.header)
        }
        for output in outputs { pipeline.take(output) }
    }
}
