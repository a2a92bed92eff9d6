import CFFmpeg
import Foundation
import Platform
import Synchronization
import Testing
import Time

@testable import Playback

extension Clips {
    /// 100 frames, two tones of 4 s, and two subtitles: a line each second, "one 0"…, and "two 0"….
    static func tracks(_ kind: String = "mkv") throws -> String {
        func lines(_ name: String) throws -> String {
            try file("\(name).srt") { path in
                let text = (0..<4).map { "\($0 + 1)\n00:00:0\($0),100 --> 00:00:0\($0),900\n\(name) \($0)\n" }
                try text.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
        return try file(
            "tracks.\(kind)",
            ffmpeg: FrameCode.source(seconds: 4) + FrameCode.tone
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000", "-i", lines("one"), "-i", lines("two")]
                + ["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map", "4"] + FrameCode.h264
                + ["-c:a", "aac", "-c:s", kind == "mp4" ? "mov_text" : "subrip", "-t", "4"])
    }
}

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
    @Test("The media's tracks can be listed by kind, and which plays", arguments: ["mkv", "mp4"])
    func listing(kind: String) throws {
        let viewing = Viewing(try Clips.tracks(kind), audio: .silent)
        #expect(viewing.player.audioTracks.isEmpty)
        viewing.open()
        #expect(viewing.player.audioTracks.map(\.index) == [1, 2])
        #expect(viewing.player.subtitleTracks.map(\.index) == [3, 4])
        #expect(viewing.player.selectedAudioTrack == 1)
        #expect(viewing.player.selectedSubtitleTrack == nil)
    }

    @Test("Tracks can be chosen from the beginning; what is none leaves the choice to the media")
    func initial() throws {
        for (audio, subtitle, expected) in [(2, 4, (2, 4)), (0, 1, (1, nil)), (99, -1, (1, nil))]
            as [(Int, Int, (Int, Int?))]
        {
            var options = PlayerOptions()
            options.audioTrack = audio
            options.subtitleTrack = subtitle
            let viewing = Viewing(try Clips.tracks(), options: options, audio: .silent)
            viewing.open()
            #expect(viewing.player.selectedAudioTrack == expected.0)
            #expect(viewing.player.pipeline.packets.audioTrack == expected.0)
            #expect(viewing.player.selectedSubtitleTrack == expected.1)
        }
    }

    @Test("Another audio track plays, or none, and every frame is shown all the same", arguments: ["mkv", "mp4"])
    func switching(kind: String) throws {
        let viewing = Viewing(try Clips.tracks(kind), audio: .silent)
        for (count, track) in [(10, 2), (20, 1), (30, nil), (40, 2), (45, 1), (60, nil), (62, 2), (70, 1)]
            as [(Int, Int?)]
        {
            #expect(viewing.run { viewing.shown.count >= count })
            #expect(viewing.player.selectAudioTrack(track, now: viewing.now))
            #expect(viewing.player.selectedAudioTrack == track)
            #expect(viewing.player.pipeline.packets.audioTrack == track)
            #expect(viewing.player.hasAudio == (track != nil))
            #expect(viewing.player.isRunning)
        }
        #expect(viewing.runToEnd())
        #expect(viewing.shown.count + viewing.player.counts.dropped == 100)
        #expect(viewing.numbers == viewing.numbers.sorted() && Set(viewing.numbers).count == viewing.shown.count)
        #expect(viewing.player.generation == 0)
        #expect(viewing.problems.isEmpty)
    }

    @Test("A new track is heard at the place where the picture is")
    func place() throws {
        let viewing = Viewing(try Clips.tracks(), audio: .silent)
        for (count, track) in [(10, 2), (30, nil), (40, 1)] as [(Int, Int?)] {
            viewing.run { viewing.shown.count >= count }
            viewing.player.selectAudioTrack(track, now: viewing.now)
            guard track != nil else { continue }
            let generation = viewing.player.audioGeneration
            #expect(viewing.run { viewing.player.pipeline.audioDecoder?.isReady(generation) == true })
            #expect(
                viewing.run { viewing.player.pipeline.audio?.position(at: .now())?.generation == generation })
            let now = HostTime.now()
            let heard = try #require(viewing.player.pipeline.audio?.position(at: now))
            #expect(heard.generation == generation)
            #expect(abs((heard.mediaTime - viewing.player.clock.time(at: now)).inMilliseconds) < 40)
        }
    }

    @Test("After the end of a track that is shorter than the film, another one is heard at the picture's place")
    func afterShortAudio() throws {
        let path = try Clips.file(
            "short-sound.mkv",
            ffmpeg: FrameCode.source(seconds: 4) + [
                "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=1",
            ]
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000:duration=4"]
                + ["-map", "0", "-map", "1", "-map", "2"] + FrameCode.h264 + ["-c:a", "flac"])
        let viewing = Viewing(path, audio: .silent)
        viewing.run { viewing.shown.count >= 60 }
        viewing.player.selectAudioTrack(2, now: viewing.now)
        #expect(
            viewing.run { viewing.player.pipeline.audio?.position(at: .now()) != nil })
        let now = HostTime.now()
        let heard = try #require(viewing.player.pipeline.audio?.position(at: now))
        #expect(abs((heard.mediaTime - viewing.player.clock.time(at: now)).inMilliseconds) < 40)
        #expect(viewing.runToEnd() && viewing.last?.number == 99)
    }

    @Test("What is chosen while it opens, pauses, is scrubbed or has ended is what plays then")
    func otherStates() throws {
        let viewing = Viewing(try Clips.tracks(), audio: .silent)
        let player = viewing.player
        #expect(player.selectAudioTrack(2, now: viewing.now))
        viewing.run { viewing.shown.count == 3 }
        #expect(player.selectedAudioTrack == 2 && player.pipeline.packets.audioTrack == 2)
        player.pause(now: viewing.now)
        player.selectAudioTrack(1, now: viewing.now)
        #expect(player.phase == .paused)
        player.play(now: viewing.now)
        viewing.run { viewing.shown.count == 10 }
        player.beginScrub(now: viewing.now)
        player.selectAudioTrack(2, now: viewing.now)
        #expect(player.isScrubbing)
        player.endScrub(now: viewing.now)
        viewing.run { player.isRunning && viewing.shown.count >= 15 }
        #expect(viewing.runToEnd())
        player.selectAudioTrack(1, now: viewing.now)
        player.play(now: viewing.now)
        viewing.run { player.isRunning }
        #expect(player.pipeline.packets.audioTrack == 1 && player.hasAudio)
        #expect(viewing.runToEnd())
        #expect(viewing.last?.number == 99)
    }

    @Test("What is no sound, the last thing that plays, and sound that is not decoded, cannot be chosen")
    func refusals() throws {
        let viewing = Viewing(try Clips.tracks(), audio: .silent)
        viewing.open()
        for track in [0, 3, -1, 99, .max, .min] { #expect(!viewing.player.selectAudioTrack(track, now: viewing.now)) }
        for track in [0, 1, -1, 99] { #expect(!viewing.player.selectSubtitleTrack(track)) }
        #expect(viewing.player.selectedAudioTrack == 1)
        let silent = Viewing(try Clips.tracks())
        silent.open()
        #expect(!silent.player.selectAudioTrack(2, now: silent.now))
        let audio = Viewing(try Clips.audio(), audio: .silent)
        audio.open()
        #expect(!audio.player.selectAudioTrack(nil, now: audio.now))
        #expect(audio.runToEnd())
    }

    @Test(
        "Speed changes while it plays: every frame is shown, the picture never begins again", arguments: [false, true])
    func speeds(hasAudio: Bool) throws {
        let viewing = Viewing(try Clips.tracks(), audio: hasAudio ? .silent : .none)
        for (count, speed) in [(5, 2.0), (30, 1), (35, 0.5), (40, 1.5), (60, 2), (62, 1), (63, 2)] {
            viewing.run { viewing.shown.count >= count }
            viewing.player.setSpeed(speed, now: viewing.now)
            #expect(viewing.player.isRunning && viewing.player.speed == speed)
        }
        #expect(viewing.run { viewing.player.clock.speed == 2 })
        #expect(viewing.runToEnd())
        #expect(viewing.shown.count + viewing.player.counts.dropped == 100)
        #expect(viewing.numbers == viewing.numbers.sorted() && Set(viewing.numbers).count == viewing.shown.count)
        #expect(viewing.player.generation == 0)
    }

    @Test("Nonsense is no speed, and what is beyond the limits is at them")
    func absurdSpeeds() throws {
        let viewing = Viewing(try Clips.tracks(), audio: .silent)
        viewing.nextFrame()
        for (asked, given) in [(.nan, 1), (.infinity, 1), (0, 0.1), (-4, 0.1), (100, 8)] as [(Double, Double)] {
            viewing.player.setSpeed(asked, now: viewing.now)
            #expect(viewing.player.speed == given)
        }
        #expect(viewing.runToEnd())
    }

    @Test("The packets of the chosen subtitles arrive in order, each with its time", arguments: ["mkv", "mp4"])
    func subtitles(kind: String) throws {
        let viewing = Viewing(try Clips.tracks(kind), options: .paused, audio: .silent)
        let collector = Collector()
        viewing.player.attach(collector)
        viewing.open()
        #expect(viewing.player.selectSubtitleTrack(3))
        viewing.player.play(now: viewing.now)
        viewing.runToEnd()
        // MOV says where nothing is to be seen with empty packets. What was read before both orders had come is given with
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

    @Test("Chosen in the midst of it, the line on show comes at once; another choice is told, and none")
    func subtitlesMidway() throws {
        let viewing = Viewing(try Clips.tracks(), audio: .silent)
        let collector = Collector()
        viewing.run { viewing.shown.count == 60 }
        viewing.player.attach(collector)
        viewing.player.selectSubtitleTrack(4)
        let lines = collector.lines(atLeast: 3)
        #expect(Array(lines.prefix(3)) == ["two 0", "two 1", "two 2"])
        viewing.player.selectSubtitleTrack(3)
        #expect(
            collector.state.wait(until: .now() + Viewing.patience) {
                $0.lines.contains { $0.text == "one 2" } ? true : nil
            } == true)
        viewing.player.selectSubtitleTrack(nil)
        #expect(
            collector.state.wait(until: .now() + Viewing.patience) { $0.selected.last == .some(nil) ? true : nil }
                == true)
        let count = collector.state.withLock { $0.lines.count }
        viewing.runToEnd()
        #expect(collector.state.withLock { $0.lines.count } == count)
        let selected = collector.state.withLock { $0.selected }
        #expect(selected.suffix(3) == [4, 3, nil])
    }

    @Test("After a seek subtitles come from the new place on, and in each round of a loop with the times of the first")
    func subtitlesAgain() throws {
        var options = PlayerOptions.paused
        options.subtitleTrack = 3
        options.isLooping = true
        let viewing = Viewing(try Clips.tracks(), options: options)
        let collector = Collector()
        viewing.player.attach(collector)
        viewing.pauseAtStart()
        viewing.seek(to: .milliseconds(2500))
        viewing.player.play(now: viewing.now)
        viewing.run { viewing.shown.count >= 200 }
        let lines = collector.state.withLock { $0.lines }
        #expect(lines.count >= 6)
        #expect(lines.allSatisfy { $0.time < 4_000_000_000 && $0.text == "one \($0.time / 1_000_000_000)" })
    }

    @Test("Many changes of track and speed leave no thread behind and the memory flat", .timeLimit(.minutes(10)))
    func manyChanges() throws {
        var options = PlayerOptions()
        options.isLooping = true
        let viewing = Viewing(try Clips.tracks(), options: options, audio: .silent)
        var memory: [Int] = []
        for index in 0..<120 {
            viewing.player.selectAudioTrack([1, 2, nil, 2][index % 4], now: viewing.now)
            viewing.player.setSpeed([8, 4, 6][index % 3], now: viewing.now)
            #expect(viewing.nextFrame() != nil)
            if index % 30 == 29 { memory.append(try Memory.resident()) }
        }
        #expect(memory.last ?? 0 < (memory.first ?? 0) + 24 << 20)
        #expect(viewing.problems.isEmpty)
    }
}
