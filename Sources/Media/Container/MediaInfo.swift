public import Geometry
public import Picture
public import Time

/// A container's metadata and tracks. A value; any thread.
public struct MediaInfo: Hashable, Sendable {
    /// One stream of the container.
    public struct Track: Hashable, Sendable {
        /// A track's kind, with the properties specific to it.
        public enum Kind: Hashable, Sendable {
            /// A video stream; `isStill` if it is cover art.
            case video(size: PixelSize, geometry: PixelGeometry, frameRate: Double?, isStill: Bool)
            case audio(sampleRate: Int, channelLayout: String)
            case subtitle
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
        /// The pixel or sample format's FFmpeg name.
        public var sampleFormat: String?
        /// The ISO 639-2 code given by the container.
        public var language: String?
        /// The title given by the container; nil for none.
        public var title: String?
        /// Bits per second, if known.
        public var bitRate: Int?
        /// Whether the container marks it as the default.
        public var isDefault: Bool
    }

    /// A named part of the media.
    public struct Chapter: Hashable, Sendable {
        /// The first instant, on the container's own timeline.
        public var start: MediaTime
        /// The first instant after it.
        public var end: MediaTime
        /// The name given by the container; nil for none.
        public var title: String?
    }

    /// The container's FFmpeg name.
    public var container: String
    /// Nil if the container does not give it (for a live stream or raw data).
    public var duration: Duration?
    /// The first presentation time in the container's own clock, which may not be 0.
    public var startTime: MediaTime
    /// Bits per second of the whole container, if known.
    public var bitRate: Int?
    /// Size in bytes, if known.
    public var byteCount: Int?
    /// Whether it can be played from another position; false for live streams and pipes.
    public var isSeekable: Bool
    /// All streams, in the container's order.
    public var tracks: [Track]
    /// The chapters, in the container's order.
    public var chapters: [Chapter]
    /// The title in the container's metadata; nil for none.
    public var title: String?
    /// The video track to play, as an index into `tracks`.
    public var videoTrack: Int?
    /// The audio track that plays unless the user chooses another one; an index into `tracks`.
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

    /// The display size of the selected video track, in square pixels.
    public var displaySize: Size? {
        guard let videoTrack, case .video(let size, let geometry, _, _) = tracks[videoTrack].kind else { return nil }
        return geometry.displaySize(of: size)
    }

    /// The rotation of the selected video track.
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
