/// A ring buffer of interleaved samples, in which `SampleQueue` keeps its audio. All counts are in frames. Not
/// thread-safe.
struct SampleRing: ~Copyable {
    let capacity: Int
    private(set) var count = 0
    private let channels: Int
    private let samples: UnsafeMutableBufferPointer<Float>
    private var first = 0

    init(capacity: Int, channels: Int) {
        self.capacity = capacity
        self.channels = channels
        samples = .allocate(capacity: capacity * channels)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }

    mutating func removeAll() {
        first = 0
        count = 0
    }

    /// Appends the frames of `source`. There must be room for them.
    mutating func append(_ source: UnsafeBufferPointer<Float>) {
        let frames = source.count / channels
        precondition(count + frames <= capacity, "the sample ring overflows")
        let at = (first + count) % capacity
        let head = min(frames, capacity - at)
        copy(source, from: 0, to: at, frames: head)
        copy(source, from: head, to: 0, frames: frames - head)
        count += frames
    }

    /// Drops the `frames` oldest frames. There must be at least that many.
    mutating func drop(_ frames: Int) {
        precondition(frames <= count, "the sample ring runs dry")
        first = (first + frames) % capacity
        count -= frames
    }

    /// Drops the `frames` newest frames. There must be at least that many.
    mutating func dropLast(_ frames: Int) {
        precondition(frames <= count, "the sample ring runs dry")
        count -= frames
    }

    /// Moves the `frames` oldest frames to the start of `target`. There must be at least that many.
    mutating func move(_ frames: Int, to target: UnsafeMutablePointer<Float>) {
        guard let base = samples.baseAddress else { return }
        let head = min(frames, capacity - first)
        target.update(from: base + first * channels, count: head * channels)
        (target + head * channels).update(from: base, count: (frames - head) * channels)
        drop(frames)
    }

    private func copy(_ source: UnsafeBufferPointer<Float>, from start: Int, to at: Int, frames: Int) {
        guard frames > 0, let from = source.baseAddress, let base = samples.baseAddress else { return }
        (base + at * channels).update(from: from + start * channels, count: frames * channels)
    }
}
