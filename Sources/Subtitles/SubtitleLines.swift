/// Subtitle text around a time, without tags. Lines that start at the same time are joined with line feeds.
public struct SubtitleLines: Hashable, Sendable {
    /// The last lines that have ended; nil for none.
    public var previous: String?
    /// The visible lines; nil for none.
    public var current: String?
    /// The lines that begin next, as far as they are known; nil for none.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
