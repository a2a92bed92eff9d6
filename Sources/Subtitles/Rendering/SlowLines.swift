/// The lines of a source that take too long to render, and the time spent on them. A value; confined to the subtitle
/// thread.
///
/// libass cannot be interrupted while it renders a line. A slow line is therefore rendered once, and is skipped after
/// that.
struct SlowLines {
    /// The maximum CPU time for one line in one picture. Slower lines are skipped.
    static let limit = Duration.milliseconds(100)
    /// The maximum CPU time for all slow pictures of a source together. Once this time is exceeded, none of the
    /// source's lines are rendered any more.
    static let budget = Duration.seconds(20)

    /// The identities of the lines that are skipped.
    private(set) var leftOut: Set<Int> = []
    private var spent = Duration.zero

    var isExhausted: Bool { spent > Self.budget }

    func isLeftOut(_ event: SubtitleEvent) -> Bool { isExhausted || leftOut.contains(event.identity) }

    /// Records the CPU time of a picture. Returns whether the time exceeds `limit`.
    mutating func note(_ cost: Duration) -> Bool {
        guard cost > Self.limit else { return false }
        spent += cost
        return true
    }

    /// Records the CPU time of a line rendered by itself. If the time exceeds `limit`, the line is skipped from now on.
    mutating func note(_ cost: Duration, of event: SubtitleEvent) {
        guard cost > Self.limit else { return }
        leftOut.insert(event.identity)
    }
}
