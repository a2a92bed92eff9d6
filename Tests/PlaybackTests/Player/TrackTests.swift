import GlissadeCFFmpeg
import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

/// Remembers what it was given.
private final class Collector: SubtitleReceiver {
    struct State {
        var selected: [Int?] = []
        var lines: [(text: String, time: Int64)] = []
    }
    let state = Monitor(State())

    func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?) {
        state.update { $0.selected.append(stream.map { Int($0.pointee.index) }) }
    }

    func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>) {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        state.update { $0.lines.append((String(decoding: bytes, as: UTF8.self), packet.pointee.pts)) }
    }

    /// Sleeps until `count` lines have come.
    func lines(atLeast count: Int) -> [String] {
        state.wait(until: .now() + .seconds(20)) { $0.lines.count >= count ? $0.lines.map(\.text) : nil } ?? []
    }
}

@MainActor @Suite("Tracks", .serialized) struct TrackTests {
    @Test("The media's tracks are listed by kind, including which one plays", arguments: ["mkv", "mp4"])
    func listing(kind: String) throws {
        let harness = PlaybackHarness(try Clips.tracks(kind), audio: .silent)
        #expect(harness.player.audioTracks.isEmpty)
        harness.open()
        #expect(harness.player.audioTracks.map(\.index) == [1, 2])
        #expect(harness.player.subtitleTracks.map(\.index) == [3, 4])
        #expect(harness.player.selectedAudioTrack == 1)
        #expect(harness.player.selectedSubtitleTrack == nil)
    }

    @Test("Tracks can be chosen before opening, and an invalid choice leaves it to the media")
    func initial() throws {
        for (audio, subtitle, expected) in [(2, 4, (2, 4)), (0, 1, (1, nil)), (99, -1, (1, nil))]
            as [(Int, Int, (Int, Int?))]
        {
            var options = PlayerOptions()
            options.audioTrack = audio
            options.subtitleTrack = subtitle
            let harness = PlaybackHarness(try Clips.tracks(), options: options, audio: .silent)
            harness.open()
            #expect(harness.player.selectedAudioTrack == expected.0)
            #expect(harness.player.pipeline.packets.audioTrack == expected.0)
            #expect(harness.player.selectedSubtitleTrack == expected.1)
        }
    }

    @Test("With another audio track, or none, every frame is shown", arguments: ["mkv", "mp4"])
    func switching(kind: String) throws {
        let harness = PlaybackHarness(try Clips.tracks(kind), audio: .silent)
        for (count, track) in [(10, 2), (20, 1), (30, nil), (40, 2), (45, 1), (60, nil), (62, 2), (70, 1)]
            as [(Int, Int?)]
        {
            #expect(harness.run { harness.shown.count >= count })
            #expect(harness.player.selectAudioTrack(track, now: harness.now))
            #expect(harness.player.selectedAudioTrack == track)
            #expect(harness.player.pipeline.packets.audioTrack == track)
            #expect(harness.player.hasAudio == (track != nil))
            #expect(harness.player.isRunning)
        }
        #expect(harness.runToEnd())
        #expect(harness.shown.count + harness.player.counts.dropped == 100)
        #expect(harness.numbers == harness.numbers.sorted() && Set(harness.numbers).count == harness.shown.count)
        #expect(harness.player.generation == 0)
        #expect(harness.problems.isEmpty)
    }

    @Test("A new audio track is heard from the position of the video")
    func place() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        for (count, track) in [(10, 2), (30, nil), (40, 1)] as [(Int, Int?)] {
            harness.run { harness.shown.count >= count }
            harness.player.selectAudioTrack(track, now: harness.now)
            guard track != nil else { continue }
            let generation = harness.player.audioGeneration
            #expect(harness.run { harness.player.pipeline.audioDecoder?.isReady(generation) == true })
            #expect(
                harness.run { harness.player.pipeline.audio?.position(at: .now())?.generation == generation })
            let now = HostTime.now()
            let heard = try #require(harness.player.pipeline.audio?.position(at: now))
            #expect(heard.generation == generation)
            #expect(abs((heard.mediaTime - harness.player.clock.time(at: now)).inMilliseconds) < 40)
        }
    }

    @Test("After the end of a short audio track another one is heard from the position of the video")
    func afterShortAudio() throws {
        let path = try Clips.file(
            "short-sound.mkv",
            ffmpeg: NumberedFrames.source(seconds: 4) + [
                "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=1",
            ]
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000:duration=4"]
                + ["-map", "0", "-map", "1", "-map", "2"] + NumberedFrames.h264 + ["-c:a", "flac"])
        let harness = PlaybackHarness(path, audio: .silent)
        harness.run { harness.shown.count >= 60 }
        harness.player.selectAudioTrack(2, now: harness.now)
        #expect(
            harness.run { harness.player.pipeline.audio?.position(at: .now()) != nil })
        let now = HostTime.now()
        let heard = try #require(harness.player.pipeline.audio?.position(at: now))
        #expect(abs((heard.mediaTime - harness.player.clock.time(at: now)).inMilliseconds) < 40)
        #expect(harness.runToEnd() && harness.last?.number == 99)
    }

    @Test("A track chosen while opening, paused, scrubbing or ended is the one that plays then")
    func otherStates() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        let player = harness.player
        #expect(player.selectAudioTrack(2, now: harness.now))
        harness.run { harness.shown.count == 3 }
        #expect(player.selectedAudioTrack == 2 && player.pipeline.packets.audioTrack == 2)
        player.pause(now: harness.now)
        player.selectAudioTrack(1, now: harness.now)
        #expect(player.phase == .paused)
        player.play(now: harness.now)
        harness.run { harness.shown.count == 10 }
        player.beginScrub(now: harness.now)
        player.selectAudioTrack(2, now: harness.now)
        #expect(player.isScrubbing)
        player.endScrub(now: harness.now)
        harness.run { player.isRunning && harness.shown.count >= 15 }
        #expect(harness.runToEnd())
        player.selectAudioTrack(1, now: harness.now)
        player.play(now: harness.now)
        harness.run { player.isRunning }
        #expect(player.pipeline.packets.audioTrack == 1 && player.hasAudio)
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 99)
    }

    @Test("Tracks of another kind, the last thing that plays, and undecoded audio cannot be turned off or chosen")
    func refusals() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        harness.open()
        for track in [0, 3, -1, 99, .max, .min] { #expect(!harness.player.selectAudioTrack(track, now: harness.now)) }
        for track in [0, 1, -1, 99] { #expect(!harness.player.selectSubtitleTrack(track)) }
        #expect(harness.player.selectedAudioTrack == 1)
        let silent = PlaybackHarness(try Clips.tracks())
        silent.open()
        #expect(!silent.player.selectAudioTrack(2, now: silent.now))
        let audio = PlaybackHarness(try Clips.audio(), audio: .silent)
        audio.open()
        #expect(!audio.player.selectAudioTrack(nil, now: audio.now))
        #expect(audio.runToEnd())
    }

    @Test(
        "Speed changes during playback show every frame without restarting", arguments: [false, true])
    func speeds(hasAudio: Bool) throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: hasAudio ? .silent : .none)
        for (count, speed) in [(5, 2.0), (30, 1), (35, 0.5), (40, 1.5), (60, 2), (62, 1), (63, 2)] {
            harness.run { harness.shown.count >= count }
            harness.player.setSpeed(speed, now: harness.now)
            #expect(harness.player.isRunning && harness.player.speed == speed)
        }
        #expect(harness.run { harness.player.clock.speed == 2 })
        #expect(harness.runToEnd())
        #expect(harness.shown.count + harness.player.counts.dropped == 100)
        #expect(harness.numbers == harness.numbers.sorted() && Set(harness.numbers).count == harness.shown.count)
        #expect(harness.player.generation == 0)
    }

    @Test("Non-finite speeds are ignored, and others are clamped to the limits")
    func absurdSpeeds() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        harness.nextFrame()
        for (asked, given) in [(.nan, 1), (.infinity, 1), (0, 0.1), (-4, 0.1), (100, 8)] as [(Double, Double)] {
            harness.player.setSpeed(asked, now: harness.now)
            #expect(harness.player.speed == given)
        }
        #expect(harness.runToEnd())
    }

    @Test("Packets of the chosen subtitle track arrive in order with their times", arguments: ["mkv", "mp4"])
    func subtitles(kind: String) throws {
        let harness = PlaybackHarness(try Clips.tracks(kind), options: .paused, audio: .silent)
        let collector = Collector()
        harness.player.attach(collector)
        harness.open()
        #expect(harness.player.selectSubtitleTrack(3))
        harness.player.play(now: harness.now)
        harness.runToEnd()
        // MOV says where nothing is visible with empty packets. What was read before both orders had come is given with
        // each of them.
        var times: Set<Int64> = []
        let lines = collector.state.withLock { $0.lines }
            .filter { $0.text.contains("one") && times.insert($0.time).inserted }
        #expect(lines.count == 4)
        for (index, line) in lines.enumerated() {
            #expect(line.text.hasSuffix("one \(index)"))
            // Sound may begin a little earlier, and the picture with it later.
            #expect(abs(line.time - (Int64(index) * 1000 + 100) * 1_000_000) <= 22_000_000)
        }
    }

    @Test("Choosing a subtitle track midway delivers the current line at once, and another choice or none is announced")
    func subtitlesMidway() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        let collector = Collector()
        harness.run { harness.shown.count == 60 }
        harness.player.attach(collector)
        harness.player.selectSubtitleTrack(4)
        let lines = collector.lines(atLeast: 3)
        #expect(Array(lines.prefix(3)) == ["two 0", "two 1", "two 2"])
        harness.player.selectSubtitleTrack(3)
        #expect(
            collector.state.wait(until: .now() + PlaybackHarness.timeout) {
                $0.lines.contains { $0.text == "one 2" } ? true : nil
            } == true)
        harness.player.selectSubtitleTrack(nil)
        #expect(
            collector.state.wait(until: .now() + PlaybackHarness.timeout) {
                $0.selected.last == .some(nil) ? true : nil
            }
                == true)
        let count = collector.state.withLock { $0.lines.count }
        harness.runToEnd()
        #expect(collector.state.withLock { $0.lines.count } == count)
        let selected = collector.state.withLock { $0.selected }
        #expect(selected.suffix(3) == [4, 3, nil])
    }

    @Test("After a seek, subtitles come from the new position, and in each loop round with the first round's times")
    func subtitlesAgain() throws {
        var options = PlayerOptions.paused
        options.subtitleTrack = 3
        options.isLooping = true
        let harness = PlaybackHarness(try Clips.tracks(), options: options)
        let collector = Collector()
        harness.player.attach(collector)
        harness.pauseAtStart()
        harness.seek(to: .milliseconds(2500))
        harness.player.play(now: harness.now)
        harness.run { harness.shown.count >= 200 }
        let lines = collector.state.withLock { $0.lines }
        #expect(lines.count >= 6)
        #expect(lines.allSatisfy { $0.time < 4_000_000_000 && $0.text == "one \($0.time / 1_000_000_000)" })
    }

    @Test("Many changes of track and speed leave no thread behind and do not grow memory", .timeLimit(.minutes(10)))
    func manyChanges() throws {
        var options = PlayerOptions()
        options.isLooping = true
        let harness = PlaybackHarness(try Clips.tracks(), options: options, audio: .silent)
        var memory: [Int] = []
        for index in 0..<120 {
            harness.player.selectAudioTrack([1, 2, nil, 2][index % 4], now: harness.now)
            harness.player.setSpeed([8, 4, 6][index % 3], now: harness.now)
            #expect(harness.nextFrame() != nil)
            if index % 30 == 29 { memory.append(try ProcessStatus.resident()) }
        }
        #expect(memory.last ?? 0 < (memory.first ?? 0) + 24 << 20)
        #expect(harness.problems.isEmpty)
    }
}
