/// The lines of a source that take too long to render, and the time spent on them. A value; confined to the subtitle
/// thread.
///
/// libass cannot be interrupted while it renders a line. Each line is therefore rendered once, however long that takes,
/// and the rendering is timed. If it takes too long, the line is skipped from then on. Playback never waits for
/// rendering.
struct SlowLines {
    /// The maximum CPU time for one line in one picture. Slower lines are skipped.
    static let limit = Duration.milliseconds(100)
    /// The maximum CPU time for all slow pictures of a source together. Once it is exceeded, nothing more of the source
    /// is rendered. This limit is needed because a slow line must be rendered once before it can be skipped, and a file
    /// can contain any number of slow lines.
    static let budget = Duration.seconds(20)

    /// The identities of the lines that are skipped.
    private(set) var leftOut: Set<Int> = []
    private var spent = Duration.zero

    var isExhausted: Bool { spent > Self.budget }

    func isLeftOut(_ event: SubtitleEvent) -> Bool { isExhausted || leftOut.contains(event.identity) }

    /// Records the CPU time of a picture. Returns whether it exceeds `limit`. If it does, some of the picture's lines
    /// may be slow.
    mutating func note(_ cost: Duration) -> Bool {
        guard cost > Self.limit else { return false }
        spent += cost
        return true
    }

    /// Records the CPU time of a line rendered by itself. If it exceeds `limit`, the line is skipped from now on.
    mutating func note(_ cost: Duration, of event: SubtitleEvent) {
        guard cost > Self.limit else { return }
        leftOut.insert(event.identity)
    }
}
