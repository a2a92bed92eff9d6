public import Platform
public import Time

/// How far a medium was played, and how. A value; any thread.
public struct HistoryEntry: Hashable, Sendable {
    public var media: MediaIdentity
    public var title: String
    /// Where it was left.
    public var position: MediaTime
    /// Nil where it is not known.
    public var duration: Duration?
    /// Hundredths of the media's own level.
    public var volume: Double
    public var isMuted: Bool
    /// Media seconds a second.
    public var speed: Double
    /// The sound track's number among the file's streams; nil where nobody chose one.
    public var audioTrack: Int?
    /// Nil where nobody chose.
    public var subtitles: SubtitleChoice?
    public var lastPlayed: CalendarTime
    /// Whether it was played to its end, as `ResumePolicy` has it.
    public var isFinished: Bool

    public enum SubtitleChoice: Hashable, Sendable {
        case off
        /// The track's number among the file's streams.
        case track(Int)
        /// A file of their own.
        case file(FilePath)
    }

    /// - Parameter isFinished: nil asks `ResumePolicy`.
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

    /// Where to go on; nil where it is to be played from its beginning.
    public var resumePosition: MediaTime? { ResumePolicy.position(of: self) }
}
