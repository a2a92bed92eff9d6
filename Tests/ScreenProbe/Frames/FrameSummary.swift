import GlissadeTime

/// The summary of a `FrameStatistics`, from the first frame seen to the last; written as JSON.
public struct FrameSummary: Codable, Hashable, Sendable {
    /// The lowest and the highest number, counted on where the film began again; nil where no frame was seen.
    public var first: Int?
    public var last: Int?
    /// When the first and the last frame came on show, in nanoseconds of the monotonic clock.
    public var firstAt: Int64?
    public var lastAt: Int64?
    /// Different frames, and their share of `first...last`.
    public var seen = 0
    public var seenFraction: Double?
    /// Those of `first...last` that were never on show.
    public var missed: [Int] = []
    /// How often a frame came after one that follows it.
    public var backwards = 0
    /// How often the film began again.
    public var restarts = 0
    /// How often the picture went black, or was no whole frame, between two frames.
    public var black = 0
    public var unreadable = 0
    /// How often the picture lay elsewhere than before, and at how many places in all.
    public var moves = 0
    public var positions = 0
    /// From each frame to the next one.
    public var intervals: Intervals?

    public init() {}

    /// How long frames were on show, in milliseconds.
    public struct Intervals: Codable, Hashable, Sendable {
        public var p50: Double
        public var p95: Double
        public var p99: Double
        /// The longest freeze.
        public var max: Double

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
