/// Lines of text around a time, without tags; those that begin at the same time are one, with line feeds between them.
public struct SubtitleLines: Hashable, Sendable {
    /// The last lines that ended before; nil for none.
    public var previous: String?
    /// The lines that are on show; nil for none.
    public var current: String?
    /// The lines that begin next, as far as they are known; nil for none.
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
