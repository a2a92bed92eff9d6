import Time

/// The speed of a film whose display sets the pace, and how its audio follows.
///
/// A display whose rate is almost a whole or half-integer multiple of the film's (59.94 frames/s on 60 Hz, 23.976 on 60
/// Hz as 3:2) can show every frame for the same pattern of refreshes indefinitely, if the film plays at exactly the
/// matching rate. Audio is resampled by the same factor, within `tolerance`, which is inaudible.
///
/// Pure: rates and offsets are passed in.
enum DisplayLead {
    /// The largest change of speed, and so of pitch: 0.5 %, a twelfth of a semitone.
    static let tolerance = 0.005
    /// A film starts to follow a display only within this smaller tolerance, so that jitter of the measured rate does
    /// not switch it on and off.
    static let entryTolerance = 0.0048
    /// With more refreshes per frame than this, a repeated refresh is not noticed.
    static let largestRatio = 20.0
    /// How much of an offset between audio and video is made up per second. What is queued (about half a second) still
    /// plays at the old rate, so a gain near 1 would oscillate.
    static let gain = 0.3
    /// With a larger offset, the clock follows audio as if the display did not lead.
    static let largestOffset = Duration.milliseconds(45)
    /// It does so until the offset is this small. At a factor near the limit, audio has almost no speed left to make up for
    /// one: an offset just below `largestOffset` would last for minutes.
    static let entryOffset = Duration.milliseconds(15)

    /// The factor on the film's speed at which each of its frames takes a whole number of refreshes, or two frames do.
    ///
    /// - Parameters:
    ///   - film: Frames per second, at the speed at which the film plays.
    ///   - display: Refreshes per second.
    ///   - isLeading: Whether the display already leads.
    /// - Returns: Nil if no such factor is close enough to 1.
    static func factor(film: Double, display: Double, isLeading: Bool = false) -> Double? {
        guard film > 0, display > 0, film.isFinite, display.isFinite else { return nil }
        let ratio = (display / film * 2).rounded() / 2
        guard (1...largestRatio).contains(ratio) else { return nil }
        let factor = display / (ratio * film)
        return abs(factor - 1) <= (isLeading ? tolerance : entryTolerance) ? factor : nil
    }

    /// Whether audio can keep to a film that is `ahead` of it.
    ///
    /// - Parameter isFollowing: Whether audio follows already.
    static func canFollow(ahead: Duration, isFollowing: Bool) -> Bool {
        let limit = isFollowing ? largestOffset : entryOffset
        return ahead <= limit && ahead >= .zero - limit
    }

    /// The factor on the rate of audio that keeps it with a film played at `factor`.
    ///
    /// - Parameter ahead: How far video is ahead of audio.
    static func audioFactor(_ factor: Double, ahead: Duration) -> Double {
        // In steps of 15 ppm: each change starts another run in the queue of samples.
        let wanted = ((factor + ahead.inSeconds * gain) * 65_536).rounded() / 65_536
        return min(max(wanted, 1 - tolerance), 1 + tolerance)
    }
}
