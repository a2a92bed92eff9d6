import GlissadeTime

/// The samples queued between decoder and device, with their media times. Also keeps the media times of recently played
/// samples.
///
/// Every frame has an *index*. Indices continue to count across flushes, and `StreamClock` uses the same indices.
/// Frames `readIndex ..< writeIndex` are queued. Earlier frames have been passed to the device, and only their media
/// times are kept.
///
/// Frames are grouped in *runs* of continuous media time and constant speed. A gap in the media becomes a run of
/// silence, which keeps audio and video in sync after the gap and takes no memory. Overlaps are trimmed with sample
/// accuracy.
///
/// Threads: none of its own. Used within `AudioTransport`, under its lock.
struct SampleQueue: ~Copyable {
    /// How far a timestamp may be from the expected one before the difference counts as a gap or overlap. Small
    /// deviations are common, because containers round timestamps (Matroska to milliseconds). Correcting each of them
    /// would make audio crackle.
    static let tolerance = Duration.milliseconds(20)
    /// The longest silence inserted to fill a gap. In a longer gap, media time jumps after this much silence. If
    /// timestamps go back by more than this, media time jumps at once.
    static let longestGap = Duration.seconds(10)

    /// Consecutive frames whose media time is continuous, all audio or all silence.
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
    /// The index of the next frame that the device will take.
    private(set) var readIndex = 0
    private var ring: SampleRing
    private var runs: [Run] = []
    /// The media time at which the next samples should begin; nil while any time is accepted.
    private var expected: MediaTime?
    /// Whether the next samples must begin exactly at `expected`, without `tolerance`. Set by `cut(keeping:)`, and by
    /// `begin(at:)` if it leaves the queue empty.
    private var cutsExactly = false

    /// Creates an empty queue for at most `capacity` of audio.
    init(format: AudioFormat, capacity: Duration) {
        self.format = format
        ring = SampleRing(capacity: max(1, format.frames(in: capacity)), channels: format.channelCount)
        runs.reserveCapacity(16)
    }

    /// The index of the next frame to be queued.
    var writeIndex: Int { runs.last?.end ?? readIndex }
    var isEmpty: Bool { readIndex >= writeIndex }
    /// The number of frames that can be queued now. Queued silence counts like audio.
    var room: Int { max(0, ring.capacity - max(ring.count, writeIndex - readIndex)) }
    var capacity: Int { ring.capacity }
    /// The speed of the last frames in the queue or, if it is empty, of the last frames played; 1 if neither is known.
    var lastSpeed: Double { runs.last?.speed ?? 1 }
    /// The media time at which the queued samples end; nil if the next samples may begin at any time.
    var endMedia: MediaTime? { expected }

    /// Queues as many of the samples as fit. Fills a gap before the samples with silence. Trims an overlap.
    ///
    /// - Returns: The number of frames consumed, whether queued or trimmed. It is less than the number given if the
    ///   queue becomes full.
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

    /// Makes the queue begin at the media time `media`: drops earlier samples, or inserts up to `longestGap` of silence
    /// before the first sample. If no sample is left, the next samples pushed will begin at `media`.
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
        // None of these frames has been played, so the indices before them are free.
        runs[0] = Run(
            index: readIndex, count: first.end - readIndex, media: start, speed: first.speed, isSilence: first.isSilence
        )
        runs.insert(
            Run(index: readIndex - gap, count: gap, media: media, speed: first.speed, isSilence: true), at: 0)
        readIndex -= gap
    }

    /// Keeps only the next `frames` frames of the queue, so that new samples can follow them seamlessly.
    ///
    /// - Returns: The exact media time at which the new samples should begin. If that time is unknown, returns nil and
    ///   changes nothing.
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

    /// Drops all samples, and forgets all media times. Indices continue to count.
    mutating func removeAll() {
        readIndex = writeIndex
        runs.removeAll(keepingCapacity: true)
        ring.removeAll()
        expected = nil
        cutsExactly = false
    }

    /// Queues silence that lasts for `length` of media time, starting at the media time `media`. The silence may exceed
    /// the queue's capacity.
    mutating func append(silence length: Duration, at media: MediaTime, speed: Double) {
        let count = frames(of: length, at: speed)
        guard count > 0 else { return }
        append(Run(index: writeIndex, count: count, media: media, speed: speed, isSilence: true))
    }

    /// Moves up to `frames` frames from the queue to `target`. Returns the number of frames moved.
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

    /// Drops up to `frames` frames from the front of the queue.
    mutating func skip(_ frames: Int) {
        var left = frames
        while left > 0, let run = nextRun {
            let count = min(left, run.end - readIndex)
            if !run.isSilence { ring.drop(count) }
            readIndex += count
            left -= count
        }
    }

    /// The media time of the frame at `index`; nil if that time was forgotten or the frame has not been queued yet.
    func mediaTime(at index: Double) -> MediaTime? { place(at: index)?.media }

    /// The media time and speed of the frame at `index`; nil if they were forgotten or the frame has not been queued
    /// yet.
    func place(at index: Double) -> (media: MediaTime, speed: Double)? {
        guard let run = runs.last(where: { Double($0.index) <= index }), index < Double(run.end) else { return nil }
        return (run.media + format.duration(ofFrames: (index - Double(run.index)) * run.speed), run.speed)
    }

    /// Forgets the media times of played frames before `index`, in whole runs. The last run is always kept.
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
                // Continue from the run's own times: the audio is continuous even if its timestamps are not.
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
