import Time

/// Assigns each video frame to the nearest refresh, with hysteresis.
///
/// A refresh shows the frames that are due up to `threshold` periods after it. If frames are due about halfway between
/// two refreshes, clock jitter would assign them to the earlier or the later refresh at random. Therefore, if a frame
/// is due close to the threshold, the threshold is moved away from that frame. The cadence then stays the same until
/// its error reaches 0.6 periods.
struct FrameCadence: Sendable {
    /// The largest distance between a frame's due time and its refresh, in periods, before the cadence changes.
    static let limit = 0.6
    /// The minimum distance of the threshold from the last frame assigned, in periods.
    static let distance = 0.1

    private(set) var threshold = 0.5

    /// Records that a frame due at `due` is shown at `refresh`.
    mutating func didChoose(due: HostTime, at refresh: HostTime, period: Duration) {
        let fraction = (due - refresh) / period
        if fraction > threshold - Self.distance {
            threshold = min(Self.limit, fraction + Self.distance)
        } else if fraction + 1 < threshold + Self.distance {
            // The frame only just missed the previous refresh.
            threshold = max(1 - Self.limit, fraction + 1 - Self.distance)
        }
    }
}
