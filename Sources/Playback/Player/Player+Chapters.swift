import Media
public import Time

// Chapters: places in the media that it names itself.

extension Player {
    /// Going back from within this of a chapter's beginning leads to the chapter before; from later on, to its beginning.
    public nonisolated static let chapterThreshold = Duration.seconds(3)

    /// The chapter in which `position`, from the media's beginning, lies: an index into the media's chapters; nil before
    /// the first, and where there are none.
    public func chapter(at position: Duration) -> Int? { info?.chapter(at: position) }

    /// Goes exactly to the beginning of the chapter that is `step` on (or back, where it is negative) from where it is, or
    /// from where it is going. Before the first chapter lies the media's beginning.
    ///
    /// - Returns: false, and nothing is done, where there is no chapter in that direction, or no way to seek.
    @discardableResult public func seekToChapter(by step: Int, now: HostTime) -> Bool {
        guard let info, info.isSeekable, let place = info.chapterStart(step, from: position(at: now)) else {
            return false
        }
        seek(to: place, now: now)
        return true
    }
}

extension MediaInfo {
    /// The chapter in which `position` lies.
    func chapter(at position: Duration) -> Int? { chapters.lastIndex { $0.start - startTime <= position } }

    /// Where the chapter begins that is `step` on from `position`, from the media's beginning on; nil where there is none.
    func chapterStart(_ step: Int, from position: Duration) -> Duration? {
        guard !chapters.isEmpty, step != 0 else { return nil }
        let current = chapter(at: position) ?? -1
        var target = Int(clamping: Int64(current).addingClamped(Int64(step)))
        if step < 0, current >= 0, position - (chapters[current].start - startTime) > Player.chapterThreshold {
            target += 1
        }
        guard target < chapters.count else { return nil }
        // Nothing lies before the beginning.
        guard target >= 0 else { return position > .zero ? .zero : nil }
        return max(.zero, chapters[target].start - startTime)
    }
}
