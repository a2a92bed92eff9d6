import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeAudio

@Suite("Hostile audio timestamps") struct HostileTimesTests {
    private struct Failure: Error { var seed: UInt64 }

    @Test("Whatever the timestamps, the sample queue keeps its count, free space and silence within bounds")
    func queue() throws {
        let chunk = [Float](repeating: 0.5, count: 64)
        for seed in 0..<200_000 as Range<UInt64> {
            var hostile = HostileNumbers(seed: seed)
            var queue = SampleQueue(
                format: AudioFormat(sampleRate: 48_000, channelCount: 1), capacity: .milliseconds(10))
            for _ in 0..<5 {
                let media = MediaTime(nanoseconds: hostile.next())
                let taken = chunk.withUnsafeBufferPointer {
                    queue.push($0, startingAt: media, speed: seed % 3 == 0 ? 4 : 1)
                }
                switch hostile.below(6) {
                case 0: queue.begin(at: MediaTime(nanoseconds: hostile.next()))
                case 1: _ = queue.cut(keeping: hostile.below(100))
                case 2: queue.skip(Int(clamping: hostile.next()))
                case 3: _ = queue.place(at: Double(hostile.next()))
                case 4: queue.forget(before: Int(clamping: hostile.next()))
                default: break
                }
                // A gap is filled with ten seconds of silence at the most, which takes no memory.
                let isWhole =
                    (0...64).contains(taken) && queue.room >= 0 && queue.readIndex <= queue.writeIndex
                    && queue.writeIndex <= 5 * 64 + 6 * 480_000
                if !isWhole { throw Failure(seed: seed) }
            }
        }
    }

    @Test("Whatever position a server reports, the audible position can be computed")
    func clock() throws {
        for seed in 0..<200_000 as Range<UInt64> {
            var hostile = HostileNumbers(seed: seed)
            var clock = StreamClock(rate: 48_000, from: 0)
            for _ in 0..<5 {
                let host = HostTime(nanoseconds: hostile.next())
                clock.observe(Double(hostile.next()), at: host, first: Double(hostile.next()))
                _ = clock.index(at: HostTime(nanoseconds: hostile.next()))
                if let index = clock.lineIndex(at: host), index.isNaN { throw Failure(seed: seed) }
                _ = clock.onset
            }
        }
    }
}
