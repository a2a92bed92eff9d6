import Audio
import Platform
public import Time

// A part of the media, from A to B, that plays over and over.

extension Player {
    /// What is repeated, from the media's beginning.
    struct LoopRange: Hashable {
        var start: Duration
        /// Nil for the media's end.
        var end: Duration?
        /// Whether it was before the end when it came there: only then the end leads back.
        var isArmed = true
    }

    /// The part that is repeated, from the media's beginning; the end is nil where that is the media's own.
    public var loopRange: (start: Duration, end: Duration?)? { range.map { ($0.start, $0.end) } }

    /// Plays from `start` to `end` over and over: at the end it goes exactly to the start. Where it is before the start, it
    /// plays until it comes in; where it is at the end or beyond, and plays, it goes to the start at once. A seek to beyond
    /// the end leaves the loop until a seek leads back.
    ///
    /// - Parameters:
    ///   - start: from the media's beginning; nil ends the loop. Before the beginning is at the beginning.
    ///   - end: nil, or beyond the media's end, is the media's end.
    /// - Returns: false, and nothing is changed, where the end does not lie after the start, the start not before the
    ///   media's end, and where the media is not open, or cannot seek. Ending the loop is always true.
    @discardableResult public func setLoopRange(from start: Duration?, to end: Duration? = nil, now: HostTime) -> Bool {
        guard let start else {
            range = nil
            pipeline.packets.isLooping = isLooping
            return true
        }
        guard let info, info.isSeekable, !info.isStill, !isUntimed else { return false }
        if case .failed = phase { return false }
        let first = max(.zero, start)
        var last = end
        if let duration = info.duration {
            guard first < duration else { return false }
            if let end, end >= duration { last = nil }
        }
        if let last, last <= first { return false }
        let position = position(at: now)
        range = LoopRange(start: first, end: last)
        // A round that was read ahead as one of the whole media would be played yet.
        pipeline.packets.isLooping = false
        let isBeyond = last.map { position >= $0 } ?? false
        switch phase {
        case .running, .startingAudio, .buffering, .preroll:
            if isBeyond && !wantsPause {
                seek(to: first, mode: .exact, now: now)
            } else if isLooping {
                seek(to: position, mode: .exact, now: now)
            }
        default: break
        }
        return true
    }

    /// Where the clock turns back, on the media's own time line; nil where it does not.
    var loopEnd: MediaTime? {
        guard let range, range.isArmed, let end = range.end, let info else { return nil }
        return info.startTime + end
    }

    /// Goes back to the start once the end has come; true where it did.
    func turnBack(_ now: HostTime) -> Bool {
        guard let end = loopEnd, clock.time(at: now) >= end else { return false }
        seekToLoopStart(now)
        return true
    }

    func seekToLoopStart(_ now: HostTime) {
        guard let range, let info else { return }
        // No frame of the round before is worth waiting for.
        lastShown = lastShown ?? info.startTime
        seek(to: info.startTime + range.start, mode: .exact, now: now)
    }

    /// A seek leads into the loop, or past it.
    func armABLoop(for target: MediaTime) {
        guard let info, let end = range?.end else { return }
        range?.isArmed = target < info.startTime + end
    }
}
