public import GlissadePlatform
public import GlissadeTime

/// A record of the last playback of a file or URL: the position, volume, speed and tracks.
public struct HistoryEntry: Hashable, Sendable {
    /// The file or URL that was played. If the file is moved or changed, the entry no longer applies to it.
    public var media: MediaIdentity
    /// The title to show in a list.
    public var title: String
    /// The last playback position.
    public var position: MediaTime
    /// The duration of the media; nil if unknown.
    public var duration: Duration?
    /// The volume, in percent of the audio's original level.
    public var volume: Double
    /// Whether audio was muted. Independent of `volume`.
    public var isMuted: Bool
    /// The playback speed; 1 is normal.
    public var speed: Double
    /// The index of the audio stream that the user chose; nil if the user made no choice.
    public var audioTrack: Int?
    /// The subtitles that the user chose; nil if the user made no choice. Turning subtitles off is a choice.
    public var subtitles: SubtitleChoice?
    /// The time at which the file or URL was last played.
    public var lastPlayed: CalendarTime
    /// Whether playback reached the end, as defined by `ResumePolicy`.
    public var isFinished: Bool

    /// A choice of subtitles by the user.
    public enum SubtitleChoice: Hashable, Sendable {
        case off
        /// The index of a subtitle stream in the file.
        case track(Int)
        /// A separate subtitle file.
        case file(BytePath)
    }

    /// Creates an entry.
    ///
    /// - Parameter isFinished: Whether playback reached the end. If nil, `ResumePolicy` decides from `position` and
    ///   `duration`.
    public init(
        media: MediaIdentity, title: String, position: MediaTime, duration: Duration? = nil, volume: Double = 100,
        isMuted: Bool = false, speed: Double = 1, audioTrack: Int? = nil, subtitles: SubtitleChoice? = nil,
        lastPlayed: CalendarTime = .now(), isFinished: Bool? = nil
    ) {
        self.media = media
        self.title = title
        self.position = position
        self.duration = duration
        self.volume = volume
        self.isMuted = isMuted
        self.speed = speed
        self.audioTrack = audioTrack
        self.subtitles = subtitles
        self.lastPlayed = lastPlayed
        self.isFinished = isFinished ?? ResumePolicy.isFinished(at: position, of: duration)
    }

    /// The position to resume from; nil to start from the beginning.
    public var resumePosition: MediaTime? { ResumePolicy.position(of: self) }
}
