public import GlissadeMedia
import GlissadeTime

/// Options for starting playback.
public struct PlayerOptions: Hashable, Sendable {
    /// The destination of audio.
    public enum Audio: Hashable, Sendable {
        /// Plays audio through the sound server, or silently while there is none.
        case server
        /// Decodes audio and keeps its timing, but plays silence.
        case silent
        /// Does not decode audio.
        case none
    }

    /// The position to start from, counted from the start of the media; nil for the start of the media.
    public var start: Duration?
    /// Whether playback starts paused, on the first frame.
    public var isPaused = false
    /// Whether playback starts over at the end.
    public var isLooping = false
    /// The destination of audio; fixed for the life of the player.
    public var audio = Audio.server
    /// The volume, 0…1.3; 1 leaves the level unchanged.
    public var volume = 1.0
    /// Whether audio starts muted.
    public var isMuted = false
    /// The playback speed, in media seconds per second; clamped to 0.01…100.
    public var speed = 1.0
    /// Whether frames are due as soon as they are decoded, without a clock or audio. For measurements.
    public var isUntimed = false
    /// The format of the first frames. `Player.setFrameFormat` changes the format of later frames.
    public var pictures = FrameFormat()
    /// Whether to decode video in hardware, and on which device. Cover art and other still images are always
    /// decoded in software.
    public var hardware = HardwareDecoding.off
    /// The audio track to play, as an index into `MediaInfo.tracks`. If nil, or not the index of an audio track, the
    /// media's default is used.
    public var audioTrack: Int?
    /// The subtitle track to read, as an index into `MediaInfo.tracks`; nil for none.
    public var subtitleTrack: Int?

    /// The height of the screen in pixels; nil if unknown. Of a stream with variants, none with more lines is chosen
    /// automatically.
    public var screenLines: Int?

    /// The timeouts, retry delays and security settings for network sources.
    var network = NetworkRules()

    public init() {}
}
