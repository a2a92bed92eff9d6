public import Motion

// Chapters: places in the media that it names itself.

extension Player {
    /// Going back from within this of a chapter's beginning leads to the chapter before; from later on, to its beginning.
    public static let chapterThreshold = Duration.seconds(3)

    /// The chapter in which `position`, from the media's beginning, lies: an index into the media's chapters; nil before
    /// the first, and where there are none.
    public func chapter(at position: Duration) -> Int? {
        guard let info else { return nil }
        return info.chapters.lastIndex { $0.start - info.startTime <= position }
    }

    /// Goes exactly to the beginning of the chapter that is `step` on (or back, where it is negative) from where it is, or
    /// from where it is going. Before the first chapter lies the media's beginning.
    ///
    /// - Returns: false, and nothing is done, where there is no chapter in that direction, or no way to seek.
    @discardableResult public func seekToChapter(by step: Int, now: HostTime) -> Bool {
        guard let info, info.isSeekable, !info.chapters.isEmpty, step != 0 else { return false }
        let position = position(at: now)
        let current = chapter(at: position) ?? -1
        let (sum, isBeyond) = current.addingReportingOverflow(step)
        var target = isBeyond ? (step < 0 ? Int.min : .max) : sum
        if step < 0, current >= 0, position - (info.chapters[current].start - info.startTime) > Self.chapterThreshold {
            target += isBeyond ? 0 : 1
        }
        guard target < info.chapters.count else { return false }
        if target < 0 {
            // Nothing lies before the beginning.
            guard position > .zero else { return false }
            seek(to: .zero, now: now)
        } else {
            seek(to: max(.zero, info.chapters[target].start - info.startTime), now: now)
        }
        return true
    }
}
