/// The text of the subtitles around a time, without tags. Several texts in one property are separated by line feeds.
public struct SubtitleLines: Hashable, Sendable {
    /// The latest lines that have already ended; nil if there are none.
    public var previous: String?
    /// The lines that are shown at the time; nil if there are none.
    public var current: String?
    /// The lines that start next; nil if none are known.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
