import GlissadeTime

/// The media time of each decoded audio frame, counted in samples and corrected by the container's timestamps.
///
/// Containers write timestamps that jitter: Vorbis packets carry the times of whole pages, live encoders the times at
/// which they were sent, and some files have the same time everywhere. The samples themselves are without gaps. Each
/// frame therefore begins where the previous one ended, and the average deviation of the timestamps is removed over
/// seconds, by playing a little faster or slower. Only a deviation of more than `largestDrift` is a discontinuity.
///
/// Reads no clock.
struct SampleTimeline {
    /// The largest deviation of a timestamp that does not count as a discontinuity. A shorter gap is closed.
    static let largestDrift = Duration.milliseconds(100)
    /// The largest deviation that does not count as a discontinuity where the media starts over.
    static let largestSeam = Duration.milliseconds(10)
    /// The largest relative change of rate and pitch: as inaudible as when audio follows a display.
    static let tolerance = DisplayLead.tolerance
    /// The average deviation, in seconds, at which correction begins, and at which it ends. Containers that round times
    /// to milliseconds stay below both.
    private static let (entry, exit) = (0.005, 0.0005)
    /// The time over which deviations are averaged, in seconds.
    private static let averaging = 2.0
    /// The fraction of the average deviation that is corrected per second. With `averaging`, the correction settles
    /// within about 10 s, and hardly overshoots.
    private static let gain = 0.15

    /// How a frame follows the previous one.
    enum Step: Equatable {
        /// Without a gap. The frame is to be played at `factor` of its speed, so that it takes 1/`factor` of its length.
        case follows(factor: Double)
        /// The media time jumps to `time`, in nanoseconds.
        case jumps(to: Int64)
    }

    /// The media time from which samples are counted, in nanoseconds; nil before the first frame.
    private var origin: Int64?
    /// The media time covered by samples since `origin`, in seconds.
    private var covered = 0.0
    private var lastTimestamp: Int64?
    /// The average deviation of the timestamps from the counted time, in seconds.
    private var deviation = 0.0
    private var isCorrecting = false
    /// Whether the next frame begins anew, as at the start of a loop's next pass.
    private(set) var isAtSeam = false

    /// The media time at which the next frame should begin, in nanoseconds; nil before the first frame.
    var end: Int64? { origin?.addingClamped(Int64(clampingNanoseconds: covered)) }

    /// Places the next frame.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's own time, in nanoseconds; nil if unknown.
    ///   - length: The length of its samples, in seconds.
    mutating func place(_ timestamp: Int64?, length: Double) -> Step {
        // The same time again says nothing.
        let isNew = timestamp != lastTimestamp
        lastTimestamp = timestamp ?? lastTimestamp
        guard let end else { return jump(to: timestamp ?? 0, length: length) }
        if let timestamp, isNew {
            let distance = timestamp.subtractingClamped(end)
            let limit = isAtSeam ? Self.largestSeam : Self.largestDrift
            isAtSeam = false
            if distance.magnitude > limit.nanoseconds.magnitude {
                return jump(to: timestamp, length: length)
            }
            deviation += (Double(distance) / 1e9 - deviation) * min(1, length / Self.averaging)
        }
        isCorrecting = deviation.magnitude > (isCorrecting ? Self.exit : Self.entry)
        let correction = isCorrecting ? deviation * Self.gain : 0
        let factor = 1 - min(max(correction, -Self.tolerance), Self.tolerance)
        covered += length / factor
        return .follows(factor: factor)
    }

    /// Notes that the next frame begins at its own time even if that is only `largestSeam` off.
    mutating func noteSeam() { isAtSeam = true }

    private mutating func jump(to time: Int64, length: Double) -> Step {
        self = SampleTimeline(origin: time, covered: length, lastTimestamp: lastTimestamp)
        return .jumps(to: time)
    }
}
