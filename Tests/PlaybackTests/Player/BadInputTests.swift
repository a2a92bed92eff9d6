import Foundation
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@MainActor @Suite("Bad media", .serialized) struct BadInputTests {
    /// Opens or fails, and says why; hangs and crashes are what this is about.
    private func failure(_ path: String) -> PlaybackError? {
        let harness = PlaybackHarness(path)
        harness.runToEnd()
        if case .failed(let error) = harness.player.state { return error }
        return nil
    }

    @Test("A file that cannot be opened fails with one clear reason")
    func cannotOpen() throws {
        let folder = Clips.folder.path
        let secret = try Clips.file("unreadable.mp4", data: Clips.bytes(Clips.film()))
        chmod(secret, 0)
        let empty = try Clips.file("empty.mp4", data: Data())
        let text = try Clips.file("text.mp4", data: Data(String(repeating: "No film at all.\n", count: 500).utf8))
        let noise = try Clips.file(
            "noise.mkv", data: Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }))
        for path in ["\(folder)/missing.mp4", folder, empty, text, noise] + (getuid() == 0 ? [] : [secret]) {
            let error = try #require(failure(path), "\(path)")
            #expect(!error.description.isEmpty && !error.description.contains("\n"))
            #expect(throws: PlaybackError.self) { try MediaInfo(opening: path) }
        }
        #expect(failure("\(folder)/missing.mp4")?.description == "No such file or directory")
    }

    @Test("A file with only subtitles has nothing to play")
    func subtitlesOnly() throws {
        let text = try Clips.file("words.srt", data: Data("1\n00:00:00,000 --> 00:00:02,000\nHello\n".utf8))
        let path = try Clips.file("words.mkv", ffmpeg: ["-i", text, "-c:s", "srt"])
        guard case .nothingToPlay? = failure(path) else {
            Issue.record("it should have nothing to play")
            return
        }
        #expect(try MediaInfo(opening: path).tracks.map(\.kind) == [.subtitle])
    }

    @Test("A file with only audio has nothing to play if audio is turned off")
    func audioTurnedOff() throws {
        guard case .nothingToPlay? = failure(try Clips.audio()) else {
            Issue.record("it should have nothing to play")
            return
        }
    }

    @Test(
        "A truncated video plays what there is, reports that it is incomplete, and ends",
        arguments: [true, false])
    func truncated(indexAtFront: Bool) throws {
        let data = try Clips.bytes(Clips.grainyFilm("mp4", indexAtFront ? ["-movflags", "+faststart"] : []))
        let cut = try Clips.file("cut-\(indexAtFront).mp4", data: data.prefix(data.count * 6 / 10))
        let harness = PlaybackHarness(cut)
        #expect(harness.runToEnd())
        if indexAtFront {
            #expect(harness.player.state == .ended)
            #expect(harness.shown.count > 30 && harness.shown.count < 100)
            // Where the cut goes through pictures that others refer to, the last ones may lack one between them.
            let whole = harness.numbers.dropLast(3)
            #expect(Array(whole) == Array(0..<whole.count))
            #expect(zip(harness.numbers, harness.numbers.dropFirst()).allSatisfy { $0 < $1 })
            #expect(harness.problems.contains { if case .endsEarly = $0 { true } else { false } })
        } else {
            #expect(failure(cut) != nil)
        }
    }

    @Test("A truncated transport stream or Matroska file plays what there is", arguments: ["ts", "mkv"])
    func truncatedStreams(kind: String) throws {
        let data = try Clips.bytes(Clips.grainyFilm(kind))
        let cut = try Clips.file("cut.\(kind)", data: data.prefix(data.count / 2))
        let harness = PlaybackHarness(cut)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.shown.count > 20)
        #expect(harness.numbers == harness.numbers.sorted())
    }

    @Test(
        "Damage in the middle is reported once, and the rest plays to its end",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func damaged(kind: String) throws {
        let clusters = kind == "mkv" ? ["-cluster_time_limit", "400"] : []
        var data = try Clips.bytes(Clips.grainyFilm(kind, clusters))
        var state: UInt32 = 7
        for index in stride(from: data.count * 3 / 10, to: data.count * 5 / 10, by: 61) {
            state = state &* 1_664_525 &+ 1_013_904_223
            data[index] = UInt8(state >> 24)
        }
        let harness = PlaybackHarness(try Clips.file("damaged.\(kind)", data: data))
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.shown.count > 20)
        #expect(harness.problems.count { if case .damagedData = $0 { true } else { false } } == 1)
        #expect(harness.problems.count <= 2)
        for (a, b) in zip(harness.shown, harness.shown.dropFirst()) { #expect(a.time < b.time) }
    }

    @Test("A video that is damaged everywhere still ends", arguments: ["mp4", "mkv", "ts", "avi"])
    func ruined(kind: String) throws {
        let whole = try Clips.bytes(Clips.filmWithAudio(kind))
        for round in 0..<4 {
            let data = whole.damaged(at: whole.count / 60, seed: UInt64(round))
            let path = Clips.folder.appendingPathComponent("ruined-\(round).\(kind)").path
            try data.write(to: URL(fileURLWithPath: path))
            let harness = PlaybackHarness(path)
            #expect(harness.runToEnd(), "round \(round)")
            harness.player.seek(to: .seconds(1), now: harness.now)
            #expect(harness.runToEnd(), "round \(round), after a seek")
            var options = PlayerOptions()
            options.isLooping = true
            let loop = PlaybackHarness(path, options: options)
            let began = HostTime.now()
            loop.run { loop.hasEnded || loop.shown.count > 150 || .now() - began > .milliseconds(200) }
        }
    }

    @Test("Absurd dimensions are refused without allocating memory for them")
    func absurdDimensions() throws {
        let header = "YUV4MPEG2 W60000 H60000 F25:1 Ip A1:1 C420jpeg\nFRAME\n"
        let raw = try Clips.file("absurd.y4m", data: Data(header.utf8) + Data(count: 4096))
        var film = try Clips.bytes(Clips.film("avi"))
        // The width and the height in the AVI's main header and in its stream's format, little-endian.
        for (width, height) in [(60000, 60000), (0x7fff_ffff, 0x7fff_ffff), (0, 0)] {
            let strf = try #require(film.range(of: Data("strf".utf8))).upperBound
            for (offset, value) in [(8, width), (12, height)] {
                for byte in 0..<4 { film[strf + offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
            }
            let avi = Clips.folder.appendingPathComponent("absurd-\(width).avi").path
            try film.write(to: URL(fileURLWithPath: avi))
            #expect(PlaybackHarness(avi).runToEnd())
        }
        let before = try ProcessStatus.resident()
        #expect(PlaybackHarness(raw).runToEnd())
        #expect(try ProcessStatus.resident() < before + 512 << 20)
    }

    @Test("A file cannot make FFmpeg open a file outside its folder, or a host")
    func references() throws {
        let canary = try Clips.film()
        let canaryName = (canary as NSString).lastPathComponent
        let segment = try Clips.film("ts")
        let listener = try Listener()
        let host = "http://127.0.0.1:\(listener.port)/film.ts"
        let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:4.0,\n"
        let files: [(String, String)] = [
            ("list.ffconcat", "ffconcat version 1.0\nfile \(canaryName)\n"),
            ("list-path.ffconcat", "ffconcat version 1.0\nfile '\(canary)'\n"),
            ("list-host.ffconcat", "ffconcat version 1.0\nfile '\(host)'\n"),
            ("list.m3u8", head + "\(segment)\n#EXT-X-ENDLIST\n"),
            ("list-parent.m3u8", head + "../film.ts\n#EXT-X-ENDLIST\n"),
            ("list-host.m3u8", head + "\(host)\n#EXT-X-ENDLIST\n"),
            (
                "list.mpd",
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
                    + "mediaPresentationDuration=\"PT4S\" minBufferTime=\"PT1S\" "
                    + "profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\"><Period><AdaptationSet "
                    + "mimeType=\"video/mp4\"><Representation id=\"1\" bandwidth=\"1000\"><BaseURL>\(canaryName)</BaseURL>"
                    + "</Representation></AdaptationSet></Period></MPD>"
            ),
            (
                "list.sdp",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video \(listener.port) RTP/AVP 96\n"
                    + "a=rtpmap:96 H264/90000\n"
            ),
        ]
        for (name, text) in files {
            let path = try Clips.file(name, data: Data(text.utf8))
            #expect(failure(path) != nil, "\(name) was played")
            #expect(throws: PlaybackError.self, "\(name)") { try MediaInfo(opening: path) }
        }
        #expect(!listener.wasCalled)
    }

    @Test(
        "A file name is taken literally, whatever characters it has",
        arguments: [
            "a:b.mp4", "http:x.mp4", "100%d.mp4", "50% off.mp4", "film %03d.mp4", "Привет 世界 😀.mp4", "a?b*c[d]{e}.mp4",
            "-v.mp4", "#1 'x' \"y\".mp4", "no-extension",
        ])
    func names(name: String) throws {
        let path = try Clips.file(name, data: Clips.bytes(Clips.film()))
        let harness = PlaybackHarness(path)
        #expect(harness.nextFrame()?.number == 0)
    }

    @Test("An image whose name looks like a pattern is that image alone")
    func patternName() throws {
        let picture =
            NumberedFrames.source(seconds: 0.04, first: 9, format: "rgb24") + ["-frames:v", "1", "-update", "1"]
        let plain = try Clips.file("plain.png", ffmpeg: picture)
        let harness = PlaybackHarness(try Clips.file("picture%02d.png", data: Clips.bytes(plain)))
        #expect(harness.nextFrame()?.number == 9)
    }

    @Test("Only a location with a protocol is a URL")
    func addresses() {
        for address in ["http://a/b", "rtmp://a", "HTTPS://x", "x+y-z.1://a"] { #expect(isAddress(address)) }
        for path in ["a:b", "/a://b", "file:///a", "://a", "c://a", "a b://c", "", ":", "./http://x", "100%"] {
            #expect(!isAddress(path), "\(path)")
        }
    }

    @Test("A file that is deleted during playback plays to its end")
    func deleted() throws {
        let path = try Clips.file("doomed.mp4", data: Clips.bytes(Clips.film()))
        let harness = PlaybackHarness(path)
        harness.run { harness.shown.count == 5 }
        try FileManager.default.removeItem(atPath: path)
        #expect(harness.runToEnd())
        #expect(harness.shown.count == 100)
        #expect(harness.seek(to: .milliseconds(1001))?.number == 25)
    }

    @Test("A file that is truncated during playback ends", arguments: ["mp4", "mkv", "ts"])
    func cutWhilePlaying(kind: String) throws {
        let path = try Clips.file("shrinking.\(kind)", data: Clips.bytes(Clips.film(kind)))
        let harness = PlaybackHarness(path)
        harness.run { harness.shown.count == 5 }
        truncate(path, 2000)
        #expect(harness.runToEnd())
        harness.player.seek(to: .milliseconds(3000), now: harness.now)
        #expect(harness.runToEnd())
    }

    @Test("Releasing a player at any moment ends its threads")
    func suddenEnd() throws {
        let path = try Clips.filmWithAudio()
        let before = try ProcessStatus.threadCount()
        for index in 0..<30 {
            let harness = PlaybackHarness(path, audio: index.isMultiple(of: 2) ? .silent : .none)
            if index > 3 { harness.open() }
            if index > 8 { harness.nextFrame() }
            if index > 14 { harness.player.seek(to: .seconds(1), now: harness.now) }
            if index > 20 { harness.run { harness.shown.count > index - 10 } }
        }
        #expect(try ProcessStatus.threadCount() <= before + 4)
    }
}
