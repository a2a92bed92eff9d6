import GlissadeTime

/// Adapts the speed of video to the refresh rate of the display, and audio to that speed.
///
/// The refresh rate is often close to a whole or half-integer multiple of the video's frame rate. For example, 60 Hz is
/// close to 59.94 frames/s, and to 2.5 times 23.976 frames/s (a 3:2 pattern). If the speed is adjusted so that the
/// multiple is exact, the pattern of refreshes per frame never has to change. Audio is resampled by the same factor. A
/// change within `tolerance` is inaudible.
///
/// The functions are pure: they depend only on their arguments.
enum DisplayLead {
    /// The largest relative change of speed and pitch: 0.5 %, a twelfth of a semitone.
    static let tolerance = 0.005
    /// The largest relative change of speed at which adaptation starts. It is smaller than `tolerance`, so that jitter
    /// in the measured refresh rate does not switch adaptation on and off.
    static let entryTolerance = 0.0048
    /// The most refreshes per frame for which the speed is adapted. For longer frames, one refresh more or less goes
    /// unnoticed.
    static let largestRatio = 20.0
    /// The fraction of the offset between audio and video that is corrected per second. About half a second of audio is
    /// queued at the old rate, so a gain near 1 would cause oscillation.
    static let gain = 0.3
    /// The largest offset between audio and video at which audio keeps following the display's pace. If the offset is
    /// larger, the clock follows audio instead.
    static let largestOffset = Duration.milliseconds(45)
    /// The largest offset between audio and video at which audio starts to follow the display's pace. It is smaller
    /// than `largestOffset`, because audio near the limit of its speed would take minutes to correct a large offset.
    static let entryOffset = Duration.milliseconds(15)

    /// Returns the factor for the video's speed at which each frame, or each pair of frames, takes a whole number of
    /// refreshes.
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

    /// Whether audio can follow the display's pace.
    ///
    /// - Parameters:
    ///   - ahead: How far video is ahead of audio; negative if it is behind.
    ///   - isFollowing: Whether audio already follows the display's pace.
    static func canFollow(ahead: Duration, isFollowing: Bool) -> Bool {
        let limit = isFollowing ? largestOffset : entryOffset
        return ahead <= limit && ahead >= .zero - limit
    }

    /// Returns the factor for the rate of audio that keeps audio in sync with video played at `factor`.
    ///
    /// - Parameter ahead: How far video is ahead of audio; negative if it is behind.
    static func audioFactor(_ factor: Double, ahead: Duration) -> Double {
        // In steps of 15 ppm, since each change starts a new run in `SampleQueue`.
        let wanted = ((factor + ahead.inSeconds * gain) * 65_536).rounded() / 65_536
        return min(max(wanted, 1 - tolerance), 1 + tolerance)
    }
}
