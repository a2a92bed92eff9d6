/// Tracks lines of a source that take too long to render, and whether the source as a whole does. A value; subtitle
/// thread.
///
/// libass cannot be interrupted within a line. So each line is rendered once, however long that takes, and measured; a
/// line that takes too long is skipped from then on. Playback never waits for it.
struct SlowLines {
    /// The CPU time limit for one line in one picture.
    static let limit = Duration.milliseconds(100)
    /// The CPU time limit for all renderings that exceed `limit`, after which nothing more of the source is rendered. A
    /// slow line has to be rendered once before it can be skipped, and a file can contain any number of slow lines.
    static let budget = Duration.seconds(20)

    /// The identities of skipped lines.
    private(set) var leftOut: Set<Int> = []
    private var spent = Duration.zero

    var isExhausted: Bool { spent > Self.budget }

    func isLeftOut(_ event: SubtitleEvent) -> Bool { isExhausted || leftOut.contains(event.identity) }

    /// Records the cost of a rendering. True if it exceeds `limit`, so that each line has to be measured.
    mutating func note(_ cost: Duration) -> Bool {
        guard cost > Self.limit else { return false }
        spent += cost
        return true
    }

    /// Records the cost of a single line.
    mutating func note(_ cost: Duration, of event: SubtitleEvent) {
        guard cost > Self.limit else { return }
        leftOut.insert(event.identity)
    }
}
