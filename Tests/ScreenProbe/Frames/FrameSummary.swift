import GlissadeTime

/// The summary of a `FrameStatistics`, from the first frame seen to the last; written as JSON.
package struct FrameSummary: Codable, Hashable, Sendable {
    /// The lowest and the highest number, counted on where the film began again; nil where no frame was seen.
    package var first: Int?
    package var last: Int?
    /// When the first and the last frame came on show, in nanoseconds of the monotonic clock.
    package var firstAt: Int64?
    package var lastAt: Int64?
    /// Different frames, and their share of `first...last`.
    package var seen = 0
    package var seenFraction: Double?
    /// Those of `first...last` that were never on show.
    package var missed: [Int] = []
    /// How often a frame came after one that follows it.
    package var backwards = 0
    /// How often the film began again.
    package var restarts = 0
    /// How often the picture went black, or was no whole frame, between two frames.
    package var black = 0
    package var unreadable = 0
    /// How often the picture lay elsewhere than before, and at how many places in all.
    package var moves = 0
    package var positions = 0
    /// From each frame to the next one.
    package var intervals: Intervals?

    package init() {}

    /// How long frames were on show, in milliseconds.
    package struct Intervals: Codable, Hashable, Sendable {
        package var p50: Double
        package var p95: Double
        package var p99: Double
        /// The longest freeze.
        package var max: Double

        /// Nil where there are none.
        init?(_ durations: [Duration]) {
            let sorted = durations.sorted()
            guard let longest = sorted.last else { return nil }
            func percentile(_ fraction: Double) -> Double {
                sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))].inMilliseconds
            }
            (p50, p95, p99, max) = (percentile(0.5), percentile(0.95), percentile(0.99), longest.inMilliseconds)
        }
    }
}
