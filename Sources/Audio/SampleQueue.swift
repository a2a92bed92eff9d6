import Time

/// The samples queued between decoder and device with their media times, and the media times of recently played
/// samples.
///
/// Pure, and not shared: `AudioTransport` owns it. Every frame has an *index*, counted from the first frame ever and
/// never reused; the device's clock uses the same count. Frames `readIndex ..< writeIndex` are queued. Earlier ones
/// are at the device or have been heard, and only their media times are kept.
///
/// Frames are grouped in *runs* within which media time is continuous. A gap in the media becomes a run of silence,
/// which takes no memory, so that audio and video stay in sync after it. Overlaps are trimmed to the sample.
///
/// Threads: none of its own. Used within `AudioTransport`, under its lock.
struct SampleQueue: ~Copyable {
    /// How far timestamps may deviate before that counts as a gap or overlap: containers round them (Matroska to
    /// milliseconds), and decoders hold back priming samples (AAC: 21 ms). Correcting each deviation would crackle.
    static let tolerance = Duration.milliseconds(20)
    /// Gaps up to this length are filled; a larger jump, or one backwards, starts a new timeline.
    static let longestGap = Duration.seconds(10)

    struct Run {
        var index: Int
        var count: Int
        /// The media time of the run's first frame.
        var media: MediaTime
        /// The speed, in media seconds per second of audio.
        var speed: Double
        var isSilence: Bool
        var end: Int { index + count }
    }

    let format: AudioFormat
    /// The next frame that the device will take.
    private(set) var readIndex = 0
    private var ring: SampleRing
    private var runs: [Run] = []
    /// The media time at which the next samples should begin; nil before the first.
    private var expected: MediaTime?
    /// Whether the next sample is trimmed exactly, without the tolerance: after `begin(at:)` and `cut(keeping:)`.
    private var cutsExactly = false

    /// Creates a queue for `capacity` of audio.
    init(format: AudioFormat, capacity: Duration) {
        self.format = format
        ring = SampleRing(capacity: max(1, format.frames(in: capacity)), channels: format.channelCount)
        runs.reserveCapacity(16)
    }

    /// The index of the next frame to be queued.
    var writeIndex: Int { runs.last?.end ?? readIndex }
    var isEmpty: Bool { readIndex >= writeIndex }
    /// How many frames can be queued now. Silence counts like audio: the limit is time.
    var room: Int { max(0, ring.capacity - max(ring.count, writeIndex - readIndex)) }
    var capacity: Int { ring.capacity }
    /// The speed at which media time continues after the queued samples.
    var lastSpeed: Double { runs.last?.speed ?? 1 }
    /// The media time after the queued samples.
    var endMedia: MediaTime? { expected }

    /// Queues as many of the samples as fit.
    ///
    /// - Returns: The frames consumed, queued or trimmed; fewer than given if the queue is full.
    mutating func push(_ chunk: UnsafeBufferPointer<Float>, startingAt media: MediaTime, speed: Double) -> Int {
        let total = chunk.count / format.channelCount
        guard total > 0, room > 0 else { return 0 }
        var trimmed = 0
        var media = media
        if let expected {
            let jump = media - expected
            if cutsExactly ? jump < .zero : (jump < .zero - Self.tolerance && jump >= .zero - Self.longestGap) {
                trimmed = min(total, frames(of: .zero - jump, at: speed))
                media = media + mediaDuration(of: trimmed, at: speed)
            } else if jump > (cutsExactly ? .zero : Self.tolerance) {
                append(silence: min(jump, Self.longestGap), at: expected, speed: speed)
                self.expected = media
            }
        }
        let taken = min(total - trimmed, room)
        guard taken > 0 else { return trimmed }
        cutsExactly = false
        let channels = format.channelCount
        ring.append(UnsafeBufferPointer(rebasing: chunk[trimmed * channels..<(trimmed + taken) * channels]))
        append(Run(index: writeIndex, count: taken, media: media, speed: speed, isSilence: false))
        return trimmed + taken
    }

    /// Trims the queue to begin at `media`: drops earlier samples, or inserts silence.
    mutating func begin(at media: MediaTime) {
        runs.removeAll { $0.end <= readIndex }
        while let first = runs.first {
            let early = min(first.count, frames(of: media - first.media, at: first.speed))
            guard early > 0 else { break }
            skip(early)
            guard early == first.count else { break }
            runs.removeFirst()
        }
        runs.removeAll { $0.end <= readIndex }
        guard let first = runs.first else {
            expected = media
            cutsExactly = true
            return
        }
        let start = mediaTime(at: Double(readIndex)) ?? first.media
        let gap = frames(of: min(start - media, Self.longestGap), at: first.speed)
        guard gap > 0 else { return }
        // None of these has been played, so the indices before them are free.
        runs[0] = Run(
            index: readIndex, count: first.end - readIndex, media: start, speed: first.speed, isSilence: first.isSilence
        )
        runs.insert(
            Run(index: readIndex - gap, count: gap, media: media, speed: first.speed, isSilence: true), at: 0)
        readIndex -= gap
    }

    /// Keeps only the next `frames` of the queue, so that new samples can follow them seamlessly.
    ///
    /// - Returns: The exact media time at which the new samples should begin; nil if it is unknown.
    mutating func cut(keeping frames: Int) -> MediaTime? {
        let end = min(writeIndex, readIndex + max(0, frames))
        guard let media = end == writeIndex ? expected : mediaTime(at: Double(end)) else { return nil }
        while let last = runs.last, last.end > end {
            let surplus = min(last.count, last.end - end)
            if !last.isSilence { ring.dropLast(surplus) }
            if surplus < last.count {
                runs[runs.count - 1].count -= surplus
                break
            }
            runs.removeLast()
        }
        expected = media
        cutsExactly = true
        return media
    }

    /// Drops all samples and the media time. Indices continue.
    mutating func removeAll() {
        readIndex = writeIndex
        runs.removeAll(keepingCapacity: true)
        ring.removeAll()
        expected = nil
        cutsExactly = false
    }

    /// Queues silence for `length` of media, from the media time `media` on.
    mutating func append(silence length: Duration, at media: MediaTime, speed: Double) {
        let count = frames(of: length, at: speed)
        guard count > 0 else { return }
        append(Run(index: writeIndex, count: count, media: media, speed: speed, isSilence: true))
    }

    /// Moves at most `frames` frames to `target`. Returns how many were moved.
    mutating func pull(_ frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        var done = 0
        while done < frames, let run = nextRun {
            let count = min(frames - done, run.end - readIndex)
            let place = target + done * format.channelCount
            if run.isSilence {
                place.update(repeating: 0, count: count * format.channelCount)
            } else {
                ring.move(count, to: place)
            }
            readIndex += count
            done += count
        }
        return done
    }

    /// Drops at most `frames` frames from the front.
    mutating func skip(_ frames: Int) {
        var left = frames
        while left > 0, let run = nextRun {
            let count = min(left, run.end - readIndex)
            if !run.isSilence { ring.drop(count) }
            readIndex += count
            left -= count
        }
    }

    /// The media time of the frame at `index`; nil if it was forgotten or is not written yet.
    func mediaTime(at index: Double) -> MediaTime? { place(at: index)?.media }

    /// The media time of the frame at `index`, and its speed.
    func place(at index: Double) -> (media: MediaTime, speed: Double)? {
        guard let run = runs.last(where: { Double($0.index) <= index }), index < Double(run.end) else { return nil }
        return (run.media + format.duration(ofFrames: (index - Double(run.index)) * run.speed), run.speed)
    }

    /// Forgets the media times of frames before `index`.
    mutating func forget(before index: Int) {
        let bound = min(index, readIndex)
        while runs.count > 1, let first = runs.first, first.end <= bound { runs.removeFirst() }
    }

    private var nextRun: Run? { runs.first { $0.end > readIndex } }

    private mutating func append(_ run: Run) {
        expected = run.media + mediaDuration(of: run.count, at: run.speed)
        if let last = runs.last, last.isSilence == run.isSilence, last.speed == run.speed, last.end == run.index {
            let end = last.media + mediaDuration(of: last.count, at: last.speed)
            if run.media.nanoseconds.distance(from: end.nanoseconds) <= Self.tolerance.nanoseconds.magnitude {
                runs[runs.count - 1].count += run.count
                // Continue the run's own count: the audio is continuous even if its timestamps are not.
                expected = end + mediaDuration(of: run.count, at: run.speed)
                return
            }
        }
        runs.append(run)
    }

    private func mediaDuration(of frames: Int, at speed: Double) -> Duration {
        format.duration(ofFrames: Double(frames) * speed)
    }

    private func frames(of length: Duration, at speed: Double) -> Int {
        max(0, Int(clamping: (length.inSeconds / speed * Double(format.sampleRate)).rounded()))
    }
}
