import GlissadeCFFmpeg
import GlissadeMedia

/// A video stream that can be played: the video track or, if the media has variants, the video of any variant. Any
/// thread.
final class VideoStream: Sendable {
    /// The stream's index in the container.
    let track: Int
    let configuration: CodecConfiguration

    init(track: Int, configuration: consuming CodecConfiguration) {
        self.track = track
        self.configuration = configuration
    }

    /// Returns the video streams of a container, with the stream to play first. Returns an empty array if there is no
    /// video.
    ///
    /// - Throws: `outOfMemory` if the stream to play cannot be set up.
    static func all(of input: borrowing MediaInput, _ info: MediaInfo) throws(PlaybackError) -> [VideoStream] {
        guard let playing = info.videoTrack, let first = input.stream(playing) else { return [] }
        var streams = [
            VideoStream(
                track: playing,
                configuration: try CodecConfiguration(
                    first, of: input.context, identifier: input.codecIdentifier(playing)))
        ]
        for variant in info.variants where variant.videoTrack != playing {
            guard let stream = input.stream(variant.videoTrack),
                let configuration = try? CodecConfiguration(stream, of: input.context)
            else { continue }
            streams.append(VideoStream(track: variant.videoTrack, configuration: configuration))
        }
        return streams
    }
}
