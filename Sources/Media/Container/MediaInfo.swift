public import Geometry
public import Picture
public import Time

/// A container's metadata and tracks. A value; any thread.
public struct MediaInfo: Hashable, Sendable {
    /// One stream of the container.
    public struct Track: Hashable, Sendable {
        /// A track's kind, with the properties specific to it.
        public enum Kind: Hashable, Sendable {
            /// A video stream, with its frame rate in frames per second if known. `isStill` means that it is cover art.
            case video(size: PixelSize, geometry: PixelGeometry, frameRate: Double?, isStill: Bool)
            /// An audio stream, with its sample rate in hertz.
            case audio(sampleRate: Int, channelLayout: String)
            case subtitle
            /// Any other stream, with FFmpeg's name for its media type.
            case other(String)
        }

        /// The stream's index in the container.
        public var index: Int
        /// The track's kind and its properties.
        public var kind: Kind
        /// The codec's FFmpeg name.
        public var codec: String
        /// The codec's profile, if it has one: "High", "LC".
        public var profile: String?
        /// FFmpeg's name for the pixel or sample format; nil if unknown.
        public var sampleFormat: String?
        /// The ISO 639-2 code given by the container; nil for none.
        public var language: String?
        /// The title given by the container; nil for none.
        public var title: String?
        /// Bits per second, if known.
        public var bitRate: Int?
        /// Whether the container marks the track as the default.
        public var isDefault: Bool
    }

    /// A part of the media, usually with a name.
    public struct Chapter: Hashable, Sendable {
        /// The start time, on the container's own timeline.
        public var start: MediaTime
        /// The end time, on the container's own timeline.
        public var end: MediaTime
        /// The name given by the container; nil for none.
        public var title: String?
    }

    /// The container's FFmpeg name.
    public var container: String
    /// The duration; nil if the container does not give one (live streams and raw data).
    public var duration: Duration?
    /// The first presentation time on the container's own timeline, which may not start at 0.
    public var startTime: MediaTime
    /// Bits per second of the whole container, if known.
    public var bitRate: Int?
    /// Size in bytes, if known.
    public var byteCount: Int?
    /// Whether playback can jump to another position; false for live streams and pipes.
    public var isSeekable: Bool
    /// All streams, in the container's order.
    public var tracks: [Track]
    /// The chapters, in the container's order.
    public var chapters: [Chapter]
    /// The title in the container's metadata; nil for none.
    public var title: String?
    /// The video track to play, as an index into `tracks`; nil if there is none.
    public var videoTrack: Int?
    /// The audio track that plays unless the user chooses another one, as an index into `tracks`; nil if there is none.
    public var audioTrack: Int?

    /// Whether `track`, an index into `tracks`, is an audio track.
    public func isAudio(_ track: Int) -> Bool {
        guard tracks.indices.contains(track), case .audio = tracks[track].kind else { return false }
        return true
    }

    /// Whether `track`, an index into `tracks`, is a subtitle track.
    public func isSubtitle(_ track: Int) -> Bool {
        tracks.indices.contains(track) && tracks[track].kind == .subtitle
    }

    /// The coded size of the selected video track; nil if there is none.
    public var codedSize: PixelSize? {
        guard let videoTrack, case .video(let size, _, _, _) = tracks[videoTrack].kind else { return nil }
        return size
    }

    /// The display size of the selected video track, in square pixels; nil if there is none.
    public var displaySize: Size? {
        guard let videoTrack, case .video(let size, let geometry, _, _) = tracks[videoTrack].kind else { return nil }
        return geometry.displaySize(of: size)
    }

    /// The rotation of the selected video track; `none` if there is no such track.
    public var rotation: QuarterTurns {
        guard let videoTrack, case .video(_, let geometry, _, _) = tracks[videoTrack].kind else { return .none }
        return geometry.rotation
    }

    /// Frames per second of the selected video track, if known.
    public var frameRate: Double? {
        guard let videoTrack, case .video(_, _, let rate, _) = tracks[videoTrack].kind else { return nil }
        return rate
    }

    /// Whether the selected video track is cover art.
    public var isStill: Bool {
        guard let videoTrack, case .video(_, _, _, let isStill) = tracks[videoTrack].kind else { return false }
        return isStill
    }
}
