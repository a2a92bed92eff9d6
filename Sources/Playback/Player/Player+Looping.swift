import Audio
import Platform
public import Time

// A–B loop: repeats a part of the media.

extension Player {
    /// The repeated part, counted from the start of the media.
    struct LoopRange: Hashable {
        var start: Duration
        /// Nil for the end of the media.
        var end: Duration?
        /// Whether playback has been before the end since it started or sought: only then does reaching the end lead
        /// back.
        var isArmed = true
    }

    /// The repeated part, counted from the start of the media; the end is nil if it is the media's own.
    public var loopRange: (start: Duration, end: Duration?)? { range.map { ($0.start, $0.end) } }

    /// Repeats the media from `start` to `end`: reaching the end seeks exactly to the start. Before the start it plays
    /// until it enters the loop; at or after the end, while playing, it goes to the start at once. A seek past the end
    /// leaves the loop until a seek leads back.
    ///
    /// - Parameters:
    ///   - start: From the start of the media; nil ends the loop. Clamped to the start.
    ///   - end: Nil, or past the end of the media, is the end of the media.
    /// - Returns: False, changing nothing, if the end is not after the start, the start is not before the media's end,
    /// or the media is not open or cannot seek. Ending the loop always succeeds.
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
        // Turned off, since otherwise a repetition of the whole media that was read ahead would still be played.
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

    /// The media time at which playback returns to the start; nil if it does not.
    var loopEnd: MediaTime? {
        guard let range, range.isArmed, let end = range.end, let info else { return nil }
        return info.startTime + end
    }

    /// Seeks back to the start once the end is reached; returns whether it did.
    func turnBack(_ now: HostTime) -> Bool {
        guard let end = loopEnd, clock.time(at: now) >= end else { return false }
        seekToLoopStart(now)
        return true
    }

    func seekToLoopStart(_ now: HostTime) {
        guard let range, let info else { return }
        // Does not wait for frames of the previous round.
        lastShown = lastShown ?? info.startTime
        seek(to: info.startTime + range.start, mode: .exact, now: now)
    }

    /// Arms the loop if a seek to `target` leads before its end, and disarms it otherwise.
    func armABLoop(for target: MediaTime) {
        guard let info, let end = range?.end else { return }
        range?.isArmed = target < info.startTime + end
    }
}
