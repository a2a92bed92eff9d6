import CFFmpeg
import Media

/// An audio stream that can be selected for playback. Any thread.
final class AudioStream: Sendable {
    /// The most streams to offer, since each stream's packets take memory.
    static let limit = 32

    /// The stream's index in the container.
    let track: Int
    let configuration: CodecConfiguration

    init(track: Int, configuration: consuming CodecConfiguration) {
        self.track = track
        self.configuration = configuration
    }

    /// A container's audio streams, at most `limit`, starting with the one to play; empty if there is none.
    static func all(of input: borrowing MediaInput, _ info: MediaInfo) -> [AudioStream] {
        guard let playing = info.audioTrack else { return [] }
        let others = info.tracks.indices.filter { info.isAudio($0) && $0 != playing }
        var streams: [AudioStream] = []
        for track in [playing] + others.prefix(limit - 1) {
            guard let stream = input.stream(track) else { continue }
            guard let configuration = try? CodecConfiguration(stream, of: input.context) else { break }
            streams.append(AudioStream(track: track, configuration: configuration))
        }
        return streams
    }
}
