import GlissadeTime

@testable import GlissadeAudio
@testable import GlissadeMedia
@testable import GlissadePlayback

/// Tests the code that computes only with times: media may contain any times, in any order.
enum TimesTarget {
    /// Runs operations, each followed by its numbers. The first byte of a number encodes its width, sign and offset.
    static func run(_ bytes: [UInt8]) {
        var numbers = Numbers(bytes[...])
        let first = numbers.byte()
        let restarts = first & 1 != 0
        var timeline = PacketTimeline(start: MediaTime(nanoseconds: numbers.next()), restarts: restarts)
        var frames = TimestampEstimator(frameRate: restarts ? 25 : nil)
        var now = HostTime(nanoseconds: 1 << 40)
        var clock = PlaybackClock(MediaTime(nanoseconds: numbers.next()), speed: first & 2 != 0 ? 2.5 : 1, at: now)
        clock.run(at: now)
        var queue = SampleQueue(format: AudioFormat(sampleRate: 8000, channelCount: 1), capacity: .milliseconds(100))
        var shown: Int64?
        while !numbers.areSpent {
            let operation = numbers.byte()
            switch operation & 15 {
            case 0...5:
                let times = PacketTimeline.Times(
                    presentation: operation & 16 != 0 ? nil : numbers.next(),
                    decoding: operation & 32 != 0 ? nil : numbers.next(), duration: numbers.next())
                let placed = timeline.place(times, stream: Int(operation & 3), tellsEnd: operation & 64 != 0)
                for time in [placed.presentation, placed.decoding] {
                    check(time.map { abs($0) <= PacketTimeline.farthest } ?? true, "a packet's time is within bounds")
                }
                check(
                    (0...PacketTimeline.longestPacket).contains(placed.duration), "a packet's duration is within bounds"
                )
                guard let time = placed.presentation else { continue }
                let frame = frames.place(time: time, duration: placed.duration, repeats: Int(operation >> 6) - 1)
                check(shown.map { frame.time > $0 } ?? true, "frames are in order")
                shown = frame.time
                push(&queue, MediaTime(nanoseconds: time), speed: 1 + Double(operation >> 4) / 8)
            case 6:
                timeline.reset()
                frames.reset()
                shown = nil
            case 7: timeline.beginNextRound()
            case 8: clock.set(MediaTime(nanoseconds: numbers.next()), at: now)
            case 9: clock.observe(MediaTime(nanoseconds: numbers.next()), at: now)
            case 10: clock.run(at: now, from: HostTime(nanoseconds: numbers.next()))
            case 11: clock.setSpeed(0.1 + Double(operation >> 4) / 4, at: now)
            case 12: clock.observeSilence(at: now)
            case 13:
                _ = queue.cut(keeping: Int(operation))
                queue.begin(at: MediaTime(nanoseconds: numbers.next()))
            case 14: queue.append(silence: .milliseconds(Int(operation)), at: clock.time(at: now), speed: 1)
            default:
                let before = clock.time(at: now)
                now = now + .milliseconds(Int(operation))
                check(clock.time(at: now) >= before, "a clock does not run backwards")
                _ = clock.hostTime(of: MediaTime(nanoseconds: numbers.next()))
            }
        }
    }

    private static func push(_ queue: inout SampleQueue, _ time: MediaTime, speed: Double) {
        let samples = [Float](repeating: 0, count: 64)
        _ = samples.withUnsafeBufferPointer { queue.push($0, startingAt: time, speed: speed) }
        var heard = [Float](repeating: 0, count: 48)
        _ = queue.pull(48, into: &heard)
        for index in [0, 10.5, 1e9, -1] { _ = queue.mediaTime(at: index) }
    }

    /// Reads numbers of one to eight bytes from the input.
    private struct Numbers {
        private var bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        var areSpent: Bool { bytes.isEmpty }

        mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

        mutating func next() -> Int64 {
            let head = byte()
            let width = Int(head & 7) + 1
            let value = (0..<width).reduce(UInt64(0)) { value, _ in value << 8 | UInt64(byte()) }
            // With an offset, narrow numbers are near a power of two instead of near zero.
            let number = head & 64 != 0 ? value &+ 1 << UInt64(head & 63) : value
            return Int64(bitPattern: head & 128 != 0 ? 0 &- number : number)
        }
    }
}
