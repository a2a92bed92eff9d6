/// Which lines of a source take too long to draw, and when all of it does. A value, on the subtitle thread.
///
/// libass cannot be stopped in the middle of a line. So a line is drawn once, however long that takes, and measured; one that
/// took too long is left out from then on. The film waits for neither.
struct SlowLines {
    /// Of the processor, for one line in one picture.
    static let limit = Duration.milliseconds(100)
    /// For all drawings together that took longer than `limit`: no more of the source is drawn then, since what is left out
    /// has to be drawn once first, and a file can hold any number of such lines.
    static let budget = Duration.seconds(20)

    /// The lines that are left out, by their `identity`.
    private(set) var leftOut: Set<Int> = []
    private var spent = Duration.zero

    var isExhausted: Bool { spent > Self.budget }

    func isLeftOut(_ event: SubtitleEvent) -> Bool { isExhausted || leftOut.contains(event.identity) }

    /// Takes note of what a drawing took. True where it was too long, so that each of its lines is to be measured.
    mutating func note(_ cost: Duration) -> Bool {
        guard cost > Self.limit else { return false }
        spent += cost
        return true
    }

    /// Takes note of what a line took by itself.
    mutating func note(_ cost: Duration, of event: SubtitleEvent) {
        guard cost > Self.limit else { return }
        leftOut.insert(event.identity)
    }
}
