/// The settings for which comments are shown, and for their size, speed and number. A value.
public struct CommentStyle: Hashable, Sendable {
    /// The opacity of all comments, 0…1.
    public var opacity = 0.8
    /// The factor by which all comments are enlarged.
    public var scale = 1.0
    /// The share of the video's height that comments may cover, from the top (for `bottom`, from the bottom): 0…1.
    public var heightShare = 0.75
    /// The kinds of comments that are shown.
    public var kinds = Set(MovingComment.Kind.allCases)
    /// The speed factor: at 2, comments cross the video in half the time, and rest for half the time.
    public var speed = 1.0
    /// Whether a comment overlaps others if there is no free lane for it. If false, the comment is left out.
    public var overlaps = false
    /// The maximum number of comments visible at a time.
    public var limit = 100
    /// Words to look for in comments, regardless of case. Comments that contain any of them are hidden.
    public var hiddenWords: [String] = []
    /// The users whose comments are hidden.
    public var hiddenUsers: Set<String> = []

    public init() {}

    /// Whether the style shows `comment`, provided that there is room for it.
    public func shows(_ comment: MovingComment) -> Bool {
        guard kinds.contains(comment.kind), !hiddenUsers.contains(comment.user) else { return false }
        if hiddenWords.isEmpty { return true }
        let text = comment.text.lowercased()
        return !hiddenWords.contains { !$0.isEmpty && text.contains($0.lowercased()) }
    }
}
