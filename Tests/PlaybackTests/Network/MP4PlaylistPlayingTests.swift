import Foundation
import GlissadeCFFmpeg
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A film of 40 seconds in MP4 segments of a second, with two variants.
@MainActor @Suite("HLS playlists of MP4 segments", .serialized)
struct MP4PlaylistPlayingTests {
    private func harness(
        _ name: String, lines: Int? = nil, audio: PlayerOptions.Audio = .none, rewrites: Bool? = nil
    ) throws -> (PlaybackHarness, HostileServer) {
        let server = try Web.server()
        var options = PlayerOptions()
        options.network = Web.rules()
        if let rewrites { options.network.rewritesSegments = rewrites }
        options.screenLines = lines
        return (PlaybackHarness(server.address("/" + name), options: options, audio: audio), server)
    }

    /// Makes a copy of the playlist `name` in which `texts` are replaced, and returns the name of the copy.
    private func copy(_ name: String, _ texts: [String: String], as copy: String) throws -> String {
        var text = try String(contentsOfFile: Clips.folder.path + "/" + name, encoding: .utf8)
        for (old, new) in texts { text = text.replacingOccurrences(of: old, with: new) }
        _ = try Clips.file(copy, data: Data(text.utf8))
        return copy
    }

    @Test(
        "A playlist of MP4 segments can be sought to the exact frame, there and back, and plays to its end",
        arguments: StreamVariants.MP4Kind.allCases)
    func playing(kind: StreamVariants.MP4Kind) throws {
        try StreamVariants.makeMP4(kind)
        let (harness, server) = try harness(kind.name)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.container == "hls")
        #expect(info.isSeekable)
        #expect(abs((info.duration ?? .zero).inSeconds - 40) < 0.1)
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(info.variants.map(\.frameRate) == [25, 25])
        #expect(info.variants.map(\.bitRate) == [900_000, 200_000])
        #expect(info.variants.allSatisfy { $0.audioTracks.count == (kind == .separate ? 2 : 1) })
        #expect(harness.nextFrame()?.number == 0)
        // The stream begins with audio, 21 ms before the first frame.
        #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
        #expect(harness.seek(to: .zero)?.number == 0)
        harness.expectEnding()
        _ = consume server
    }

    @Test(
        "A change of variant continues with the next frame, and keeps audio playing",
        arguments: [StreamVariants.MP4Kind.ranges, .separate])
    func joining(kind: StreamVariants.MP4Kind) throws {
        try StreamVariants.makeMP4(kind)
        let (harness, server) = try harness(kind.name, lines: 100, audio: .silent)
        harness.open()
        #expect(harness.run { harness.shown.count >= 10 })
        #expect(harness.last?.codedSize.height == 90)
        #expect(harness.player.selectQuality(.variant(0), now: harness.now))
        #expect(harness.run(toHeight: 180))
        let count = harness.shown.count
        #expect(harness.run { harness.shown.count >= count + 25 })
        #expect(harness.isContinuous())
        #expect(harness.player.generation == 0 && harness.player.audioGeneration == 0)
        #expect(harness.problems.isEmpty)
        if kind == .separate { #expect(harness.player.audioTracks.map(\.language) == ["en", "de"]) }
        _ = consume server
    }

    @Test(
        "MP4 segments that are not rewritten play to their end, and can be sought where FFmpeg can",
        arguments: StreamVariants.MP4Kind.allCases)
    func direct(kind: StreamVariants.MP4Kind) throws {
        try StreamVariants.makeMP4(kind)
        let (harness, server) = try harness(kind.name, rewrites: false)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(abs((info.duration ?? .zero).inSeconds - 40) < 0.1)
        #expect(harness.nextFrame()?.number == 0)
        if !SegmentRewriting.isNeeded(by: avformat_version()) {
            #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
            #expect(harness.seek(to: .zero)?.number == 0)
        }
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 999 & 255)
        #expect(harness.problems.isEmpty)
        _ = consume server
    }

    @Test("The playlist of one variant plays by itself")
    func alone() throws {
        try StreamVariants.makeMP4(.ranges)
        let (harness, server) = try harness("mp4-ranges-1.m3u8")
        harness.open()
        #expect(harness.nextFrame()?.number == 0)
        #expect(harness.seek(to: .seconds(30)) != nil)
        #expect(harness.seek(to: .seconds(38)) != nil)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 999 & 255)
        #expect(harness.problems.isEmpty)
        // Each variant's initialization is requested once.
        #expect(try server.log().count { $0.contains("m3u8") } == 1)
    }

    /// Makes a live film of eight seconds in segments of two seconds, `eight-live.m3u8`.
    private func makeLive() throws {
        let film = try Clips.file("eight-live.mp4", ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.h264)
        let segments = Clips.folder.appendingPathComponent("eight-live-%d.m4s").path
        _ = try Clips.file(
            "eight-live.m3u8",
            ffmpeg: [
                "-i", film, "-c", "copy", "-hls_time", "2", "-hls_list_size", "0", "-hls_segment_type", "fmp4",
                "-hls_fmp4_init_filename", "eight-live-init.mp4", "-hls_segment_filename", segments,
            ])
    }

    @Test("A live playlist of MP4 segments plays until it says that it has ended")
    func live() throws {
        try makeLive()
        let (harness, server) = try harness("growing=2/eight-live.m3u8")
        #expect(harness.open()?.duration == nil)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 199)
        let log = try server.log()
        #expect(log.count { $0.hasSuffix("eight-live.m3u8") } == 3)
        #expect(log.count { $0.hasSuffix("init.mp4") } == 1)
    }

    @Test("A live playlist whose segments can no longer be rewritten ends with the reason")
    func changing() throws {
        try makeLive()
        let name = try copy(
            "eight-live.m3u8", ["eight-live-2": "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\neight-live-2"],
            as: "eight-locked.m3u8")
        let (harness, server) = try harness("growing=2/" + name)
        harness.open()
        harness.runToEnd()
        let reason = "the format of its segments has changed, which is not supported"
        #expect(harness.player.state == .failed(.connectionLost(reason: reason)))
        #expect((90...99).contains(harness.last?.number ?? 0))
        _ = consume server
    }

    @Test("Segments of a live playlist that begin another way, and cannot be rewritten, are skipped")
    func skipping() throws {
        try makeLive()
        let (first, other) = ("#EXT-X-MAP:URI=\"eight-live-init.mp4\"", "#EXT-X-MAP:URI=\"eight-live-0.m4s\"")
        let name = try copy(
            "eight-live.m3u8",
            ["eight-live-2.m4s": "\(other)\neight-live-2.m4s", "eight-live-3.m4s": "\(first)\neight-live-3.m4s"],
            as: "eight-other.m3u8")
        let (harness, server) = try harness("growing=2/" + name)
        harness.open()
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.numbers == Array(0..<100) + Array(150..<200))
        _ = consume server
    }

    @Test("If one variant cannot be rewritten, none is, so that all have the same times")
    func mixed() throws {
        try StreamVariants.makeMP4(.files)
        let variants = [("mp4-files-0.m3u8", 320, 180, 900_000), ("v1.m3u8", 160, 90, 200_000)]
        for (number, variants) in [variants, variants.reversed()].enumerated() {
            let name = "mixed-\(number).m3u8"
            _ = try Clips.file(name, data: Data(StreamVariants.master(variants).utf8))
            let (harness, server) = try harness(name, rewrites: true)
            let info = try #require(harness.open(), "\(harness.player.state)")
            #expect(info.variants.map(\.height) == [180, 90])
            #expect(info.startTime < .init(nanoseconds: 5_000_000_000))
            #expect(harness.run { harness.shown.count >= 50 })
            #expect(harness.problems.isEmpty)
            _ = consume server
        }
    }

    @Test("A variant whose initialization is missing is not listed, and the other one can be sought")
    func missing() throws {
        try StreamVariants.makeMP4(.files)
        for (index, number) in [0, 1].enumerated() {
            let broken = try copy(
                "mp4-files-\(number).m3u8", ["-init.mp4": "-no-such.mp4"], as: "mp4-broken-\(number).m3u8")
            let name = try copy(
                "mp4-files.m3u8", ["mp4-files-\(number).m3u8": broken], as: "mp4-files-broken-\(index).m3u8")
            let (harness, server) = try harness(name, rewrites: true)
            let info = try #require(harness.open(), "\(harness.player.state)")
            #expect(info.variants.isEmpty)
            #expect(info.codedSize?.height == StreamVariants.heights[1 - number])
            #expect(harness.nextFrame()?.number == 0)
            #expect(abs((info.duration ?? .zero).inSeconds - 40) < 0.1)
            #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
            #expect(harness.seek(to: .zero)?.number == 0)
            #expect(harness.seek(to: .seconds(38)) != nil)
            #expect(harness.runToEnd())
            #expect(harness.last?.number == 999 & 255)
            #expect(try server.log().count { $0.contains("no-such") } == 1)
        }
    }

    @Test(
        "An initialization that a busy server refuses once does not separate sound and picture",
        arguments: [("busy-once", [180, 90]), ("status=503", [])])
    func busy(mode: String, heights: [Int]) throws {
        try StreamVariants.makeMP4(.separate)
        let file = "mp4-separate-0-init.mp4"
        let variant = try copy("mp4-separate-0.m3u8", [file: "\(mode)/\(file)"], as: "mp4-\(mode).m3u8")
        let name = try copy("mp4-separate.m3u8", ["mp4-separate-0.m3u8": variant], as: "mp4-of-\(mode).m3u8")
        let (harness, server) = try harness(name, rewrites: true)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.variants.map(\.height) == heights)
        #expect(abs(info.startTime.nanoseconds - 10_000_000_000) < 100_000_000)
        #expect(harness.nextFrame()?.number == 0)
        #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
        #expect(harness.problems.isEmpty)
        #expect(try server.log().count { $0.hasSuffix(file) } == 2)
    }

    @Test("Long playlists are counted once, also if they are rewritten, and the film is opened again")
    func long() throws {
        try StreamVariants.makeMP4(.files)
        // FFmpeg keeps the address of each segment: 100 MiB for a playlist.
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"mp4-files-0-init.mp4\"\n"
        let text = head + String(repeating: "#EXTINF:1,\nmp4-files-0-000.m4s\n", count: 32_000) + "#EXT-X-ENDLIST\n"
        _ = try Clips.file("mp4-long.m3u8", data: Data(text.utf8))
        let broken = try copy("mp4-files-1.m3u8", ["-init.mp4": "-no-such.mp4"], as: "mp4-long-broken.m3u8")
        let addresses = ["a", "b"].map { "mp4-long.m3u8?" + String(repeating: $0, count: 3000) }
        let variants = (addresses + [broken]).enumerated().map { ($1, 320, 180, 900_000 - $0) }
        _ = try Clips.file("mp4-of-long.m3u8", data: Data(StreamVariants.master(variants).utf8))
        let (harness, server) = try harness("mp4-of-long.m3u8")
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.variants.count == 2)
        #expect(harness.nextFrame()?.number == 0)
        _ = consume server
    }

    @Test("A playlist with segments and variants, one of which is missing, plays with rewritten segments")
    func mixture() throws {
        try StreamVariants.makeMP4(.files)
        let broken = try copy("mp4-files-1.m3u8", ["-init.mp4": "-no-such.mp4"], as: "mp4-mixture-broken.m3u8")
        let variants = [("mp4-files-1.m3u8", 160, 90, 200_000), (broken, 160, 90, 100_000)]
        let master = StreamVariants.master(variants).replacingOccurrences(of: "#EXTM3U\n", with: "")
        let name = try copy("mp4-files-0.m3u8", ["#EXTM3U\n": "#EXTM3U\n" + master], as: "mp4-mixture.m3u8")
        let (harness, server) = try harness(name)
        _ = try #require(harness.open(), "\(harness.player.state)")
        #expect(harness.nextFrame()?.number == 0)
        #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
        #expect(harness.problems.isEmpty)
        _ = consume server
    }
}
