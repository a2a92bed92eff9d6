public import Time

/// Decides where playback of a medium resumes. Pure functions; any thread.
public enum ResumePolicy {
    /// The earliest position worth resuming.
    public static let shortest = Duration.seconds(5)
    /// The longest part at the end of a medium that counts as finished. In short media, `endFraction` makes it
    /// shorter.
    public static let longestEnd = Duration.seconds(30)
    /// The part at the end that counts as finished, as a fraction of the duration.
    public static let endFraction = 0.05

    /// Whether the position is within the last 5 % of the duration, or its last 30 s if that is less. False if the
    /// duration is unknown.
    public static func isFinished(at position: MediaTime, of duration: Duration?) -> Bool {
        guard let duration, duration > .zero else { return false }
        let end = min(longestEnd, duration * endFraction)
        return position >= MediaTime.zero + (duration - end)
    }

    /// Returns the position to resume from, or nil to start from the beginning.
    public static func position(of entry: HistoryEntry) -> MediaTime? {
        if entry.isFinished || isFinished(at: entry.position, of: entry.duration) { return nil }
        return entry.position >= MediaTime.zero + shortest ? entry.position : nil
    }
}
