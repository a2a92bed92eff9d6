import Foundation
import GlissadeGeometry
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Playlists in files, with their segments beside them.
@MainActor @Suite("Playlists in files", .serialized)
struct LocalPlaylistTests {
    private func expectWhole(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd(), sourceLocation: sourceLocation)
        #expect(harness.player.state == .ended, sourceLocation: sourceLocation)
        #expect(harness.numbers == Array(0..<200), sourceLocation: sourceLocation)
        #expect(harness.problems.isEmpty, "\(harness.problems)", sourceLocation: sourceLocation)
    }

    @Test("A playlist plays to its end, whatever its segments are", arguments: LocalFilm.Segments.allCases)
    func playing(segments: LocalFilm.Segments) throws { expectWhole(try LocalFilm(segments).path) }

    @Test(
        "A playlist can be sought to the exact frame and paused",
        arguments: LocalFilm.Segments.allCases)
    func seeking(segments: LocalFilm.Segments) throws {
        let harness = PlaybackHarness(try LocalFilm(segments).path)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.isSeekable && info.container == "hls" && info.byteCount == nil)
        #expect(abs((info.duration ?? .zero).inSeconds - 8) < 0.1)
        #expect(harness.nextFrame()?.number == 0)
        #expect(harness.seek(to: .milliseconds(5001))?.number == 125)
        harness.player.pause(now: harness.now)
        #expect(harness.run { harness.player.state == .paused })
        #expect(harness.seek(to: .milliseconds(1001))?.number == 25)
        #expect(harness.player.state == .paused)
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended && harness.last?.number == 199)
        #expect(harness.problems.isEmpty)
    }

    @Test("A playlist is opened by a file URL, through a link, and by a relative path")
    func locations() throws {
        let film = try LocalFilm()
        let link = Clips.folder.appendingPathComponent("linked-\(UUID()).m3u8").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: film.path)
        let parent = film.folder + "/../" + (film.folder as NSString).lastPathComponent + "/film.m3u8"
        for location in [FileAddress.address(of: Array(film.path.utf8)), link, parent] {
            #expect(PlaybackHarness(location).nextFrame()?.number == 0, "\(location)")
        }
    }

    @Test("Segments may be in folders below, and behind links that stay in the playlist's folder")
    func below() throws {
        let film = try LocalFilm()
        try FileManager.default.createDirectory(atPath: film.folder + "/a/b", withIntermediateDirectories: true)
        for part in 0..<4 { try film.move("part \(part).ts", to: "a/b/part \(part).ts") }
        try film.link("c", to: "a")
        expectWhole(
            try film.playlist("below.m3u8", "a/b/part 0.ts", "a/b/part%201.ts", "c/b/part 2.ts", "./a//b/part 3.ts?x#y")
        )
    }

    @Test("A playlist that does not say that it is complete plays from its start to its end")
    func unfinished() throws {
        let film = try LocalFilm()
        try film.replace("#EXT-X-ENDLIST\n", with: "")
        expectWhole(film.path)
    }

    @Test("The variants of a master playlist are listed, and can be changed without a gap")
    func variants() throws {
        try StreamVariants.makeHLS()
        var options = PlayerOptions()
        options.screenLines = 100
        let harness = PlaybackHarness(Clips.folder.path + "/variants.m3u8", options: options, audio: .silent)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(harness.run { harness.shown.count >= 10 })
        #expect(harness.last?.codedSize.height == 90)
        #expect(harness.player.selectQuality(.variant(0), now: harness.now))
        #expect(harness.run(toHeight: 180))
        #expect(harness.isContinuous())
        #expect(harness.player.generation == 0)
        #expect(harness.problems.isEmpty)
    }

    @Test("Details and thumbnails of a playlist are read like those of any file")
    func stills() throws {
        let film = try LocalFilm()
        let file = try #require(FileHandle(forReadingAtPath: film.path))
        // The library opens files by their descriptors.
        for (location, name) in [(film.path, nil), ("/proc/self/fd/\(file.fileDescriptor)", "film.m3u8")] {
            let info = try MediaInfo(opening: location, fileName: name)
            #expect(info.container == "hls" && info.codedSize == PixelSize(width: 160, height: 90))
            var source = try ThumbnailSource(location: location, fileName: name, isInterrupted: { false })
            #expect(source.picture(at: 0.5, fitting: PixelSize(width: 80, height: 80))?.size.width == 80)
        }
    }

    // MARK: - Missing and blocked segments

    private func report(_ path: String) -> (state: Player.State, numbers: [Int], problems: [String]) {
        let harness = PlaybackHarness(path)
        harness.runToEnd()
        return (harness.player.state, harness.numbers, harness.problems.map(\.description))
    }

    @Test("A segment that is missing, or leads out of the folder, is skipped and reported")
    func missingSegments() throws {
        let film = try LocalFilm()
        try film.write("../secret.ts", try Clips.bytes(film.folder + "/part 0.ts"))
        try film.link("linked.ts", to: "../secret.ts")
        #expect(mkfifo(film.folder + "/pipe.ts", 0o600) == 0)
        for (name, reason) in [
            ("missing.ts", "missing.ts: no such file or directory"),
            ("linked.ts", "blocked: it refers to a file outside its folder (linked.ts)"),
            ("pipe.ts", "pipe.ts: not a regular file"),
        ] {
            let (state, numbers, problems) = report(
                try film.playlist("skipping.m3u8", "part 0.ts", name, "part 2.ts", "part 3.ts"))
            #expect(state == .ended, "\(name)")
            #expect(numbers == Array(0..<50) + Array(100..<200), "\(name)")
            #expect(problems == ["damaged data (\(reason)); playing what can be decoded"], "\(name)")
        }
    }

    @Test("Without its last segment, a playlist ends early, which is reported")
    func missingEnd() throws {
        let film = try LocalFilm()
        try film.remove("part 3.ts")
        let (state, numbers, problems) = report(film.path)
        #expect(state == .ended)
        #expect(numbers == Array(0..<150))
        #expect(problems.contains { $0.contains("part 3.ts: no such file or directory") })
        #expect(problems.contains { $0.hasPrefix("ends after 6.0 s instead of 8.0 s") })
    }

    @Test("A seek into a missing segment shows the frame before it, and playback continues after it")
    func seekingPast() throws {
        let film = try LocalFilm()
        try film.remove("part 2.ts")
        let harness = PlaybackHarness(film.path)
        harness.nextFrame()
        #expect(harness.seek(to: .milliseconds(4500))?.number == 99)
        #expect(harness.nextFrame()?.number == 150)
        #expect(harness.seek(to: .milliseconds(1001))?.number == 25)
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
    }

    // MARK: - Refusals

    @Test("A playlist after metadata, which FFmpeg would skip, is refused")
    func metadata() throws {
        let film = try LocalFilm()
        let playlist = try Data(contentsOf: URL(fileURLWithPath: film.path))
        try film.write("tagged.m3u8", Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, 16]) + Data(count: 16) + playlist)
        let path = film.path.replacingOccurrences(of: "film.m3u8", with: "tagged.m3u8")
        let reason = "the playlist does not begin with #EXTM3U"
        #expect(throws: PlaybackError.cannotOpen(reason: reason)) { try MediaInfo(opening: path) }
    }

    private func refusal(_ path: String) -> String? {
        let harness = PlaybackHarness(path)
        harness.open()
        if case .failed(let error) = harness.player.state { return error.description }
        return nil
    }

    @Test("A playlist that refers to an address, an absolute path or a parent folder is refused before it plays")
    func references() throws {
        let film = try LocalFilm()
        let listener = try Listener()
        let outside = "blocked: it refers to a file outside its folder"
        let address = "blocked: a playlist in a file cannot refer to an address"
        let host = "http://127.0.0.1:\(listener.port)/film.ts"
        for (reference, reason) in [
            ("../secret.ts", outside), ("a/../part 0.ts", outside), ("%2e%2e/secret.ts", outside),
            ("..%2fsecret.ts", outside), ("\(film.folder)/part 0.ts", outside), ("//127.0.0.1/x.ts", outside),
            (host, address), ("file:///etc/passwd", address), ("file:part 0.ts", address),
            ("glissade-dash://main", address), ("concat:part 0.ts", address),
        ] {
            // A long path is cut off, so that the message stays one line.
            let shown = reference.prefix(80) + (reference.count > 80 ? "…" : "")
            #expect(refusal(try film.playlist("refused.m3u8", "part 0.ts", reference)) == "\(reason) (\(shown))")
            #expect(throws: PlaybackError.self) { try MediaInfo(opening: film.folder + "/refused.m3u8") }
        }
        for tag in ["#EXT-X-KEY:METHOD=AES-128,", "#EXT-X-MAP:"] {
            for attribute in ["URI=\"\(host)\"", "URI=\(host)", "X=\"URI=\",URI=\"\(host)\""] {
                let path = try film.playlist("tagged.m3u8", "part 0.ts", head: "\(tag)\(attribute)\n")
                #expect(refusal(path) == "\(address) (\(host))")
            }
        }
        for reference in [host, "/x.m3u8", "../x.m3u8"] {
            let master = StreamVariants.master([("film.m3u8", 160, 90, 1), (reference, 160, 90, 2)])
            try film.write("master.m3u8", Data(master.utf8))
            #expect(refusal(film.folder + "/master.m3u8")?.hasPrefix("blocked: ") == true)
        }
        #expect(!listener.wasCalled)
    }

    @Test("If no segment can be read, the reason is reported")
    func nothing() throws {
        let film = try LocalFilm()
        try film.link("linked.ts", to: "/etc/passwd")
        #expect(mkfifo(film.folder + "/pipe.ts", 0o600) == 0)
        for (name, reason) in [
            ("missing.ts", "missing.ts: no such file or directory"), ("pipe.ts", "pipe.ts: not a regular file"),
            ("linked.ts", "blocked: it refers to a file outside its folder (linked.ts)"),
        ] { #expect(refusal(try film.playlist("nothing.m3u8", name)) == reason) }
        // A playlist may not be behind a link to another folder either.
        try film.link("outer.m3u8", to: try LocalFilm().path)
        try film.write("master.m3u8", Data(StreamVariants.master([("outer.m3u8", 160, 90, 1)]).utf8))
        #expect(
            refusal(film.folder + "/master.m3u8") == "blocked: it refers to a file outside its folder (outer.m3u8)")
    }

    @Test("A playlist that names itself, or is a segment of another one, is harmless")
    func circles() throws {
        let film = try LocalFilm()
        let circle = (0..<20).map { ("master.m3u8", 160, 90, $0 + 1) }
        try film.write("master.m3u8", Data(StreamVariants.master(circle).utf8))
        #expect(refusal(film.folder + "/master.m3u8") == "its playlist names more than 200 streams")
        #expect(refusal(try film.playlist("self.m3u8", "self.m3u8")) != nil)
        try film.write("one.m3u8", Data(StreamVariants.master([("one.m3u8", 160, 90, 1)]).utf8))
        #expect(refusal(film.folder + "/one.m3u8") == "its playlist names more than 200 streams")
        #expect(
            refusal(try film.playlist("inner.m3u8", "part 0.ts", "film.m3u8", "part 1.ts"))
                == "not a media file, or too damaged to read")
    }

    @Test("Playlists within playlists are read, and end somewhere")
    func nested() throws {
        let film = try LocalFilm()
        try film.write("inner.m3u8", Data(StreamVariants.master([("film.m3u8", 160, 90, 1)]).utf8))
        try film.write("outer.m3u8", Data(StreamVariants.master([("inner.m3u8", 160, 90, 1)]).utf8))
        expectWhole(film.folder + "/outer.m3u8")
    }

    @Test("A playlist of 100,000 segments plays and can be sought, and one with very long lines is refused or plays")
    func large() throws {
        let film = try LocalFilm()
        let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n"
        let many = String(repeating: "#EXTINF:2,\npart 0.ts\n", count: 100_000)
        try film.write("many.m3u8", Data((head + many + "#EXT-X-ENDLIST\n").utf8))
        let harness = PlaybackHarness(film.folder + "/many.m3u8")
        #expect(harness.open()?.duration == .seconds(200_000))
        #expect(harness.nextFrame()?.number == 0)
        let missing = String(repeating: "#EXTINF:2,\nx.ts\n", count: 100_000)
        try film.write("none.m3u8", Data((head + missing + "#EXT-X-ENDLIST\n").utf8))
        #expect(refusal(film.folder + "/none.m3u8") == "x.ts: no such file or directory")
        let line = "#" + String(repeating: "x", count: 10 << 20) + "\n"
        try film.write("line.m3u8", Data((head + line + "#EXTINF:2,\npart 0.ts\n#EXT-X-ENDLIST\n").utf8))
        #expect(PlaybackHarness(film.folder + "/line.m3u8").nextFrame()?.number == 0)
        try film.write("long.m3u8", Data((head + line + line).utf8))
        #expect(refusal(film.folder + "/long.m3u8") == "its playlist is too long")
    }

    @Test("A list of films that is no HLS playlist is refused, as are other files that refer to files")
    func otherLists() throws {
        let film = try LocalFilm()
        for (name, text) in [
            ("films.m3u8", "#EXTM3U\npart 0.ts\n"), ("films.m3u", "part 0.ts\n"),
            ("films.ffconcat", "ffconcat version 1.0\nfile 'part 0.ts'\n"),
        ] {
            try film.write(name, Data(text.utf8))
            #expect(refusal(film.folder + "/" + name) != nil, "\(name)")
        }
    }
}
