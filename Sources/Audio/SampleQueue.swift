import Motion

/// The sound that waits to be played: samples in a ring that is allocated once, and the media time of each.
///
/// Pure. Sound and media time are kept together here: where the media leaves a gap, silence goes in; where it overlaps
/// itself, the overlap stays out; what lies before the start is cut to the sample.
struct SampleQueue: ~Copyable {
    /// A longer hole is a jump in the media, and silence does not help.
    static let longestGap = Duration.seconds(10)
    /// Timestamps wander by less than this without meaning it: containers count in milliseconds.
    static let tolerance = Duration.milliseconds(20)

    /// Samples in a row whose media time runs on evenly.
    struct Run {
        var mediaTime: MediaTime
        /// Media seconds a second.
        var speed: Double
        var frameCount: Int
    }

    let format: AudioFormat
    let capacity: Int
    private let storage: UnsafeMutablePointer<Float>
    private var head = 0
    private(set) var frameCount = 0
    private var runs: [Run] = []
    /// Where the sound that was appended last ends.
    private var end: MediaTime?
    /// Nothing before this is taken in.
    private var start: MediaTime?

    /// - Parameter duration: how much it holds, at normal speed.
    init(format: AudioFormat, duration: Duration) {
        self.format = format
        capacity = max(1, format.frames(in: duration.nanoseconds))
        storage = .allocate(capacity: capacity * format.channelCount)
        storage.initialize(repeating: 0, count: capacity * format.channelCount)
    }

    deinit { storage.deallocate() }

    var isEmpty: Bool { frameCount == 0 }
    var room: Int { capacity - frameCount }
    /// The speed of the next frame.
    var speed: Double? { runs.first?.speed }

    /// Forgets everything.
    mutating func removeAll() {
        head = 0
        frameCount = 0
        runs.removeAll(keepingCapacity: true)
        end = nil
        start = nil
    }

    /// Drops what lies before `time`, now and in what is appended later.
    mutating func begin(at time: MediaTime) {
        start = time
        // What is left out on purpose is no gap to be filled.
        if let end, end < time { self.end = nil }
        while let run = runs.first {
            let late = frames(in: time - run.mediaTime, run.speed)
            if late <= 0 { return }
            drop(min(late, run.frameCount))
        }
    }

    /// Takes in as much of `samples` as there is room for; answers how many of its frames are done with.
    ///
    /// - Parameter time: the media time of the first frame.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, at time: MediaTime, speed: Double) -> Int {
        let count = samples.count / format.channelCount
        var time = time
        var skipped = 0
        func skip(until limit: MediaTime) {
            let frames = min(count - skipped, max(0, self.frames(in: limit - time, speed)))
            skipped += frames
            time = time + mediaDuration(frames, speed)
        }
        if let start, time < start { skip(until: start) }
        if let end, end - time > Self.tolerance { skip(until: end) }
        if skipped == count { return count }
        if let end, time - end > Self.tolerance, time - end < Self.longestGap {
            let gap = frames(in: time - end, speed)
            let filled = min(gap, room)
            push(nil, filled, at: end, speed: speed)
            if filled < gap { return skipped }
        }
        let taken = min(count - skipped, room)
        guard taken > 0, let base = samples.baseAddress else { return skipped }
        push(base + skipped * format.channelCount, taken, at: time, speed: speed)
        return skipped + taken
    }

    /// Hands out up to `limit` frames that lie in a row in memory and in media time, and forgets them.
    mutating func read(_ limit: Int, _ body: (UnsafeBufferPointer<Float>, Run) -> Void) -> Int {
        guard let run = runs.first else { return 0 }
        let count = min(limit, run.frameCount, capacity - head)
        guard count > 0 else { return 0 }
        body(
            UnsafeBufferPointer(start: storage + head * format.channelCount, count: count * format.channelCount),
            Run(mediaTime: run.mediaTime, speed: run.speed, frameCount: count))
        drop(count)
        return count
    }

    /// Appends silence where there is no `source`.
    private mutating func push(_ source: UnsafePointer<Float>?, _ count: Int, at time: MediaTime, speed: Double) {
        guard count > 0 else { return }
        var done = 0
        while done < count {
            let at = (head + frameCount) % capacity
            let part = min(count - done, capacity - at)
            let target = storage + at * format.channelCount
            if let source {
                target.update(from: source + done * format.channelCount, count: part * format.channelCount)
            } else {
                target.update(repeating: 0, count: part * format.channelCount)
            }
            frameCount += part
            done += part
        }
        if let last = runs.last, last.speed == speed, let end, time - end < .milliseconds(1), end - time < .milliseconds(1)
        {
            runs[runs.count - 1].frameCount += count
        } else {
            runs.append(Run(mediaTime: time, speed: speed, frameCount: count))
        }
        end = time + mediaDuration(count, speed)
    }

    private mutating func drop(_ count: Int) {
        guard !runs.isEmpty else { return }
        head = (head + count) % capacity
        frameCount -= count
        runs[0].frameCount -= count
        runs[0].mediaTime = runs[0].mediaTime + mediaDuration(count, runs[0].speed)
        if runs[0].frameCount == 0 { runs.removeFirst() }
    }

    private func frames(in duration: Duration, _ speed: Double) -> Int {
        Int((duration.inSeconds / speed * Double(format.sampleRate)).rounded())
    }

    private func mediaDuration(_ frames: Int, _ speed: Double) -> Duration {
        .nanoseconds(Int64((Double(frames) / Double(format.sampleRate) * speed * 1e9).rounded()))
    }
}
