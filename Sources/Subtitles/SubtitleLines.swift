/// The text of the subtitles around a time, without tags. Lines that start together are separated by line feeds.
public struct SubtitleLines: Hashable, Sendable {
    /// The latest lines that have already ended; nil for none.
    public var previous: String?
    /// The lines that are shown; nil for none.
    public var current: String?
    /// The lines that start next; nil if none are known yet.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
