package import GlissadeTime

/// The rules for where playback of a file or URL resumes. Pure functions; any thread.
package enum ResumePolicy {
    /// The earliest position from which playback resumes. If the stored position is earlier, playback starts from the
    /// beginning.
    package static let shortest = Duration.seconds(5)
    /// The maximum remaining time at which playback counts as finished. `endFraction` reduces this time for short
    /// media.
    package static let longestEnd = Duration.seconds(30)
    /// The remaining time at which playback counts as finished, as a fraction of the duration. Limited to `longestEnd`.
    package static let endFraction = 0.05

    /// Whether a position is within the last 5 % or the last 30 s of the media, whichever is shorter. False if the
    /// duration is unknown.
    package static func isFinished(at position: MediaTime, of duration: Duration?) -> Bool {
        guard let duration, duration > .zero else { return false }
        let end = min(longestEnd, duration * endFraction)
        return position >= MediaTime.zero + (duration - end)
    }

    /// Returns the position to resume from; nil to start from the beginning.
    package static func position(of entry: HistoryEntry) -> MediaTime? {
        if entry.isFinished || isFinished(at: entry.position, of: entry.duration) { return nil }
        return entry.position >= MediaTime.zero + shortest ? entry.position : nil
    }
}
