/// The text of the subtitles around a time, without tags. If a property has the text of several subtitles, line feeds
/// separate them.
public struct SubtitleLines: Hashable, Sendable {
    /// The latest lines that have already ended; nil if no line has.
    public var previous: String?
    /// The lines that are shown at the time; nil if no line is shown.
    public var current: String?
    /// The lines that start next; nil if no later line is known.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
