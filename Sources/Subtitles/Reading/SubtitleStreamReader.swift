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

    init(_ parameters: UnsafePointer<AVCodecParameters>) throws(PlaybackError) {
        decoder = try SubtitleDecoder(parameters)
    }

    var header: String? { decoder.header }

    /// Decodes a packet. A damaged packet yields no events. Only the first damaged packet is reported.
    func read(_ packet: UnsafePointer<AVPacket>, report: (PlaybackProblem) -> Void) -> SubtitleDecoder.Output {
        let time = packet.pointee.pts
        // After a backward seek, a picture decoder's state is out of date.
        if time < lastTime { decoder.flush() }
        lastTime = time
        do throws(PlaybackError) {
            return try decoder.decode(packet)
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
            let reader = try SubtitleStreamReader(parameters)
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
        pipeline.take(reader.read(packet, report: pipeline.report))
    }
}
