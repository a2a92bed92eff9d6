import GlissadeCFFmpeg
import GlissadeMedia

/// An audio stream that can be selected for playback. Any thread.
final class AudioStream: Sendable {
    /// The maximum number of streams to offer. Each stream's packets take memory.
    static let limit = 32

    /// The stream's index in the container.
    let track: Int
    let configuration: CodecConfiguration
    /// Whether the container has no timestamps: FFmpeg counts them, at the sample rate of the first frame, which later
    /// frames need not have.
    let isUntimed: Bool

    init(track: Int, configuration: consuming CodecConfiguration, isUntimed: Bool = false) {
        self.track = track
        self.configuration = configuration
        self.isUntimed = isUntimed
    }

    /// FFmpeg's names for containers that are nothing but audio frames.
    private static let untimedContainers: Set<String> = [
        "aac", "ac3", "ac4", "dts", "eac3", "flac", "loas", "mlp", "mp3", "truehd",
    ]

    /// Returns at most `limit` audio streams of a container, with the stream to play first. Returns an empty array if
    /// there is no stream to play.
    static func all(of input: borrowing MediaInput, _ info: MediaInfo) -> [AudioStream] {
        guard let playing = info.audioTrack else { return [] }
        // The tracks of variants come first, so that every variant has audio.
        let ofVariants = info.variants.compactMap { $0.audioTracks.first }
        let rest = info.tracks.indices.filter { info.isAudio($0) && !ofVariants.contains($0) }
        var others: [Int] = []
        for track in ofVariants + rest where track != playing && !others.contains(track) { others.append(track) }
        let isUntimed = untimedContainers.contains(info.container)
        var streams: [AudioStream] = []
        for track in [playing] + others.prefix(limit - 1) {
            guard let stream = input.stream(track) else { continue }
            guard
                let configuration = try? CodecConfiguration(
                    stream, of: input.context, identifier: input.codecIdentifier(track))
            else { break }
            streams.append(AudioStream(track: track, configuration: configuration, isUntimed: isUntimed))
        }
        return streams
    }
}
