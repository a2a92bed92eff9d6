/// Which comments are shown, and their opacity, size, speed and number.
public struct CommentStyle: Hashable, Sendable {
    /// The opacity of all comments, 0…1.
    public var opacity = 0.8
    /// The factor by which the font size of all comments is multiplied.
    public var scale = 1.0
    /// The fraction of the video's height that comments may cover, 0…1. Bottom comments cover this fraction from the
    /// bottom, all others from the top.
    public var heightFraction = 0.75
    /// The kinds of comments that are shown.
    public var kinds = Set(MovingComment.Kind.allCases)
    /// The speed factor. At 2, moving comments cross the video in half the usual time, and comments at the top and
    /// bottom stay half as long.
    public var speed = 1.0
    /// Whether a comment may overlap others if no lane is free. If false, such a comment is left out.
    public var overlaps = false
    /// The maximum number of comments that are visible at the same time.
    public var limit = 100
    /// The hidden words. A comment that contains any of them is hidden. Case is ignored.
    public var hiddenWords: [String] = []
    /// The users whose comments are hidden.
    public var hiddenUsers: Set<String> = []

    public init() {}

    /// Returns whether the style permits `comment` to be shown. Does not consider whether there is room for it.
    public func shows(_ comment: MovingComment) -> Bool { CommentFilter(self).shows(comment) }
}

/// Decides which comments a style permits. Prepared once for many comments.
struct CommentFilter {
    private let kinds: Set<MovingComment.Kind>
    private let words: [String]
    private let users: Set<String>

    init(_ style: CommentStyle) {
        (kinds, users) = (style.kinds, style.hiddenUsers)
        words = style.hiddenWords.filter { !$0.isEmpty }.map { $0.lowercased() }
    }

    func shows(_ comment: MovingComment) -> Bool {
        guard kinds.contains(comment.kind), !users.contains(comment.user) else { return false }
        if words.isEmpty { return true }
        let text = comment.text.lowercased()
        return !words.contains { text.contains($0) }
    }
}
