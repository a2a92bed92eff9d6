import Foundation
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("A–B loop", .serialized) struct RangeTests {
    @Test(
        "An A–B loop shows every frame from A to B repeatedly and none outside",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func repeats(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind))
        harness.run { harness.shown.count == 5 }
        #expect(harness.player.setLoopRange(from: .milliseconds(1002), to: .milliseconds(1402), now: harness.now))
        #expect(harness.run { harness.last?.number == 35 })
        harness.forget()
        // Rounding of times: a frame that begins within a millisecond of an end is on either side.
        #expect(harness.run { harness.shown.count == 33 })
        #expect(
            harness.numbers.prefix(11) == Array(25...35)[...]
                || harness.numbers.prefix(11) == (Array(25...34) + [25])[...])
        #expect(harness.numbers.allSatisfy { (25...35).contains($0) })
        #expect(harness.player.counts.dropped == 0)
        #expect(harness.player.setLoopRange(from: nil, now: harness.now))
        #expect(harness.player.loopRange == nil)
        #expect(harness.runToEnd() && harness.last?.number == 99)
    }

    @Test("An A–B loop stays within its range, also with audio")
    func withAudio() throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(), audio: .silent)
        harness.run { harness.player.isRunning }
        harness.player.setLoopRange(from: .milliseconds(400), to: .milliseconds(800), now: harness.now)
        harness.run { harness.shown.count == 60 }
        #expect(harness.numbers.suffix(30).allSatisfy { (9...20).contains($0) })
        #expect(harness.player.state == .playing)
    }

    @Test("Setting B before the position jumps to A, and a seek beyond B plays to the end")
    func behind() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 60 }
        harness.player.setLoopRange(from: .seconds(1), to: .seconds(2), now: harness.now)
        #expect(harness.nextFrame()?.number == 25)
        harness.player.seek(to: .seconds(3), now: harness.now)
        #expect(harness.runToEnd() && harness.last?.number == 99)
    }

    @Test("A missing B, or one beyond the end, stands for the end", arguments: [nil, 4000, 99_000] as [Int?])
    func toTheEnd(end: Int?) throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.nextFrame()
        #expect(
            harness.player.setLoopRange(
                from: .milliseconds(3600), to: end.map { .milliseconds($0) }, now: harness.now))
        #expect(harness.player.loopRange?.end == nil)
        harness.run { harness.shown.count == 130 }
        #expect(harness.numbers.suffix(20) == (Array(90..<100) + Array(90..<100))[...])
    }

    @Test("While the file loops, an A–B loop takes precedence until it is cleared")
    func insideLoop() throws {
        var options = PlayerOptions()
        options.isLooping = true
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.run { harness.shown.count == 130 }
        #expect(harness.player.setLoopRange(from: .zero, to: .milliseconds(2000), now: harness.now))
        harness.run { harness.shown.count == 250 }
        harness.forget()
        harness.run { harness.shown.count == 100 }
        #expect(harness.numbers.allSatisfy { (0..<50).contains($0) })
        harness.player.setLoopRange(from: nil, now: harness.now)
        harness.forget()
        #expect(harness.run { harness.shown.count > 60 && harness.last?.number == 5 })
        #expect(harness.numbers.contains(99))
    }

    @Test("An invalid A–B range is refused and leaves the current one")
    func refusals() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        #expect(!harness.player.setLoopRange(from: .zero, to: .seconds(1), now: harness.now))
        harness.pauseAtStart()
        let player = harness.player
        #expect(player.setLoopRange(from: .seconds(-5), to: .seconds(1), now: harness.now))
        for (start, end) in [(1, 1), (2, 1), (4, nil), (9, 10), (-9, -1)] as [(Int, Int?)] {
            #expect(!player.setLoopRange(from: .seconds(start), to: end.map { .seconds($0) }, now: harness.now))
        }
        #expect(player.loopRange?.start == .zero && player.loopRange?.end == .seconds(1))
        player.info?.isSeekable = false
        #expect(!player.setLoopRange(from: .zero, to: .seconds(1), now: harness.now))
        #expect(player.setLoopRange(from: nil, now: harness.now))
    }
}

@MainActor @Suite("Chapters", .serialized) struct ChapterTests {
    /// Chapters at 1, 4.5 and 6 s of 8.
    private func film() throws -> String {
        let list = try Clips.file("chapters.txt") { path in
            let chapters = [(1000, 4500), (4500, 6000), (6000, 8000)].map {
                "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=from \($0.0)\n"
            }
            try (";FFMETADATA1\n" + chapters.joined()).write(toFile: path, atomically: true, encoding: .utf8)
        }
        return try Clips.file(
            "chapters.mkv",
            ffmpeg: NumberedFrames.source(seconds: 8) + ["-i", list, "-map_metadata", "1"] + NumberedFrames.h264)
    }

    @Test("Chapter steps go from chapter to chapter, and back within three seconds of a start to the one before")
    func steps() throws {
        let harness = PlaybackHarness(try film(), options: .paused)
        harness.pauseAtStart()
        let player = harness.player
        func go(_ step: Int, from milliseconds: Int) -> Int? {
            harness.seek(to: .milliseconds(milliseconds))
            guard player.seekToChapter(by: step, now: harness.now) else { return nil }
            return Int(player.position(at: harness.now).inMilliseconds.rounded())
        }
        #expect(go(1, from: 0) == 1000)
        #expect(go(1, from: 1000) == 4500)
        #expect(go(2, from: 1000) == 6000)
        #expect(go(1, from: 6000) == nil)
        #expect(go(-1, from: 7900) == 4500)
        #expect(go(-1, from: 4400) == 1000)
        #expect(go(-1, from: 4000) == 0)
        #expect(go(-2, from: 7900) == 1000)
        #expect(go(-1, from: 500) == 0)
        #expect(go(-1, from: 0) == nil)
        #expect(go(0, from: 2000) == nil)
        #expect(go(.max, from: 2000) == nil && go(.min, from: 2000) == 0)
        #expect(player.chapter(at: .milliseconds(999)) == nil)
        #expect(player.chapter(at: .milliseconds(4500)) == 1)
    }

    @Test("Without chapters, before opening and in media that cannot seek, chapter steps do nothing")
    func none() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        #expect(!harness.player.seekToChapter(by: 1, now: harness.now))
        harness.pauseAtStart()
        #expect(!harness.player.seekToChapter(by: 1, now: harness.now))
        #expect(!harness.player.seekToChapter(by: -1, now: harness.now))
        let fixed = PlaybackHarness(try film(), options: .paused)
        fixed.pauseAtStart()
        fixed.player.info?.isSeekable = false
        #expect(!fixed.player.seekToChapter(by: 1, now: fixed.now))
    }
}

@MainActor @Suite("Player statistics", .serialized) struct StatisticsTests {
    @Test("The buffered range starts at the position and reaches to the end of the file")
    func buffered() throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(), options: .paused, audio: .silent)
        #expect(harness.player.bufferedRange(at: harness.now) == nil)
        #expect(harness.player.bufferedRanges(at: harness.now).isEmpty)
        harness.pauseAtStart()
        #expect(harness.wait { $0.pipeline.packets.isAtLimit })
        #expect((harness.player.bufferedRange(at: harness.now)?.upperBound ?? .zero) > .milliseconds(900))
        #expect(harness.player.bufferedRange(at: harness.now)?.lowerBound == .zero)
        harness.seek(to: .milliseconds(1500))
        #expect(harness.wait { $0.pipeline.packets.isAtLimit })
        let range = try #require(harness.player.bufferedRange(at: harness.now))
        #expect(range.lowerBound == .milliseconds(1500))
        #expect(abs((range.upperBound - .seconds(2)).inMilliseconds) < 60)
    }

    @Test("The statistics describe the current playback")
    func figures() throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(), options: .paused, audio: .silent)
        #expect(harness.player.statistics(at: harness.now) == PlayerStatistics())
        harness.pauseAtStart()
        func isFull(_ now: PlayerStatistics) -> Bool {
            now.frames == FrameQueue.countLimit && (now.audioAhead ?? .zero) > .milliseconds(300)
        }
        #expect(harness.wait { isFull($0.statistics(at: harness.now)) })
        let full = harness.player.statistics(at: harness.now)
        #expect(full.frameBytes > 4 * 160 * 90 && full.packets > 0 && full.packetBytes > 0)
        #expect((full.readAhead ?? .zero) > .milliseconds(900))
        #expect(full.videoDecoder == "h264" && full.audioDecoder == "aac" && full.decoderThreads >= 1)
        #expect(full.underruns == 0 && full.clockCorrection == 0)
    }
}
