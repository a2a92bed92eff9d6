import GlissadeTime

/// Assigns each video frame to the nearest refresh, with hysteresis.
///
/// A frame is shown at a refresh if it is due no later than `threshold` periods after that refresh. With a fixed
/// threshold, clock jitter would assign frames due close to the threshold to either refresh at random. Therefore, the
/// threshold moves away from such frames. The cadence stays the same until frames are due more than `limit` periods
/// from their refresh.
struct FrameCadence: Sendable {
    /// The maximum distance between a frame's due time and its refresh, in periods.
    static let limit = 0.6
    /// The minimum distance between the threshold and the last frame's due time, in periods. `limit` takes precedence.
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
