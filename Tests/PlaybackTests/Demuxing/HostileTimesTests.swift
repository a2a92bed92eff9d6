import GlissadeAudio
import GlissadeCFFmpeg
import Glibc
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

extension HostileNumbers {
    fileprivate mutating func times() -> PacketTimeline.Times {
        PacketTimeline.Times(
            presentation: below(8) == 0 ? nil : next(), decoding: below(4) == 0 ? nil : next(),
            duration: below(2) == 0 ? 40_000_000 : next())
    }
}

@Suite("Hostile timestamps in playback") struct HostileTimesTests {
    private static let bounds = -PacketTimeline.farthest...PacketTimeline.farthest

    /// Two threads, half of the sequences each. There are always the same ones, and as many as a debug build runs in a few seconds:
    /// the fuzzer of times (`TimesTarget`) runs others for as long as one likes.
    private func run(_ count: Int, _ body: @escaping @Sendable (UInt64) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<2 {
                group.addTask { for seed in stride(from: part, to: count, by: 2) { try body(UInt64(seed)) } }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "200,000 hostile sequences are mapped within bounds, and no stream runs backwards or leaps ahead")
    func placement() async throws {
        try await run(200_000) { seed in
            var hostile = HostileNumbers(seed: seed)
            let restarts = seed % 2 == 0
            var timeline = PacketTimeline(start: MediaTime(nanoseconds: hostile.next()), restarts: restarts)
            let longest = restarts ? Discontinuity.restartTolerance : PacketTimeline.longestPacket
            // After a jump a stream goes on where its last packet ended, or within two seconds of that, with the other
            // stream; and it may have stepped back by a second with each packet before that.
            // A hole in one stream may be longer than that.
            let steps = -3_000_000_000...max(longest, Discontinuity.longestHole) + 10_000_000_000
            var frames = TimestampEstimator(frameRate: restarts ? 25 : nil)
            var last: (Int64?, Int64?) = (nil, nil)
            var shown: Int64?
            for _ in 0..<6 {
                let stream = hostile.below(2)
                let times = hostile.times()
                let placed = timeline.place(times, stream: stream, tellsEnd: stream == 0)
                try require(placed.presentation.map(Self.bounds.contains) ?? true, seed)
                try require(placed.decoding.map(Self.bounds.contains) ?? true, seed)
                try require((0...longest).contains(placed.duration), seed)
                let before = stream == 0 ? last.0 : last.1
                let isDecodingKnown = times.decoding.flatMap(PacketTimeline.sane) != nil
                let time = isDecodingKnown ? placed.decoding : placed.presentation
                if let time, let before { try require(steps.contains(time - before), seed) }
                // Before the first decode time, the order is unknown.
                let ordered = isDecodingKnown || before != nil ? time : nil
                if stream == 0 { last.0 = ordered } else { last.1 = ordered }
                let frame = frames.place(
                    time: placed.presentation ?? .min, duration: placed.duration, repeats: hostile.below(12) - 1)
                try require(shown.map { frame.time > $0 } ?? true, seed)
                shown = frame.time
                switch hostile.below(16) {
                case 0:
                    timeline.beginNextRound()
                    last = (nil, nil)
                case 1:
                    timeline.reset()
                    frames.reset()
                    (last, shown) = ((nil, nil), nil)
                default: break
                }
            }
        }
    }

    @Test(
        "After 200,000 hostile sequences the clock never runs backwards, and its two directions agree in sign")
    func clock() async throws {
        try await run(200_000) { seed in
            var hostile = HostileNumbers(seed: seed)
            var now = HostTime(nanoseconds: 1_000_000_000_000)
            var clock = PlaybackClock(MediaTime(nanoseconds: hostile.next()), speed: seed % 3 == 0 ? 2.5 : 1, at: now)
            clock.run(at: now)
            for _ in 0..<6 {
                let before = clock.time(at: now)
                let target = MediaTime(nanoseconds: hostile.next())
                if let due = clock.hostTime(of: target) { try require(target <= before || due >= now, seed) }
                now = now + .milliseconds(Int64(hostile.below(50)))
                try require(clock.time(at: now) >= before, seed)
                switch hostile.below(5) {
                case 0: clock.set(target, at: now)
                case 1: clock.run(at: now, from: HostTime(nanoseconds: hostile.next()))
                case 2: clock.observeSilence(at: now)
                default: clock.observe(target, at: now)
                }
            }
        }
    }

    @Test("Packets with hostile timestamps leave the buffer's byte and time totals at zero")
    func packets() throws {
        for seed in 0..<2_000 as Range<UInt64> {
            var hostile = HostileNumbers(seed: seed)
            let buffer = PacketBuffer()
            buffer.activate(.video)
            buffer.activate(.audio, track: 1)
            for index in 0..<6 {
                let packet = try Packet()
                packet.times = PacketTimeline.Times(
                    presentation: hostile.next(), decoding: hostile.next(), duration: hostile.next())
                packet.pointer.pointee.stream_index = CInt(index % 2)
                buffer.push(.packet(packet), to: index % 2 == 0 ? .video : .audio, generation: 0)
            }
            for index in 0..<6 { _ = buffer.next(index % 2 == 0 ? .video : .audio) }
            #expect(buffer.fill.packets == 0 && buffer.fill.bytes == 0)
            _ = buffer.restartAudio(
                track: 1, from: MediaTime(nanoseconds: hostile.next()), generation: 0, takesAnything: true)
        }
    }

    @Test("From any position, chapters at any times lead to a position not before the beginning")
    func chapters() async throws {
        try await run(200_000) { seed in
            var hostile = HostileNumbers(seed: seed)
            var info = MediaInfo(
                container: "none", startTime: MediaTime(nanoseconds: hostile.next()), isSeekable: true, tracks: [],
                chapters: [])
            for _ in 0..<hostile.below(5) {
                info.chapters.append(
                    MediaInfo.Chapter(
                        start: MediaTime(nanoseconds: hostile.next()), end: MediaTime(nanoseconds: hostile.next())))
            }
            let position = Duration.nanoseconds(hostile.next())
            try require(info.chapter(at: position).map(info.chapters.indices.contains) ?? true, seed)
            for step in [1, -1, Int.max, .min, Int(clamping: hostile.next())] {
                guard let place = info.chapterStart(step, from: position) else { continue }
                try require(!info.chapters.isEmpty && place >= .zero, seed)
            }
        }
    }

    @Test("Audio with hostile timestamps leaves the resampler in chunks that all have a time")
    func resampler() async throws {
        try await run(20_000) { seed in
            var hostile = HostileNumbers(seed: seed)
            var owned = av_frame_alloc()
            defer { av_frame_free(&owned) }
            guard let frame = owned else { throw Failure(seed: seed, line: #line) }
            frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
            frame.pointee.sample_rate = seed % 2 == 0 ? 44_100 : 48_000
            frame.pointee.nb_samples = 32
            av_channel_layout_default(&frame.pointee.ch_layout, 2)
            try require(av_frame_get_buffer(frame, 0) >= 0, seed)
            guard let samples = frame.pointee.extended_data[0] else { throw Failure(seed: seed, line: #line) }
            memset(samples, 0, 32 * 8)
            var resampler = Resampler()
            var heard = 0
            for _ in 0..<4 {
                resampler.convert(
                    frame, time: hostile.next(), speed: 1, to: .standard, report: { _ in },
                    deliver: { heard += $0.samples.count })
            }
            resampler.drain { heard += $0.samples.count }
            try require((1...2 * 4 * 64).contains(heard), seed)
        }
    }

    /// `#require` a million times over costs more than what it tests.
    private func require(_ isSo: Bool, _ seed: UInt64, line: Int = #line) throws {
        if !isSo { throw Failure(seed: seed, line: line) }
    }

    private struct Failure: Error {
        var seed: UInt64
        var line: Int
    }
}
