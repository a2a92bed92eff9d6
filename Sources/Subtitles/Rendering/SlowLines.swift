/// Keeps track of the lines of a source that take too long to render. A value; confined to the subtitle thread.
///
/// libass cannot be interrupted while it renders a line. Each line is therefore rendered once, however long that
/// takes, and its time is measured. If it takes too long, the line is skipped from then on. Playback never waits for
/// rendering.
struct SlowLines {
    /// The CPU time limit for rendering one line in one picture.
    static let limit = Duration.milliseconds(100)
    /// The CPU time limit for all slow pictures of a source together. Once it is exceeded, nothing more of the source
    /// is rendered. A slow line must be rendered once before it can be skipped, and a file can contain any number of
    /// slow lines.
    static let budget = Duration.seconds(20)

    /// The identities of the lines that are skipped.
    private(set) var leftOut: Set<Int> = []
    private var spent = Duration.zero

    var isExhausted: Bool { spent > Self.budget }

    func isLeftOut(_ event: SubtitleEvent) -> Bool { isExhausted || leftOut.contains(event.identity) }

    /// Records the cost of a picture. Returns whether it exceeds `limit`, in which case each line must be measured.
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
