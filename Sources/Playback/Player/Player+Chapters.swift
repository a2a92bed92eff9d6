import GlissadeMedia
public import GlissadeTime

// Navigation by chapters.

extension Player {
    /// Within this time after a chapter's start, going back leads to the previous chapter. Later, going back leads to
    /// the start of the current chapter.
    public nonisolated static let chapterThreshold = Duration.seconds(3)

    /// The index of the chapter at `position`, counted from the start of the media; nil before the first chapter or
    /// without chapters.
    public func chapter(at position: Duration) -> Int? { info?.chapter(at: position) }

    /// Seeks by `step` chapters from the current position or the target of a pending seek; a negative `step` goes back.
    /// Going back from the first chapter leads to the start of the media.
    ///
    /// - Returns: Whether a seek was started. False if there is no such chapter, or if the media cannot seek.
    @discardableResult public func seekToChapter(by step: Int, now: HostTime) -> Bool {
        guard let info, info.isSeekable, let place = info.chapterStart(step, from: position(at: now)) else {
            return false
        }
        seek(to: place, now: now)
        return true
    }
}

extension MediaInfo {
    /// The index of the chapter at `position`, counted from the start of the media; nil before the first chapter.
    func chapter(at position: Duration) -> Int? { chapters.lastIndex { $0.start - startTime <= position } }

    /// The start of the chapter that is `step` chapters from `position`, subject to `Player.chapterThreshold`. Going
    /// back past the first chapter leads to 0. Nil if `step` is 0, if there is no such chapter, or if `position` is 0
    /// and nothing precedes it.
    func chapterStart(_ step: Int, from position: Duration) -> Duration? {
        guard !chapters.isEmpty, step != 0 else { return nil }
        let current = chapter(at: position) ?? -1
        var target = Int(clamping: Int64(current).addingClamped(Int64(step)))
        if step < 0, current >= 0, position - (chapters[current].start - startTime) > Player.chapterThreshold {
            target += 1
        }
        guard target < chapters.count else { return nil }
        // Nothing comes before the start.
        guard target >= 0 else { return position > .zero ? .zero : nil }
        return max(.zero, chapters[target].start - startTime)
    }
}
