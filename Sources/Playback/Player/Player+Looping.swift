import GlissadeAudio
import GlissadePlatform
public import GlissadeTime

// A–B loop: repeats a part of the media.

extension Player {
    /// The part of the media that an A–B loop repeats. Times count from the start of the media.
    struct LoopRange: Hashable {
        var start: Duration
        /// The end of the part; nil for the end of the media.
        var end: Duration?
        /// Whether playback returns to `start` when it reaches `end`. False after a seek to `end` or later.
        var isArmed = true
    }

    /// The start and end of the A–B loop, counted from the start of the media; nil if there is no loop. If `end` is
    /// nil, the loop ends with the media.
    public var loopRange: (start: Duration, end: Duration?)? { range.map { ($0.start, $0.end) } }

    /// Sets an A–B loop: when playback reaches `end`, the player seeks exactly to `start`.
    ///
    /// If the current position is before `start`, playback continues into the loop. If the position is at `end` or
    /// later, playback jumps to `start` at once or, if paused, when it resumes. After a seek to `end` or later,
    /// playback ignores the loop until another seek goes back before `end`.
    ///
    /// - Parameters:
    ///   - start: The start of the loop, counted from the start of the media; negative values count as 0. Nil removes
    ///     the loop.
    ///   - end: The end of the loop, counted from the start of the media. Nil or a time at or past the end of the media
    ///     makes the loop end with the media.
    /// - Returns: True if the loop was set or removed. If the range is empty or begins at or after the end of the
    ///   media, or if the media is not open, has failed or cannot be repeated, returns false and changes nothing.
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
        // The demuxer must not repeat the whole media. If it has already begun to, the seek below drops those
        // packets.
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

    /// The media time at which playback returns to the start of the A–B loop; nil if playback continues to the end of
    /// the media.
    var loopEnd: MediaTime? {
        guard let range, range.isArmed, let end = range.end, let info else { return nil }
        return info.startTime + end
    }

    /// Seeks to the start of the A–B loop if its end has been reached. Returns whether a seek was started.
    func turnBack(_ now: HostTime) -> Bool {
        guard let end = loopEnd, clock.time(at: now) >= end else { return false }
        seekToLoopStart(now)
        return true
    }

    func seekToLoopStart(_ now: HostTime) {
        guard let range, let info else { return }
        // Do not wait for a frame of the previous repetition.
        lastShown = lastShown ?? info.startTime
        seek(to: info.startTime + range.start, mode: .exact, now: now)
    }

    /// Arms the A–B loop if `target` is before the loop's end; otherwise, disarms it. A loop without an end stays
    /// armed.
    func armABLoop(for target: MediaTime) {
        guard let info, let end = range?.end else { return }
        range?.isArmed = target < info.startTime + end
    }
}
