import Time

/// Adapts the speed of video to the refresh rate of the display, and audio to that speed.
///
/// The refresh rate is often almost a whole or half-integer multiple of the video's frame rate: 60 Hz for 59.94
/// frames/s, or for 23.976 frames/s in a 3:2 pattern. If the video plays at exactly the matching speed, the pattern
/// of refreshes per frame never has to change. Audio is resampled by the same factor. Within `tolerance`, the
/// difference is inaudible.
///
/// The functions are pure: they depend only on their arguments.
enum DisplayLead {
    /// The largest change of speed, and so of pitch: 0.5 %, a twelfth of a semitone.
    static let tolerance = 0.005
    /// The largest change of speed at which a video starts to follow a display. It is smaller than `tolerance`, so that
    /// jitter in the measured rate does not switch the adaptation on and off.
    static let entryTolerance = 0.0048
    /// The most refreshes per frame for which the speed is adapted. If a frame lasts longer, one refresh more or one
    /// fewer goes unnoticed.
    static let largestRatio = 20.0
    /// The fraction of an offset between audio and video that is corrected per second. Queued audio, about half a
    /// second, still plays at the old rate, so a gain near 1 would cause oscillation.
    static let gain = 0.3
    /// The largest offset between audio and video at which audio keeps following the display's pace. With a larger
    /// one, the clock follows audio instead.
    static let largestOffset = Duration.milliseconds(45)
    /// The largest offset between audio and video at which audio starts to follow the display's pace. At a factor
    /// near the limit, audio has almost no speed left to correct an offset: one just below `largestOffset` would take
    /// minutes to disappear.
    static let entryOffset = Duration.milliseconds(15)

    /// The factor on the video's speed at which each frame, or each pair of frames, takes a whole number of refreshes.
    ///
    /// - Parameters:
    ///   - film: The video's frames per second at the current playback speed.
    ///   - display: Refreshes per second.
    ///   - isLeading: Whether the display already sets the pace.
    /// - Returns: The factor. Nil if no such factor is close enough to 1, or if a frame takes less than one refresh or
    ///   more than `largestRatio` refreshes.
    static func factor(film: Double, display: Double, isLeading: Bool = false) -> Double? {
        guard film > 0, display > 0, film.isFinite, display.isFinite else { return nil }
        let ratio = (display / film * 2).rounded() / 2
        guard (1...largestRatio).contains(ratio) else { return nil }
        let factor = display / (ratio * film)
        return abs(factor - 1) <= (isLeading ? tolerance : entryTolerance) ? factor : nil
    }

    /// Whether audio can follow the display's pace while video is ahead of audio by `ahead` (behind if negative).
    ///
    /// - Parameter isFollowing: Whether audio already follows the display's pace.
    static func canFollow(ahead: Duration, isFollowing: Bool) -> Bool {
        let limit = isFollowing ? largestOffset : entryOffset
        return ahead <= limit && ahead >= .zero - limit
    }

    /// The factor on the rate of audio that keeps it in sync with video played at `factor`.
    ///
    /// - Parameter ahead: How far video is ahead of audio.
    static func audioFactor(_ factor: Double, ahead: Duration) -> Double {
        // In steps of 15 ppm, since each change starts a new run in `SampleQueue`.
        let wanted = ((factor + ahead.inSeconds * gain) * 65_536).rounded() / 65_536
        return min(max(wanted, 1 - tolerance), 1 + tolerance)
    }
}
