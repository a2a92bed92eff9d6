/// Subtitle text around a time, without tags. Lines that start at the same time are joined with line feeds.
public struct SubtitleLines: Hashable, Sendable {
    public var previous: String?
    public var current: String?
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
