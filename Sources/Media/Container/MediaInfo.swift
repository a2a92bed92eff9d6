public import GlissadeGeometry
public import GlissadePicture
public import GlissadeTime

/// The metadata and tracks of a container. May be used on any thread.
public struct MediaInfo: Hashable, Sendable {
    /// A stream of the container, with its properties.
    public struct Track: Hashable, Sendable {
        /// The kind of a track, with the properties specific to that kind.
        public enum Kind: Hashable, Sendable {
            /// A video stream. `size` is the coded size in pixels. `frameRate` is in frames per second; nil if unknown.
            /// `isStill` means that the stream is cover art.
            case video(size: PixelSize, geometry: PixelGeometry, frameRate: Double?, isStill: Bool)
            /// An audio stream. `sampleRate` is in hertz, and `channelLayout` is FFmpeg's description, such as `5.1`.
            case audio(sampleRate: Int, channelLayout: String)
            case subtitle
            /// Any other stream, with FFmpeg's name for its media type.
            case other(String)
        }

        /// The stream's index in the container.
        public var index: Int
        /// The kind of the track, with the properties specific to that kind.
        public var kind: Kind
        /// FFmpeg's name for the codec; "unknown" if it knows none, with the container's identifier if there is one.
        public var codec: String
        /// The codec's profile, such as "High" or "LC"; nil if unknown.
        public var profile: String?
        /// FFmpeg's name for the pixel format or audio sample format; nil if unknown.
        public var sampleFormat: String?
        /// The language in the container's metadata, usually an ISO 639-2 code; nil if there is none.
        public var language: String?
        /// The title in the container's metadata; nil if there is none.
        public var title: String?
        /// The bit rate in bits per second; nil if unknown.
        public var bitRate: Int?
        /// Whether the container marks the track as the default.
        public var isDefault: Bool
    }

    /// A chapter: a part of the media, usually with a name.
    public struct Chapter: Hashable, Sendable {
        /// The start time, on the container's own timeline.
        public var start: MediaTime
        /// The end time, on the container's own timeline.
        public var end: MediaTime
        /// The chapter's name in the container's metadata; nil if there is none.
        public var title: String?
    }

    /// FFmpeg's name for the container format.
    public var container: String
    /// The duration of the media; nil if unknown, as for live streams.
    public var duration: Duration?
    /// The first presentation time, on the container's own timeline, which may not start at 0.
    public var startTime: MediaTime
    /// The bit rate of the whole container in bits per second; nil if unknown.
    public var bitRate: Int?
    /// The size of the file in bytes; nil if unknown.
    public var byteCount: Int?
    /// Whether reading can jump to another position. False for a pipe, for example.
    public var isSeekable: Bool
    /// All streams, in the container's order.
    public var tracks: [Track]
    /// The chapters, in the container's order.
    public var chapters: [Chapter]
    /// The title of the whole media in the container's metadata; nil if there is none.
    public var title: String?
    /// The artist in the container's metadata; nil if there is none.
    public var artist: String?
    /// The album in the container's metadata; nil if there is none.
    public var album: String?
    /// The video track to play, as an index into `tracks`; nil if there is none.
    public var videoTrack: Int?
    /// The audio track that plays unless the user chooses another one, as an index into `tracks`; nil if there is none.
    public var audioTrack: Int?
    /// The color matrix of the video track to play; nil if there is no such track, or if it has RGB pixels.
    public var colorMatrix: ColorMatrix?
    /// The variants of an HLS or DASH stream, from the best to the worst; empty if there are fewer than two.
    public var variants: [StreamVariant] = []

    /// Whether `track`, an index into `tracks`, is an audio track.
    public func isAudio(_ track: Int) -> Bool {
        guard tracks.indices.contains(track), case .audio = tracks[track].kind else { return false }
        return true
    }

    /// Whether `track`, an index into `tracks`, is a subtitle track.
    public func isSubtitle(_ track: Int) -> Bool {
        tracks.indices.contains(track) && tracks[track].kind == .subtitle
    }

    /// The coded size of the video track to play, in pixels; nil if there is no such track.
    public var codedSize: PixelSize? {
        guard let videoTrack, case .video(let size, _, _, _) = tracks[videoTrack].kind else { return nil }
        return size
    }

    /// The display size of the video track to play, in square pixels; nil if there is no such track, or if its size is
    /// unknown.
    public var displaySize: Size? {
        guard let videoTrack, case .video(let size, let geometry, _, _) = tracks[videoTrack].kind else { return nil }
        let shown = geometry.displaySize(of: size)
        return shown.isEmpty ? nil : shown
    }

    /// The pixel shape and orientation of the video track to play; nil if there is no such track.
    public var geometry: PixelGeometry? {
        guard let videoTrack, case .video(_, let geometry, _, _) = tracks[videoTrack].kind else { return nil }
        return geometry
    }

    /// The rotation of the video track to play; `none` if there is no such track.
    public var rotation: QuarterTurns { geometry?.rotation ?? .none }

    /// The frame rate of the video track to play, in frames per second; nil if the rate is unknown or there is no such
    /// track.
    public var frameRate: Double? {
        guard let videoTrack, case .video(_, _, let rate, _) = tracks[videoTrack].kind else { return nil }
        return rate
    }

    /// Whether the media is a playlist of segments (HLS or DASH).
    package var isPlaylist: Bool { ["hls", "dash"].contains(container) }

    /// Whether the video track to play is cover art. False if there is no such track.
    public var isStill: Bool {
        guard let videoTrack, case .video(_, _, _, let isStill) = tracks[videoTrack].kind else { return false }
        return isStill
    }
}
