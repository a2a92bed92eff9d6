import Time

/// Assigns each video frame to the nearest refresh, with hysteresis.
///
/// A frame is assigned to a refresh if it is due less than `threshold` of a period after it. A frame that is due
/// halfway between two refreshes could go to either, and jitter of the clocks would send it to one and then to the
/// other. So each decision near the middle moves the threshold away from it: the cadence is kept until its error
/// reaches 0.6 of a refresh.
struct FrameCadence: Sendable {
    /// How far from its refresh a frame may be shown, in periods, before the cadence changes.
    static let limit = 0.6
    /// The threshold's minimum distance from the last decision, in periods.
    static let distance = 0.1

    private(set) var threshold = 0.5

    /// Records that a frame due at `due` is shown at `refresh`.
    mutating func didChoose(due: HostTime, at refresh: HostTime, period: Duration) {
        let fraction = (due - refresh) / period
        if fraction > threshold - Self.distance {
            threshold = min(Self.limit, fraction + Self.distance)
        } else if fraction + 1 < threshold + Self.distance {
            // It was too early for the previous refresh.
            threshold = max(1 - Self.limit, fraction + 1 - Self.distance)
        }
    }
}
