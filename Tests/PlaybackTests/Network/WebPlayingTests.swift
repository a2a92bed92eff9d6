import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Servers for films, and how a film from them is seen.
@MainActor enum Web {
    /// Quick to give up: what takes long in these tests has failed.
    static func rules(_ change: (inout NetworkRules) -> Void = { _ in }) -> NetworkRules {
        var rules = NetworkRules()
        rules.stallTimeout = .milliseconds(800)
        rules.reconnectTimeout = .seconds(3)
        rules.openingTimeout = .seconds(3)
        rules.pauses = [.zero, .milliseconds(50), .milliseconds(200)]
        change(&rules)
        return rules
    }

    static func harness(_ address: String, _ rules: NetworkRules = rules()) -> PlaybackHarness {
        var options = PlayerOptions()
        options.network = rules
        return PlaybackHarness(address, options: options)
    }

    static func server() throws -> HostileServer { try HostileServer(Clips.folder) }

    /// Why what is at `address` is not opened; nil where it is.
    static func refusal(_ address: String, _ rules: NetworkRules = rules()) -> String? {
        let harness = harness(address, rules)
        harness.open()
        if case .failed(let error) = harness.player.state { return error.description }
        return nil
    }

    /// Plays until it ends or fails, and says how many frames came; a busy machine may leave some out.
    static func fate(_ address: String, _ rules: NetworkRules = rules()) -> (state: Player.State, frames: Int) {
        let harness = harness(address, rules)
        harness.runToEnd()
        return (harness.player.state, harness.player.counts.due)
    }
}

@MainActor @Suite("Video from web servers", .serialized)
struct WebPlayingTests {
    @Test("A video from a web server plays to its end and can be sought", arguments: ["mkv", "mp4"])
    func playing(kind: String) throws {
        _ = try Clips.film(kind)
        let server = try Web.server()
        let harness = Web.harness(server.address("/film.\(kind)"))
        #expect(harness.open()?.isSeekable == true)
        harness.nextFrame()
        #expect(harness.seek(to: .milliseconds(2001))?.number == 50)
        #expect(harness.seek(to: .zero)?.number == 0)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.numbers.last == 99)
        #expect(harness.problems.isEmpty)
    }

    @Test("A server without range requests delivers the whole video, which cannot be sought")
    func withoutRanges() throws {
        _ = try Clips.film("mkv")
        let server = try Web.server()
        let harness = Web.harness(server.address("/no-ranges/film.mkv"))
        #expect(harness.open()?.isSeekable == false)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.player.counts.due == 100)
    }

    @Test(
        "A lost connection is resumed at the same byte, and the whole video is shown",
        arguments: ["drop=300000", "drop-once=40000", "stall-once=40000", "dead-for=40000:2", "stall-once=1"])
    func resuming(mode: String) throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/\(mode)/grainy.mkv"))
        #expect(state == .ended)
        #expect(frames == 100)
        #expect(try server.log().count > 1)
    }

    @Test(
        "A connection lost for good is not the end: the buffered part is shown, and then the reason",
        arguments: [
            ("dead=60000", "the server closed the connection"), ("stall=60000", "the server stopped sending data"),
            ("short-dead", "the server closed the connection"),
            ("changing=60000", "the file on the server has changed"),
        ])
    func losing(mode: String, reason: String) throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/\(mode)/grainy.mkv"))
        #expect(state == .failed(.connectionLost(reason: reason)))
        #expect(frames > 0)
    }

    @Test("A connection closed before the video's declared end is a loss, even without a content length")
    func unsized() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        #expect(Web.fate(server.address("/unsized/grainy.mkv")).state == .ended)
        let (state, frames) = Web.fate(server.address("/unsized-drop=60000/grainy.mkv"))
        #expect(state == .failed(.connectionLost(reason: "the server closed the connection")))
        #expect(frames > 0)
    }

    @Test("If a server promised too much and corrects itself when asked, the video is complete")
    func short() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/short/grainy.mkv"))
        #expect(state == .ended)
        #expect(frames == 100)
    }

    @Test("If a server sends more than it promised, the promised part is played and called incomplete")
    func long() throws {
        let size = try Clips.bytes(Clips.grainyFilm("mkv")).count
        let server = try Web.server()
        let harness = Web.harness(server.address("/long=\(size / 2)/grainy.mkv"))
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect((1..<100).contains(harness.player.counts.due))
        #expect(harness.problems.contains { if case .endsEarly = $0 { true } else { false } })
    }

    @Test("After a loss, playing again continues at the same position once the server is back")
    func playingAgain() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let harness = Web.harness(
            server.address("/dead-for=60000:2/grainy.mkv"), Web.rules { $0.reconnectTimeout = .zero })
        harness.runToEnd()
        guard case .failed(.connectionLost) = harness.player.state else {
            Issue.record("\(harness.player.state)")
            return
        }
        let last = try #require(harness.last)
        harness.forget()
        // The second attempt may be lost as well: the server is back after two connections.
        for _ in 0..<3 where harness.player.state != .ended {
            harness.player.play(now: harness.now)
            harness.runToEnd()
        }
        #expect(harness.player.state == .ended)
        #expect(try #require(harness.shown.first).number >= last.number - 1)
        #expect(harness.last?.number == 99)
    }

    @Test("If playing again fails after a loss, it is reported as a loss again and not as the end")
    func playingInVain() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let harness = Web.harness(
            server.address("/plain-drop=60000/grainy.mkv"), Web.rules { $0.reconnectTimeout = .zero })
        harness.runToEnd()
        let lost = Player.State.failed(.connectionLost(reason: "the server closed the connection"))
        #expect(harness.player.state == lost)
        harness.player.play(now: harness.now)
        #expect(harness.player.state == .buffering)
        harness.runToEnd()
        #expect(harness.player.state == lost)
    }

    @Test("A stream without HTTP that stalled continues when it is played again")
    func pouring() throws {
        let path = try Clips.file("poured.y4m", ffmpeg: NumberedFrames.source(seconds: 4))
        let bytes = try Clips.bytes(path)
        let head = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        // Frames have equal lengths: between two of them, it stands still.
        let server = try HostileServer(
            Clips.folder, pours: ("poured.y4m", head + (bytes.count - head) / 100 * 60))
        let harness = Web.harness(
            "tcp://127.0.0.1:\(try #require(server.pouringPort))", Web.rules { $0.streamTimeout = .seconds(5) })
        harness.runToEnd()
        guard case .failed(.connectionLost) = harness.player.state else {
            Issue.record("\(harness.player.state)")
            return
        }
        #expect(harness.last?.number == 59)
        try server.pour()
        harness.player.play(now: harness.now)
        harness.runToEnd()
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 99)
    }

    @Test("A byte range beyond the end of its file is not an empty segment")
    func farRanges() throws {
        _ = try Clips.film("ts")
        let list =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n"
            + "#EXTINF:4.0,\nfilm.ts\n#EXTINF:4.0,\n#EXT-X-BYTERANGE:1000@99999999\nfilm.ts\n#EXT-X-ENDLIST\n"
        _ = try Clips.file("far-range.m3u8", data: Data(list.utf8))
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/far-range.m3u8"))
        #expect(state == .failed(.connectionLost(reason: "HTTP error 416 Range Not Satisfiable")))
        #expect(frames > 50)
    }

    @Test("A damaged part of a segment is skipped and does not end the video")
    func damagedParts() throws {
        let film = try Clips.bytes(Clips.film("ts"))
        // More than FFmpeg looks for a packet's beginning at once.
        _ = try Clips.file("gap.ts", data: film + Data(count: 200_000) + film)
        // What comes before it is longer than what FFmpeg looks at while it opens the film.
        let parts = ["film.ts", "film.ts", "film.ts", "gap.ts"].map { "#EXTINF:4.0,\n\($0)\n" }.joined()
        let list =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n\(parts)#EXT-X-ENDLIST\n"
        _ = try Clips.file("gap.m3u8", data: Data(list.utf8))
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/gap.m3u8"))
        #expect(state == .ended)
        #expect(frames > 450)
    }

    @Test("A playlist that names hundreds of streams, or is too long, is refused")
    func largePlaylists() throws {
        let streams = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:\na\n", count: 100_000)
        _ = try Clips.file("streams.m3u8", data: Data(streams.utf8))
        let server = try Web.server()
        #expect(Web.refusal(server.address("/streams.m3u8")) == "its playlist names more than 200 streams")
        let line = "#" + String(repeating: "x", count: 62) + "\n"
        let long = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + String(repeating: line, count: 300_000)
        _ = try Clips.file("long.m3u8", data: Data(long.utf8))
        #expect(Web.refusal(server.address("/long.m3u8")) == "its playlist is too long")
    }

    @Test("A playlist that names itself is refused, and is not read without end")
    func circle() throws {
        _ = try Clips.file("circle.m3u8", data: Data(StreamVariants.master([("circle.m3u8", 160, 90, 1)]).utf8))
        let server = try Web.server()
        #expect(Web.refusal(server.address("/circle.m3u8")) == "its playlist names more than 200 streams")
        #expect(try server.log().count < 250)
    }

    @Test("The player reports that it is reconnecting")
    func reconnecting() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let harness = Web.harness(server.address("/dead=60000/grainy.mkv"))
        #expect(harness.run { harness.player.state == .reconnecting })
        harness.runToEnd()
        guard case .failed(.connectionLost) = harness.player.state else {
            Issue.record("\(harness.player.state)"); return
        }
    }

    @Test("Releasing the player does not wait for a stalled server")
    func interrupting() throws {
        let film = try Clips.grainyFilm("mp4", ["-movflags", "+faststart"])
        let name = (film as NSString).lastPathComponent
        let server = try Web.server()
        let rules = Web.rules {
            $0.answerTimeout = .seconds(3600)
            $0.stallTimeout = .seconds(3600)
        }
        for path in ["/silent/\(name)", "/stall=60000/\(name)"] {
            let harness = Web.harness(server.address(path), rules)
            if path.hasPrefix("/silent") {
                #expect(try server.log(atLeast: 1).count == 1)
            } else {
                #expect(harness.nextFrame() != nil)
            }
            #expect(harness.player.info == nil || path.hasPrefix("/stall"))
        }
    }

    @Test(
        "A URL that cannot be opened says why",
        arguments: [
            ("/status=404/film.mkv", "HTTP error 404 Made Up"), ("/loop/film.mkv", "too many redirects"),
            ("/garbage/film.mkv", "the server's response is not HTTP"),
            ("/endless-head/film.mkv", "the server's response is not HTTP"),
            ("/to=file%3A%2F%2F%2Fetc%2Fpasswd", "the server redirects to an address that cannot be opened"),
            ("/silent/film.mkv", "127.0.0.1 does not respond"),
            ("/stall=100/film.mkv", "the server stopped sending data"),
        ])
    func refusals(path: String, reason: String) throws {
        _ = try Clips.film("mkv")
        let server = try Web.server()
        #expect(Web.refusal(server.address(path), Web.rules { $0.answerTimeout = .seconds(1) }) == reason)
    }

    @Test(
        "URL schemes that cannot be restricted to their host are refused",
        arguments: [
            "rtmpt://127.0.0.1/x", "rtsps://127.0.0.1/x", "concat://a",
            "crypto+http://127.0.0.1/x",
        ])
    func kinds(address: String) { #expect(Web.refusal(address)?.hasSuffix("addresses are not supported") == true) }

    @Test(
        "A URL of a network share is refused with what to do instead",
        arguments: ["smb", "nfs", "sftp", "ftp", "dav"])
    func shares(scheme: String) {
        #expect(
            Web.refusal("\(scheme)://host/share/film.mkv")
                == "\(scheme):// addresses are not supported; open the share in the file manager, and play the file "
                + "from where it is mounted")
    }
}
