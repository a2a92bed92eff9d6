/// Which comments are shown, and how large, fast and many they are. A value.
public struct CommentStyle: Hashable, Sendable {
    /// The opacity of all comments, 0…1.
    public var opacity = 0.8
    /// The factor by which all comments are enlarged.
    public var scale = 1.0
    /// The share of the video's height that comments may cover, from the top (for `bottom`, from the bottom): 0…1.
    public var heightShare = 0.75
    /// The kinds that are shown.
    public var kinds = Set(MovingComment.Kind.allCases)
    /// The speed factor: at 2, comments cross the video in half the time, and rest for half the time.
    public var speed = 1.0
    /// Whether a comment for which there is no free lane overlaps others. Otherwise, it is left out.
    public var overlaps = false
    /// The maximum number of comments visible at a time.
    public var limit = 100
    /// Words that hide the comments that contain them, regardless of case.
    public var hiddenWords: [String] = []
    /// The users whose comments are hidden.
    public var hiddenUsers: Set<String> = []

    public init() {}

    /// Whether `comment` is shown, provided that there is a lane for it.
    public func shows(_ comment: MovingComment) -> Bool {
        guard kinds.contains(comment.kind), !hiddenUsers.contains(comment.user) else { return false }
        if hiddenWords.isEmpty { return true }
        let text = comment.text.lowercased()
        return !hiddenWords.contains { !$0.isEmpty && text.contains($0.lowercased()) }
    }
}
