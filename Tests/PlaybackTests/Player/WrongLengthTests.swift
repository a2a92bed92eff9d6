import Foundation
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Files whose headers say another length than they have.
@MainActor @Suite("Wrong lengths", .serialized) struct WrongLengthTests {
    /// A film of 8 s in Matroska whose header says `seconds`. Without the tags that tell each track's length.
    private func film(saying seconds: Double) throws -> String {
        let source = try Clips.file("eight.mkv", ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.h264)
        var data = try Clips.bytes(source)
        let place = try #require(data.range(of: Data([0x44, 0x89, 0x88])))
        let value = withUnsafeBytes(of: (seconds * 1000).bitPattern.bigEndian) { Data($0) }
        data.replaceSubrange(place.upperBound..<place.upperBound + 8, with: value)
        let tag = try #require(data.range(of: Data("DURATION".utf8)))
        data.replaceSubrange(tag, with: Data("OTHERTAG".utf8))
        return try Clips.file("saying-\(seconds).mkv", data: data)
    }

    private func length(_ harness: PlaybackHarness) -> Double { harness.player.info?.duration?.inSeconds ?? -1 }

    @Test("A film that is longer than its header says can be sought beyond that, and corrects its length")
    func longer() throws {
        let harness = PlaybackHarness(try film(saying: 2))
        #expect(harness.open()?.duration == .seconds(2))
        #expect(harness.run { harness.last.map { $0.number >= 100 } == true })
        #expect(length(harness) >= 4)
        let from = harness.player.position(at: harness.now)
        #expect(from >= .seconds(4))
        harness.player.seek(by: .seconds(1), isExact: true, now: harness.now)
        #expect(harness.nextFrame()?.number == Int((from + .seconds(1)).inSeconds * 25))
        #expect(harness.player.position(at: harness.now) >= from + .milliseconds(900))
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
        #expect(abs(length(harness) - 8) < 0.05)
        #expect(harness.problems.isEmpty)
    }

    @Test("Playback can start beyond the header's length")
    func start() throws {
        var options = PlayerOptions()
        options.start = .seconds(6.7)
        let harness = PlaybackHarness(try film(saying: 2), options: options)
        #expect(harness.nextFrame()?.number == 167)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(167..<200))
    }

    @Test("An A–B loop can lie beyond the header's length")
    func loop() throws {
        let harness = PlaybackHarness(try film(saying: 2))
        #expect(harness.run { harness.last.map { $0.number >= 100 } == true })
        #expect(harness.player.setLoopRange(from: .seconds(3), to: .seconds(3.6), now: harness.now))
        #expect(harness.nextFrame()?.number == 75)
    }

    @Test("A film that is shorter than its header says is not called incomplete, and corrects its length")
    func shorter() throws {
        let harness = PlaybackHarness(try film(saying: 32))
        #expect(harness.open()?.duration == .seconds(32))
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<200))
        #expect(abs(length(harness) - 8) < 0.05)
        #expect(harness.player.position(at: harness.now) <= .seconds(8.05))
        #expect(harness.problems.isEmpty)
    }

    @Test("A seek beyond the end leads to the last frame and the end", arguments: ["mp4", "mkv", "ts", "avi"])
    func beyond(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind))
        harness.nextFrame()
        let shown = try #require(harness.seek(to: .seconds(3600)))
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(shown.number >= 90 || harness.last.map { $0.number >= 90 } == true)
        #expect(abs(harness.player.position(at: harness.now).inSeconds - length(harness)) < 0.1)
        #expect(length(harness) < 60)
    }

    @Test("Audio that is sought beyond its end just ends", arguments: ["flac", "mp3", "wav", "ogg", "m4a"])
    func audioBeyond(kind: String) throws {
        let harness = PlaybackHarness(try Clips.audio(kind), audio: .silent)
        harness.open()
        harness.player.seek(to: .seconds(3600), now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(abs(harness.player.position(at: harness.now).inSeconds - length(harness)) < 0.1)
        #expect(length(harness) < 60)
    }

    @Test("Packets that a seek leaves undecoded do not make a file undecodable")
    func undecoded() {
        let output = DecoderOutput()
        output.sawPacket()
        #expect(output.isEmpty)
        output.begin()
        #expect(!output.isEmpty)
        output.sawPacket()
        output.sawFrame()
        #expect(!output.isEmpty)
    }

    @Test(
        "What does not play does not count: neither subtitles, nor another audio track, nor the time before the start")
    func others() throws {
        let video = NumberedFrames.source(seconds: 2) + NumberedFrames.tone
        let codecs = NumberedFrames.h264 + ["-c:a", "aac"]
        let text = try Clips.file("late.srt", data: Data("1\n00:00:01,000 --> 00:00:07,000\nhello\n".utf8))
        let files = try [
            Clips.file(
                "late-subtitle.mkv",
                ffmpeg: video + ["-i", text, "-t", "2"] + codecs + ["-map", "0", "-map", "1", "-map", "2"]),
            Clips.file(
                "long-track.mkv",
                ffmpeg: NumberedFrames.source(seconds: 2) + [
                    "-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", "sine=d=6",
                ]
                    + ["-map", "0", "-map", "1", "-map", "2"] + codecs),
            Clips.file("late-start.mkv", ffmpeg: video + ["-t", "2"] + codecs + ["-output_ts_offset", "3600"]),
        ]
        for path in files {
            let harness = PlaybackHarness(path)
            #expect(abs(try #require(harness.open()?.duration).inSeconds - 2) < 0.1, "\(path)")
            #expect(harness.runToEnd())
            #expect(harness.numbers == Array(0..<50))
            #expect(harness.problems.isEmpty, "\(path)")
        }
    }

    @Test(
        "A file from whose end bytes are missing is called incomplete, whatever length FFmpeg finds",
        arguments: ["mp4", "mkv", "flv", "avi"])
    func incomplete(kind: String) throws {
        let arguments = kind == "mp4" ? ["-movflags", "+faststart"] : []
        let data = try Clips.bytes(Clips.grainyFilm(kind, arguments))
        let harness = PlaybackHarness(try Clips.file("incomplete.\(kind)", data: data.prefix(data.count * 6 / 10)))
        #expect(harness.runToEnd())
        #expect(harness.problems.contains { if case .endsEarly = $0 { true } else { false } })
    }

    @Test("A sound file that is cut is called incomplete, and one whose length was never filled in is not")
    func sound() throws {
        let data = try Clips.bytes(Clips.audio("wav"))
        let place = try #require(data.range(of: Data("data".utf8))).upperBound
        var endless = data
        endless.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        endless.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        for (name, bytes, isCut) in [("cut", data.dropLast(data.count / 3), true), ("endless", endless, false)] {
            let harness = PlaybackHarness(try Clips.file("\(name).wav", data: bytes), audio: .silent)
            #expect(harness.runToEnd())
            #expect(harness.problems.map(\.kind) == (isCut ? [.endsEarly] : []), "\(name)")
        }
    }

    @Test("A film that only lacks its index is not called incomplete")
    func unindexed() throws {
        let data = try Clips.bytes(Clips.film("avi"))
        let index = try #require(data.range(of: Data("idx1".utf8), options: .backwards))
        for end in [index.lowerBound, index.upperBound + 100] {
            let harness = PlaybackHarness(try Clips.file("unindexed-\(end).avi", data: data.prefix(end)))
            #expect(harness.runToEnd())
            #expect(harness.numbers == Array(0..<100) && harness.problems.isEmpty)
        }
    }

    @Test("A recording that grows while it plays is played to its new end, and its length grows")
    func growing() throws {
        let source = try Clips.file(
            "recording.ts", ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.h264 + ["-f", "mpegts"])
        let data = try Clips.bytes(source)
        let path = Clips.folder.appendingPathComponent("growing.ts").path
        try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: path))
        let harness = PlaybackHarness(path)
        harness.open()
        let before = length(harness)
        #expect(before < 5)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: data.dropFirst(data.count / 2))
        try handle.close()
        #expect(harness.run { harness.last.map { $0.number >= 130 } == true })
        #expect(length(harness) > before)
        harness.player.seek(by: .seconds(1), isExact: true, now: harness.now)
        #expect(harness.nextFrame().map { $0.number >= 154 } == true)
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
        #expect(abs(length(harness) - 8) < 0.1 && harness.problems.isEmpty)
    }

    @Test("A film of which nothing can be decoded fails with a reason")
    func nothing() throws {
        let source = try Clips.file(
            "one-keyframe.ts",
            ffmpeg: NumberedFrames.source(seconds: 4) + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "250", "-sc_threshold", "0", "-bf", "2", "-f", "mpegts",
            ])
        let data = try Clips.bytes(source)
        let packets = data.count / 188
        // The tables, and the rest from the middle of the file on: no parameter sets, and no keyframe.
        let rest = data.prefix(188 * 3) + data.dropFirst(188 * (packets / 2))
        let path = try Clips.file("no-keyframe.ts", data: Data(rest))
        // The window then keeps its size.
        #expect(try MediaInfo(opening: path).displaySize == nil)
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        guard case .failed(.nothingToPlay(let reason)) = harness.player.state else {
            Issue.record("it should fail")
            return
        }
        #expect(reason == "its video cannot be decoded")
    }
}
