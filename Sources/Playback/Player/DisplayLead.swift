import Time

/// How fast a film plays if its display sets the pace, and how its audio follows.
///
/// A display whose rate is almost a whole or half-integer multiple of the film's (59.94 frames/s on 60 Hz, 23.976 on
/// 60 Hz as 3:2) can show each frame for its own refreshes forever, if the film plays at exactly that rate. Audio is
/// resampled by the same factor, within `tolerance`, which is not audible.
///
/// Pure: it is told rates and offsets.
enum DisplayLead {
    /// The largest change of speed, and so of pitch: 0.5 %, a twelfth of a semitone.
    static let tolerance = 0.005
    /// A film begins to follow a display within this, so that the measured rate's jitter does not switch it on and off.
    static let entryTolerance = 0.0048
    /// How much of an offset between audio and video is made up per second. What is queued (about half a second) still
    /// plays at the old rate, so a gain near 1 would oscillate.
    static let gain = 0.3
    /// With a larger offset, the clock follows audio as if the display did not lead.
    static let largestOffset = Duration.milliseconds(45)

    /// The factor on the film's speed at which each of its frames takes a whole number of refreshes, or two frames do.
    ///
    /// - Parameters:
    ///   - film: Frames per second, at the speed at which the film plays.
    ///   - display: Refreshes per second.
    ///   - isLeading: Whether the display leads already.
    /// - Returns: Nil if no such factor is close enough to 1.
    static func factor(film: Double, display: Double, isLeading: Bool = false) -> Double? {
        guard film > 0, display > 0, film.isFinite, display.isFinite else { return nil }
        let ratio = (display / film * 2).rounded() / 2
        guard ratio >= 1, ratio <= 1000 else { return nil }
        let factor = display / (ratio * film)
        return abs(factor - 1) <= (isLeading ? tolerance : entryTolerance) ? factor : nil
    }

    /// The factor on the rate of audio that keeps it with a film played at `factor`.
    ///
    /// - Parameter ahead: How far video is ahead of audio.
    static func audioFactor(_ factor: Double, ahead: Duration) -> Double {
        min(max(factor + ahead.inSeconds * gain, 1 - tolerance), 1 + tolerance)
    }
}
