import Foundation
import Testing
import TestSupport
import Time

@testable import Media
@testable import Playback

/// Servers for films, and how a film from them is seen.
@MainActor enum Web {
    /// Quick to give up: what takes long in these tests has failed.
    static func rules(_ change: (inout NetworkRules) -> Void = { _ in }) -> NetworkRules {
        var rules = NetworkRules()
        rules.stallPatience = .milliseconds(800)
        rules.reconnectPatience = .seconds(3)
        rules.openingPatience = .seconds(3)
        rules.pauses = [.zero, .milliseconds(50), .milliseconds(200)]
        change(&rules)
        return rules
    }

    static func viewing(_ address: String, _ rules: NetworkRules = rules()) -> Viewing {
        var options = PlayerOptions()
        options.network = rules
        return Viewing(address, options: options)
    }

    static func server() throws -> HostileServer { try HostileServer(Clips.folder) }

    /// Why what is at `address` is not opened; nil where it is.
    static func refusal(_ address: String, _ rules: NetworkRules = rules()) -> String? {
        let viewing = viewing(address, rules)
        viewing.open()
        if case .failed(let error) = viewing.player.state { return error.description }
        return nil
    }

    /// Plays until it ends or fails, and says how many frames came; a busy machine may leave some out.
    static func fate(_ address: String, _ rules: NetworkRules = rules()) -> (state: Player.State, frames: Int) {
        let viewing = viewing(address, rules)
        viewing.runToEnd()
        return (viewing.player.state, viewing.player.counts.due)
    }
}

@MainActor @Suite("Films from web servers that behave, stall, drop and lie", .serialized)
struct WebPlayingTests {
    @Test("A film plays to its end, and is sought", arguments: ["mkv", "mp4"])
    func playing(kind: String) throws {
        _ = try Clips.film(kind)
        let server = try Web.server()
        let viewing = Web.viewing(server.address("/film.\(kind)"))
        #expect(viewing.open()?.isSeekable == true)
        viewing.nextFrame()
        #expect(viewing.seek(to: .milliseconds(2001))?.number == 50)
        #expect(viewing.seek(to: .zero)?.number == 0)
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended)
        #expect(viewing.numbers.last == 99)
        #expect(viewing.problems.isEmpty)
    }

    @Test("A server without ranges gives the whole film, which cannot be sought")
    func withoutRanges() throws {
        _ = try Clips.film("mkv")
        let server = try Web.server()
        let viewing = Web.viewing(server.address("/no-ranges/film.mkv"))
        #expect(viewing.open()?.isSeekable == false)
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended)
        #expect(viewing.player.counts.due == 100)
    }

    @Test(
        "What is lost on the way is taken up where it was, and the whole film is seen",
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
        "A connection that is lost for good is no end: what was read is seen, and then why there is no more",
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

    @Test("A connection that is closed before the film's declared end, by a server that tells no length, is no end")
    func unsized() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        #expect(Web.fate(server.address("/unsized/grainy.mkv")).state == .ended)
        let (state, frames) = Web.fate(server.address("/unsized-drop=60000/grainy.mkv"))
        #expect(state == .failed(.connectionLost(reason: "the server closed the connection")))
        #expect(frames > 0)
    }

    @Test("A server that promises more than there is, and says so when asked, has given the whole film")
    func short() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/short/grainy.mkv"))
        #expect(state == .ended)
        #expect(frames == 100)
    }

    @Test("Of a server that sends more than it promises, what it promises is played, and the film is called incomplete")
    func long() throws {
        let size = try Clips.bytes(Clips.grainyFilm("mkv")).count
        let server = try Web.server()
        let viewing = Web.viewing(server.address("/long=\(size / 2)/grainy.mkv"))
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended)
        #expect((1..<100).contains(viewing.player.counts.due))
        #expect(viewing.problems.contains { if case .endsEarly = $0 { true } else { false } })
    }

    @Test("After a loss, playing again continues where it was, when the server is back")
    func playingAgain() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let viewing = Web.viewing(
            server.address("/dead-for=60000:2/grainy.mkv"), Web.rules { $0.reconnectPatience = .zero })
        viewing.runToEnd()
        guard case .failed(.connectionLost) = viewing.player.state else {
            Issue.record("\(viewing.player.state)")
            return
        }
        let last = try #require(viewing.last)
        viewing.forget()
        // The second attempt may be lost as well: the server is back after two connections.
        for _ in 0..<3 where viewing.player.state != .ended {
            viewing.player.play(now: viewing.now)
            viewing.runToEnd()
        }
        #expect(viewing.player.state == .ended)
        #expect(try #require(viewing.shown.first).number >= last.number - 1)
        #expect(viewing.last?.number == 99)
    }

    @Test("Where playing again cannot continue after a loss, it is called a loss again, and not the end")
    func playingInVain() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let viewing = Web.viewing(
            server.address("/plain-drop=60000/grainy.mkv"), Web.rules { $0.reconnectPatience = .zero })
        viewing.runToEnd()
        let lost = Player.State.failed(.connectionLost(reason: "the server closed the connection"))
        #expect(viewing.player.state == lost)
        viewing.player.play(now: viewing.now)
        #expect(viewing.player.state == .buffering)
        viewing.runToEnd()
        #expect(viewing.player.state == lost)
    }

    @Test("A stream without HTTP that stood still continues when it is played again")
    func pouring() throws {
        let path = try Clips.file("poured.y4m", ffmpeg: FrameCode.source(seconds: 4))
        let bytes = try Clips.bytes(path)
        let head = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        // Frames have equal lengths: between two of them, it stands still.
        let server = try HostileServer(
            Clips.folder, pours: ("poured.y4m", head + (bytes.count - head) / 100 * 60))
        let viewing = Web.viewing(
            "tcp://127.0.0.1:\(try #require(server.pouringPort))", Web.rules { $0.streamPatience = .seconds(5) })
        viewing.runToEnd()
        guard case .failed(.connectionLost) = viewing.player.state else {
            Issue.record("\(viewing.player.state)")
            return
        }
        #expect(viewing.last?.number == 59)
        try server.pour()
        viewing.player.play(now: viewing.now)
        viewing.runToEnd()
        #expect(viewing.player.state == .ended)
        #expect(viewing.last?.number == 99)
    }

    @Test("A range of a playlist's part that is beyond its file is no empty part")
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

    @Test("What cannot be read within a playlist's part is stepped over, and does not end the film")
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

    @Test("A playlist that names hundreds of streams is refused, and one that is too long")
    func largePlaylists() throws {
        let streams = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:\na\n", count: 100_000)
        _ = try Clips.file("streams.m3u8", data: Data(streams.utf8))
        let document =
            String(repeating: " ", count: 300)
            + "<MPD profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\" type=\"static\"><!--"
            + String(repeating: "x", count: 5 << 20) + "--></MPD>"
        _ = try Clips.file("long.mpd", data: Data(document.utf8))
        let server = try Web.server()
        #expect(Web.refusal(server.address("/streams.m3u8")) == "its playlist names more than 200 streams")
        #expect(Web.refusal(server.address("/long.mpd")) == "its playlist is too long")
    }

    @Test("While a lost server is called again, the player says so")
    func reconnecting() throws {
        _ = try Clips.grainyFilm("mkv")
        let server = try Web.server()
        let viewing = Web.viewing(server.address("/dead=60000/grainy.mkv"))
        #expect(viewing.run { viewing.player.state == .reconnecting })
        viewing.runToEnd()
        guard case .failed(.connectionLost) = viewing.player.state else {
            Issue.record("\(viewing.player.state)"); return
        }
    }

    @Test("A player that goes away while a server stands still does not wait for it")
    func interrupting() throws {
        let film = try Clips.grainyFilm("mp4", ["-movflags", "+faststart"])
        let name = (film as NSString).lastPathComponent
        let server = try Web.server()
        let rules = Web.rules {
            $0.answerPatience = .seconds(3600)
            $0.stallPatience = .seconds(3600)
        }
        for path in ["/silent/\(name)", "/stall=60000/\(name)"] {
            let viewing = Web.viewing(server.address(path), rules)
            if path.hasPrefix("/silent") {
                #expect(try server.log(atLeast: 1).count == 1)
            } else {
                #expect(viewing.nextFrame() != nil)
            }
            #expect(viewing.player.info == nil || path.hasPrefix("/stall"))
        }
    }

    @Test(
        "What cannot be opened says why",
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
        #expect(Web.refusal(server.address(path), Web.rules { $0.answerPatience = .seconds(1) }) == reason)
    }

    @Test(
        "Addresses of kinds that cannot be kept to their host are refused",
        arguments: [
            "rtmpt://127.0.0.1/x", "rtsps://127.0.0.1/x", "ftp://127.0.0.1/x", "concat://a",
            "crypto+http://127.0.0.1/x",
        ])
    func kinds(address: String) { #expect(Web.refusal(address)?.hasSuffix("addresses are not supported") == true) }
}
