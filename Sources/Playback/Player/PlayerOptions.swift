public import Media
import Time

/// How a media is to be played from its first moment.
public struct PlayerOptions: Hashable, Sendable {
    /// Where sound goes.
    public enum Audio: Hashable, Sendable {
        /// To the sound server, or where there is none into silence, until there is one.
        case server
        /// Decoded, timed, and thrown away.
        case silent
        /// Not even decoded.
        case none
    }

    /// From the media's beginning.
    public var start: Duration?
    public var isPaused = false
    public var isLooping = false
    public var audio = Audio.server
    /// 0…1.3; 1 is the media's own level.
    public var volume = 1.0
    public var isMuted = false
    /// Media seconds a second, 0.1…8.
    public var speed = 1.0
    /// Gives out frames one after the other as fast as they are asked for, without a clock. For measurements.
    public var isUntimed = false
    public var pictures = FrameFormat()
    /// Covers and other stills are always decoded in software.
    public var hardware = HardwareDecoding.off
    /// The sound that is to play, an index into `MediaInfo.tracks`; nil, or one that is no sound, leaves the choice to
    /// the media.
    public var audioTrack: Int?
    /// The subtitles that are to be read, an index into `MediaInfo.tracks`; nil for none.
    public var subtitleTrack: Int?

    /// How servers are waited for.
    var network = NetworkRules()

    public init() {}
}
