/// Lines of text around a time, without tags; those that begin at the same time are one, with line feeds between them.
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
