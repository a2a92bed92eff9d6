import GlissadeTime

/// The part of the media that an A–B loop repeats. Times count from the start of the media.
struct LoopRange: Hashable {
    let start: Duration
    /// The end of the part; nil for the end of the media.
    let end: Duration?
    /// Whether playback returns to `start` when it reaches `end`. False after a seek to `end` or later.
    private(set) var isArmed = true

    /// Nil if the part is empty, or begins at or after the end of the media. An `end` at or past `duration` makes the
    /// loop end with the media.
    init?(from start: Duration, to end: Duration?, duration: Duration?) {
        let start = max(.zero, start)
        var end = end
        if let duration {
            guard start < duration else { return nil }
            if let last = end, last >= duration { end = nil }
        }
        if let end, end <= start { return nil }
        self.start = start
        self.end = end
    }

    /// Whether `position` is at the end of the part or later.
    func isOver(at position: Duration) -> Bool { end.map { position >= $0 } ?? false }

    /// Arms the loop if `position`, the target of a seek, is before the loop's end; otherwise, disarms it. A loop
    /// without an end stays armed.
    mutating func arm(for position: Duration) { isArmed = !isOver(at: position) }
}
