package import GlissadeTime

/// The costs and intervals of the latest frames, at most `capacity`, for the statistics overlay.
package struct RecentFrames: Sendable {
    /// A frame that was shown.
    package struct Frame: Hashable, Sendable {
        /// When the frame's swap returned.
        package var visible: HostTime
        /// The time since the previous frame's swap returned; nil after a pause.
        package var interval: Duration?
        /// How long it took to upload video frames since the previous frame; nil if no video frame was uploaded.
        package var upload: Duration?
        /// How long drawing took.
        package var draw: Duration
        /// How long the swap took.
        package var swap: Duration
    }

    /// The median and the maximum of a set of durations.
    package struct Times: Hashable, Sendable {
        /// The middle value. For an even number of values, the larger of the two middle values.
        package var median: Duration
        /// The largest value.
        package var longest: Duration

        package init(median: Duration, longest: Duration) {
            self.median = median
            self.longest = longest
        }
    }

    /// The maximum number of frames kept: more than one second at 240 Hz.
    package static let capacity = 256

    private var frames: [Frame] = []
    /// The index of the oldest frame; 0 until the storage is full.
    private var oldest = 0
    /// How long the uploads for the next frame have taken so far; nil if there were none.
    private var upload: Duration?

    init() { frames.reserveCapacity(Self.capacity) }

    /// The number of frames available, at most `capacity`.
    package var count: Int { frames.count }

    /// The frame shown `index` frames before the newest frame; nil if there is none.
    package subscript(back index: Int) -> Frame? {
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

    /// Returns the median and the maximum of `part` over the frames shown since `time`, skipping frames for which
    /// `part` is nil. Returns nil if no values remain.
    package func times(since time: HostTime, _ part: (Frame) -> Duration?) -> Times? {
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
