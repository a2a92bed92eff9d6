package import GlissadePlatform
package import GlissadeTime

/// A record of the last playback of a file or URL: the position, volume, speed and tracks.
package struct HistoryEntry: Hashable, Sendable {
    /// The file or URL that was played. If the file is moved or changed, the entry no longer applies to it.
    package var media: MediaIdentity
    /// The title to show in a list.
    package var title: String
    /// The last playback position.
    package var position: MediaTime
    /// The duration of the media; nil if unknown.
    package var duration: Duration?
    /// The volume, in percent of the audio's original level.
    package var volume: Double
    /// Whether audio was muted. Independent of `volume`.
    package var isMuted: Bool
    /// The playback speed; 1 is normal.
    package var speed: Double
    /// The index of the audio stream that the user chose; nil if the user made no choice.
    package var audioTrack: Int?
    /// The subtitles that the user chose; nil if the user made no choice. Turning subtitles off is a choice.
    package var subtitles: SubtitleChoice?
    /// The time at which the file or URL was last played.
    package var lastPlayed: CalendarTime
    /// Whether playback reached the end, as defined by `ResumePolicy`.
    package var isFinished: Bool

    /// A choice of subtitles by the user.
    package enum SubtitleChoice: Hashable, Sendable {
        case off
        /// The index of a subtitle stream in the file.
        case track(Int)
        /// A separate subtitle file, and the index of a stream in it; nil for a file that has only one.
        case file(BytePath, track: Int? = nil)
    }

    /// Creates an entry.
    ///
    /// - Parameter isFinished: Whether playback reached the end. If nil, `ResumePolicy` decides from `position` and
    ///   `duration`.
    package init(
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
    package var resumePosition: MediaTime? { ResumePolicy.position(of: self) }
}
