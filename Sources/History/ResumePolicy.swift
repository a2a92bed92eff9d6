public import Time

/// Where a medium goes on that was left.
public enum ResumePolicy {
    /// Who left it earlier had only looked.
    public static let shortest = Duration.seconds(5)
    /// The end of a long medium: its last words. Of a short one, `endShare` is less.
    public static let longestEnd = Duration.seconds(30)
    public static let endShare = 0.05

    /// Whether what is left is no more than the end: 5 % of the whole, and no more than 30 s. Never where the length is not
    /// known.
    public static func isFinished(at position: MediaTime, of duration: Duration?) -> Bool {
        guard let duration, duration > .zero else { return false }
        let end = min(longestEnd, duration * endShare)
        return position >= MediaTime.zero + (duration - end)
    }

    /// Nil where it is to be played from its beginning.
    public static func position(of entry: HistoryEntry) -> MediaTime? {
        if entry.isFinished || isFinished(at: entry.position, of: entry.duration) { return nil }
        return entry.position >= MediaTime.zero + shortest ? entry.position : nil
    }
}
