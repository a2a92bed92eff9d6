public import Geometry
public import Picture
public import Time

/// What is in a media, as far as opening it tells. A value; any thread.
public struct MediaInfo: Hashable, Sendable {
    public struct Track: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// `isStill` says that it is a picture that belongs to sound: a cover.
            case video(size: PixelSize, geometry: PixelGeometry, frameRate: Double?, isStill: Bool)
            case audio(sampleRate: Int, channelLayout: String)
            case subtitle
            case other(String)
        }

        /// The stream's index in the container.
        public var index: Int
        public var kind: Kind
        /// The codec's short name.
        public var codec: String
        /// The codec's profile, where it has one: "High", "LC".
        public var profile: String?
        /// The pixel or sample format's name.
        public var sampleFormat: String?
        /// ISO 639-2 code, as the container gives it.
        public var language: String?
        public var title: String?
        /// Bits a second, where known.
        public var bitRate: Int?
        public var isDefault: Bool
    }

    public struct Chapter: Hashable, Sendable {
        public var start: MediaTime
        public var end: MediaTime
        public var title: String?
    }

    /// The container's short name.
    public var container: String
    /// Nil where the container does not say (a live stream, raw data).
    public var duration: Duration?
    /// The first presentation time of the container's own time line, which need not be 0.
    public var startTime: MediaTime
    public var bitRate: Int?
    /// Size in bytes, where it is a file.
    public var byteCount: Int?
    public var isSeekable: Bool
    public var tracks: [Track]
    public var chapters: [Chapter]
    public var title: String?
    /// The tracks that play: indices into `tracks`.
    public var videoTrack: Int?
    public var audioTrack: Int?

    /// Whether `track`, an index into `tracks`, is sound.
    public func isAudio(_ track: Int) -> Bool {
        guard tracks.indices.contains(track), case .audio = tracks[track].kind else { return false }
        return true
    }

    /// Whether `track`, an index into `tracks`, is subtitles.
    public func isSubtitle(_ track: Int) -> Bool {
        tracks.indices.contains(track) && tracks[track].kind == .subtitle
    }

    /// The size of the video's pictures as they were coded; nil where there is none.
    public var codedSize: PixelSize? {
        guard let videoTrack, case .video(let size, _, _, _) = tracks[videoTrack].kind else { return nil }
        return size
    }

    /// The size in square pixels at which the playing video is to be seen.
    public var displaySize: Size? {
        guard let videoTrack, case .video(let size, let geometry, _, _) = tracks[videoTrack].kind else { return nil }
        return geometry.displaySize(of: size)
    }

    /// The turn in which the playing video is to be seen.
    public var rotation: QuarterTurns {
        guard let videoTrack, case .video(_, let geometry, _, _) = tracks[videoTrack].kind else { return .none }
        return geometry.rotation
    }

    /// Frames a second of the playing video, where known.
    public var frameRate: Double? {
        guard let videoTrack, case .video(_, _, let rate, _) = tracks[videoTrack].kind else { return nil }
        return rate
    }

    /// Whether the playing video is a cover picture.
    public var isStill: Bool {
        guard let videoTrack, case .video(_, _, _, let isStill) = tracks[videoTrack].kind else { return false }
        return isStill
    }
}
