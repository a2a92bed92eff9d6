/// The text of the subtitles before, at and after a time, without tags. Line feeds separate the texts of several
/// subtitles.
public struct SubtitleLines: Hashable, Sendable {
    /// The last lines that have already ended; nil if no lines have ended.
    public var previous: String?
    /// The lines that are shown at the time; nil if no lines are shown.
    public var current: String?
    /// The lines that start next; nil if no later lines are known.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
