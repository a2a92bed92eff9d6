import CFFmpeg
import Media
import Playback
import Time

/// Decodes the packets of the stream that is selected, on the demuxer's thread alone.
///
/// Threads: confined to the demuxer's thread once it is attached.
final class SubtitleStreamReader: @unchecked Sendable {
    // @unchecked: handed from the call that selects to the calls that receive, which are the same thread's.
    private var decoder: SubtitleDecoder
    private var lastTime = Int64.min
    private var hasFailed = false

    init(_ parameters: UnsafePointer<AVCodecParameters>) throws(PlaybackError) {
        decoder = try SubtitleDecoder(parameters)
    }

    var header: String? { decoder.header }

    /// What a packet leads to; nothing where it is damaged, of which `report` is told once.
    func read(_ packet: UnsafePointer<AVPacket>, report: (PlaybackProblem) -> Void) -> SubtitleDecoder.Output {
        let time = packet.pointee.pts
        // After a seek back, what a decoder of pictures remembers belongs to another place.
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
        guard let stream, let parameters = stream.pointee.codecpar else { return stage.begin { _ in nil } }
        do throws(PlaybackError) {
            let reader = try SubtitleStreamReader(parameters)
            let header = reader.header
            stage.begin { id in
                SubtitleSource(
                    id: id, header: header, isStyled: SubtitleSource.isStyled(parameters.pointee.codec_id),
                    fonts: format.map { SubtitleSource.fonts(in: $0) } ?? [])
            }
            self.reader.withLock { $0 = reader }
        } catch {
            stage.begin { _ in nil }
            stage.report(.streamNotPlayable(kind: "subtitles", reason: error.description))
        }
    }

    nonisolated func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>) {
        guard let reader = reader.withLock({ $0 }) else { return }
        stage.take(reader.read(packet, report: stage.report))
    }
}
