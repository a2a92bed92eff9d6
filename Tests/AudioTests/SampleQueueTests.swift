import Testing
import GlissadeTime

@testable import GlissadeAudio

/// One frame a millisecond, so that the numbers below can be read.
@Suite("Sample queue") struct SampleQueueTests {
    private static let format = AudioFormat(sampleRate: 1000, channelCount: 2)

    private func media(_ milliseconds: Int) -> MediaTime { MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    /// Frames whose samples are their media time in milliseconds (and its negative).
    private func push(
        _ queue: inout SampleQueue, _ frames: Range<Int>, at start: Int? = nil, speed: Double = 1
    ) -> Int {
        let samples = frames.flatMap { [Float($0), -Float($0)] }
        return samples.withUnsafeBufferPointer {
            queue.push($0, startingAt: media(start ?? frames.lowerBound), speed: speed)
        }
    }

    /// Takes up to `count` frames out; the left channel of each.
    private func pull(_ queue: inout SampleQueue, _ count: Int) -> [Int] {
        var samples = [Float](repeating: .nan, count: count * 2)
        let done = samples.withUnsafeMutableBufferPointer { queue.pull(count, into: $0.baseAddress!) }
        return (0..<done).map {
            #expect(samples[$0 * 2 + 1] == -samples[$0 * 2])
            return Int(samples[$0 * 2])
        }
    }

    private func queue(_ capacity: Int = 400) -> SampleQueue {
        SampleQueue(format: Self.format, capacity: .milliseconds(capacity))
    }

    @Test("Samples come out in order, also across the end of the ring buffer")
    func order() {
        var queue = queue(100)
        var next = 1
        for chunk in 0..<10 {
            #expect(push(&queue, (1 + chunk * 70)..<(71 + chunk * 70)) == 70)
            #expect(pull(&queue, 200) == Array(next..<next + 70))
            next += 70
        }
        #expect(queue.isEmpty == true)
    }

    @Test("A full queue accepts only as many samples as it has room for")
    func full() {
        var queue = queue(100)
        #expect(push(&queue, 1..<151) == 100)
        #expect(queue.room == 0)
        #expect(push(&queue, 101..<151) == 0)
        #expect(pull(&queue, 30).count == 30)
        #expect(push(&queue, 101..<151) == 30)
        #expect(pull(&queue, 200) == Array(31..<131))
    }

    @Test("A gap becomes silence of its length")
    func gap() {
        var queue = queue()
        _ = push(&queue, 1..<11)
        _ = push(&queue, 111..<121)
        #expect(pull(&queue, 400) == Array(1..<11) + Array(repeating: 0, count: 100) + Array(111..<121))
        #expect(queue.mediaTime(at: 60) == media(61))
        #expect(queue.mediaTime(at: 110) == media(111))
    }

    @Test("A gap longer than ten seconds is cut to ten, and media time jumps after it")
    func longGap() {
        var queue = queue()
        _ = push(&queue, 0..<10)
        // The silence alone fills the queue; the samples wait until it is through.
        #expect(push(&queue, 60_000..<60_010) == 0)
        queue.skip(10_010 - 300)
        #expect(push(&queue, 60_000..<60_010) == 10)
        #expect(queue.writeIndex == 10_020)
        #expect(queue.mediaTime(at: 10_009) == media(10_009))
        #expect(queue.mediaTime(at: 10_010) == media(60_000))
    }

    @Test("An overlap is trimmed to the sample", arguments: [(30, 50), (200, 200)])
    func overlap(back: Int, length: Int) {
        var queue = queue()
        _ = push(&queue, 0..<100)
        #expect(push(&queue, (100 - back)..<(100 - back + length)) == length)
        #expect(pull(&queue, 400) == Array(0..<max(100, 100 - back + length)))
    }

    @Test("Timestamp errors below the tolerance neither trim nor insert samples", arguments: [-19, -3, 3, 19])
    func jitter(error: Int) {
        var queue = queue()
        _ = push(&queue, 0..<100)
        _ = push(&queue, 100..<200, at: 100 + error)
        #expect(pull(&queue, 400) == Array(0..<200))
        #expect(queue.mediaTime(at: 150) == media(150))
    }

    @Test("Timestamp errors do not accumulate: a drift beyond the tolerance is corrected")
    func drift() {
        var queue = queue(2000)
        // Each chunk of 100 frames claims 103 ms.
        for chunk in 0..<10 { _ = push(&queue, (chunk * 100)..<(chunk * 100 + 100), at: chunk * 103) }
        let behind = queue.endMedia.map { ($0 - media(9 * 103 + 100)).inMilliseconds }
        #expect(behind.map { abs($0) <= 20 } == true)
        #expect(queue.writeIndex > 1000)
    }

    @Test("Media time advances at the speed of each run of samples")
    func speed() {
        var queue = queue()
        _ = push(&queue, 0..<100)
        _ = push(&queue, 100..<150, at: 100, speed: 2)
        _ = push(&queue, 200..<250, at: 200, speed: 0.5)
        #expect(queue.mediaTime(at: 99) == media(99))
        #expect(queue.mediaTime(at: 125) == media(150))
        #expect(queue.mediaTime(at: 170) == media(210))
        #expect(queue.endMedia == media(225))
        #expect(queue.mediaTime(at: 200) == nil)
    }

    @Test("A start time trims queued and later samples to the sample", arguments: [0, 1, 99, 100, 101, 150])
    func begin(at start: Int) {
        var queue = queue()
        _ = push(&queue, 0..<100)
        queue.begin(at: media(start))
        _ = push(&queue, 100..<200)
        #expect(pull(&queue, 400) == Array(start..<200))
        #expect(queue.mediaTime(at: Double(queue.readIndex - 1)) == media(199))
    }

    @Test("A start time before the first sample inserts silence until then", arguments: [true, false])
    func beginEarly(isQueued: Bool) {
        var queue = queue()
        if isQueued { _ = push(&queue, 50..<60) }
        queue.begin(at: media(20))
        if !isQueued { _ = push(&queue, 50..<60) }
        let start = queue.readIndex
        #expect(queue.mediaTime(at: Double(start)) == media(20))
        #expect(pull(&queue, 400) == Array(repeating: 0, count: 30) + Array(50..<60))
        #expect(queue.mediaTime(at: Double(start + 30)) == media(50))
    }

    @Test("A flush keeps sample indices increasing and forgets media time")
    func flush() {
        var queue = queue()
        _ = push(&queue, 0..<100)
        _ = pull(&queue, 10)
        queue.removeAll()
        #expect(queue.readIndex == 100)
        #expect(queue.isEmpty == true)
        _ = push(&queue, 5..<6)
        #expect(queue.mediaTime(at: 100) == media(5))
        #expect(queue.mediaTime(at: 99) == nil)
    }

    @Test("A jump back by more than ten seconds starts a new timeline")
    func wraps() {
        var queue = queue()
        _ = push(&queue, 60_000..<60_010)
        #expect(push(&queue, 0..<10) == 10)
        #expect(queue.mediaTime(at: 15) == media(5))
    }

    @Test("A cut keeps the samples that are heard next, and what follows continues there to the sample")
    func cuts() {
        var queue = queue()
        _ = push(&queue, 1..<301)
        #expect(pull(&queue, 50) == Array(1..<51))
        #expect(queue.cut(keeping: 20) == media(71))
        #expect(queue.writeIndex == 70 && queue.room == 380)
        // At twice the speed, two milliseconds of media a frame; the first ten lie before the cut.
        #expect(push(&queue, 1000..<1100, at: 51, speed: 2) == 100)
        #expect(pull(&queue, 400) == Array(51..<71) + Array(1010..<1100))
        #expect(queue.mediaTime(at: 60) == media(61) && queue.mediaTime(at: 80) == media(91))
        #expect(queue.place(at: 60)?.speed == 1 && queue.place(at: 80)?.speed == 2)
    }

    @Test("A cut drops nothing if fewer samples are queued than it keeps")
    func cutsNothing() {
        var queue = queue()
        #expect(queue.cut(keeping: 20) == nil)
        _ = push(&queue, 1..<11)
        #expect(queue.cut(keeping: 20) == media(11))
        #expect(queue.cut(keeping: -5) == media(1))
        #expect(queue.isEmpty == true)
        _ = push(&queue, 1..<11)
        _ = pull(&queue, 10)
        #expect(queue.cut(keeping: 20) == media(11))
        // What comes later than the cut is led to by silence.
        #expect(push(&queue, 14..<20) == 6)
        #expect(pull(&queue, 20) == [0, 0, 0] + Array(14..<20))
    }

    @Test("A cut within silence drops no samples")
    func cutsSilence() {
        var queue = queue()
        _ = push(&queue, 1..<51)
        _ = push(&queue, 101..<151)
        #expect(queue.cut(keeping: 70) == media(71))
        #expect(push(&queue, 71..<81) == 10)
        #expect(pull(&queue, 400) == Array(1..<51) + Array(repeating: 0, count: 20) + Array(71..<81))
    }
}
