public import Time

/// What the last frames cost and how far apart they were seen, for one who looks on. A value of fixed size.
public struct RecentFrames: Sendable {
    /// One frame that was presented.
    public struct Frame: Hashable, Sendable {
        /// When its swap returned.
        public var visible: HostTime
        /// Since the frame before it; nil after a pause.
        public var interval: Duration?
        /// Nil where no new picture went up for it.
        public var upload: Duration?
        /// What drawing took.
        public var draw: Duration
        /// What the swap took.
        public var swap: Duration
    }

    /// What is in the middle, and the longest.
    public struct Times: Hashable, Sendable {
        /// The value in the middle; the greater of two.
        public var median: Duration
        /// The largest value.
        public var longest: Duration

        public init(median: Duration, longest: Duration) {
            self.median = median
            self.longest = longest
        }
    }

    /// More than a second of any display's frames.
    public static let capacity = 256

    private var frames: [Frame] = []
    /// Where the oldest one is, once it is full.
    private var oldest = 0
    /// Of the frame that has not been presented yet.
    private var upload: Duration?

    init() { frames.reserveCapacity(Self.capacity) }

    /// How many there are, at most `capacity`.
    public var count: Int { frames.count }

    /// The frame so many before the newest, which is 0; nil where there is none.
    public subscript(back index: Int) -> Frame? {
        guard index >= 0, index < frames.count else { return nil }
        return frames[(oldest + frames.count - 1 - index) % frames.count]
    }

    package mutating func record(upload duration: Duration) { upload = (upload ?? .zero) + duration }

    package mutating func record(draw: Duration, swap: Duration, interval: Duration?, at time: HostTime) {
        let frame = Frame(visible: time, interval: interval, upload: upload.take(), draw: draw, swap: swap)
        if frames.count < Self.capacity {
            frames.append(frame)
        } else {
            frames[oldest] = frame
            oldest = (oldest + 1) % Self.capacity
        }
    }

    /// The median and the longest of what `part` gives of each frame since `time`; nil where it gives nothing.
    public func times(since time: HostTime, _ part: (Frame) -> Duration?) -> Times? {
        var found: [Duration] = []
        for index in 0..<frames.count {
            guard let frame = self[back: index], frame.visible >= time else { break }
            if let duration = part(frame) { found.append(duration) }
        }
        if found.isEmpty { return nil }
        found.sort()
        return Times(median: found[found.count / 2], longest: found[found.count - 1])
    }
}
