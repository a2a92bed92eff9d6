import GlissadeCFFmpeg
import GlissadeGeometry

extension MediaInfo {
    /// Reads the variants of an open HLS or DASH stream, from the best to the worst. Empty if there are fewer than two,
    /// and for other containers: the programs of a broadcast are no variants of one another.
    static func variants(of input: borrowing MediaInput, _ tracks: [Track], playing: Int?) -> [StreamVariant] {
        let context = input.context.pointee
        guard let name = context.iformat.map({ String(cString: $0.pointee.name) }) else { return [] }
        let found: [StreamVariant] =
            switch name.split(separator: ",").first {
            case "hls":
                (0..<Int(context.nb_programs)).compactMap { index in
                    context.programs[index].flatMap { variant($0.pointee, tracks) }
                }
            default: []
            }
        return StreamVariant.sorted(found, keeping: playing)
    }

    private static func variant(_ program: AVProgram, _ tracks: [Track]) -> StreamVariant? {
        let indices = (0..<Int(program.nb_stream_indexes)).map { Int(program.stream_index[$0]) }
            .filter(tracks.indices.contains)
        let audio = indices.filter { if case .audio = tracks[$0].kind { true } else { false } }
        return indices.lazy.compactMap {
            variant($0, audio: audio, bitRate: bitRate(in: program.metadata), tracks)
        }.first
    }

    /// Returns the variant with the video track at `index`; nil if that is not a track with moving video.
    private static func variant(_ index: Int, audio: [Int], bitRate: Int?, _ tracks: [Track]) -> StreamVariant? {
        guard case .video(let size, _, let frameRate, isStill: false) = tracks[index].kind else { return nil }
        return StreamVariant(
            videoTrack: index, audioTracks: audio, height: size.height, frameRate: frameRate, bitRate: bitRate)
    }

    /// Returns the bit rate that FFmpeg's HLS demuxer notes for a variant.
    private static func bitRate(in dictionary: OpaquePointer?) -> Int? {
        metadata("variant_bitrate", in: dictionary).flatMap { Int($0) }
    }

    /// The index of the variant with the video track to play; nil if there is none.
    public var variant: Int? { variants.firstIndex { $0.videoTrack == videoTrack } }

    /// Whether `track` is an audio track that can be heard with the current variant. True for every audio track if
    /// there are no variants.
    public func isAudioOfVariant(_ track: Int) -> Bool {
        guard isAudio(track) else { return false }
        guard let variant, !variants[variant].audioTracks.isEmpty else { return true }
        return variants[variant].audioTracks.contains(track) || !variants.contains { $0.audioTracks.contains(track) }
    }

    /// Returns the audio track to play with the variant at `index`: `track` itself if it belongs to that variant too,
    /// or else the track with the same language and the same place among the variant's tracks, as far as possible.
    package func audioTrack(_ track: Int, inVariant index: Int) -> Int {
        let there = variants[index].audioTracks
        guard !there.isEmpty, !there.contains(track), tracks.indices.contains(track) else { return track }
        let here = variants.first { $0.audioTracks.contains(track) }?.audioTracks ?? []
        let sameLanguage = there.filter { tracks[$0].language == tracks[track].language }
        let place = here.firstIndex(of: track) ?? 0
        if there.indices.contains(place), sameLanguage.contains(there[place]) { return there[place] }
        return sameLanguage.first ?? there[0]
    }

    /// Makes the variant at `index` the one to play.
    package mutating func useVariant(_ index: Int) {
        if let track = audioTrack { audioTrack = audioTrack(track, inVariant: index) }
        videoTrack = variants[index].videoTrack
    }
}
