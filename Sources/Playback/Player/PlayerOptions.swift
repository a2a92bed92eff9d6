public import Media
import Time

/// How to begin playback.
public struct PlayerOptions: Hashable, Sendable {
    /// The destination of audio.
    public enum Audio: Hashable, Sendable {
        /// To the sound server; if there is none, into silence until there is one.
        case server
        /// Decoded and timed, but discarded.
        case silent
        /// Not decoded.
        case none
    }

    /// From the start of the media.
    public var start: Duration?
    /// Whether it opens paused, on its first frame.
    public var isPaused = false
    /// Whether it starts over at the end.
    public var isLooping = false
    /// The destination of audio; fixed for the life of the player.
    public var audio = Audio.server
    /// 0…1.3; 1 leaves the level unchanged.
    public var volume = 1.0
    /// Whether audio plays silently.
    public var isMuted = false
    /// The speed, 0.1…8.
    public var speed = 1.0
    /// Whether frames are provided as fast as they are requested, without a clock. For measurements.
    public var isUntimed = false
    /// The initial format of frames; `setPictureRequest` changes it.
    public var pictures = FrameFormat()
    /// Covers and other still images are always decoded in software.
    public var hardware = HardwareDecoding.off
    /// The audio track to play, as an index into `MediaInfo.tracks`. If nil, or not the index of an audio track, the
    /// media's default is used.
    public var audioTrack: Int?
    /// The subtitles to read, an index into `MediaInfo.tracks`; nil for none.
    public var subtitleTrack: Int?

    /// How to wait for servers.
    var network = NetworkRules()

    public init() {}
}
