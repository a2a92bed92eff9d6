import GlissadeTime

/// Measures how fast data arrives while it is being waited for. Pauses, in which nothing is requested, do not count.
package struct RateMeter: Hashable, Sendable {
    /// The number of bytes after which an older measurement has lost half of its weight.
    private static let halfLife = 1_000_000.0
    /// Samples smaller than this say more about latency than about the rate.
    static let leastBytes = 16 << 10
    /// The shortest duration to assume for a sample. Data from a local server is there at once.
    private static let leastDuration = Duration.milliseconds(1)

    private var bytes = 0.0
    private var seconds = 0.0

    package init() {}

    /// The rate in bits per second; nil before the first sample.
    package var bitsPerSecond: Double? { seconds > 0 ? bytes * 8 / seconds : nil }

    /// Adds a sample: `count` bytes arrived within `duration`. Ignores a sample that is too small.
    package mutating func add(_ count: Int, in duration: Duration) {
        guard count >= Self.leastBytes, duration >= .zero else { return }
        // A sample of more than the half-life replaces most of the earlier measurement.
        let decay = 1 / (1 + Double(count) / Self.halfLife)
        bytes = bytes * decay + Double(count)
        seconds = seconds * decay + max(duration, Self.leastDuration).inSeconds
    }
}
