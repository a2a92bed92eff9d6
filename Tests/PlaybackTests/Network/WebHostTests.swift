import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

/// 127.0.0.2 stands for a host on the Internet here; 127.0.0.1 is what it is.
@MainActor @Suite("Redirects and trust", .serialized)
struct WebHostTests {
    private let home: HostileServer
    private let internet: HostileServer
    private let rules: NetworkRules

    init() throws {
        _ = try Clips.film("ts")
        _ = try Clips.film("mkv")
        home = try HostileServer(Clips.folder)
        internet = try HostileServer(Clips.folder, host: "127.0.0.2")
        rules = Web.rules { $0.globalAddresses = Set([IPAddress("127.0.0.2")].compactMap(\.self)) }
    }

    private func playlist(_ name: String, _ parts: String...) throws -> String {
        let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n"
        let text = head + parts.map { "#EXTINF:4.0,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = try Clips.file(name, data: Data(text.utf8))
        return "/" + name
    }

    @Test("A redirect from a global host to this machine is refused before it is requested")
    func redirection() throws {
        for target in [home.address("/film.mkv"), home.address("/film.mkv", host: "localhost")] {
            let refusal = try #require(Web.refusal(internet.redirection(to: target), rules))
            #expect(refusal.hasPrefix("blocked: it leads from the Internet to"), "\(refusal)")
        }
        let through = internet.redirection(to: internet.redirection(to: home.address("/film.mkv")))
        #expect(Web.refusal(through, rules)?.hasPrefix("blocked") == true)
        #expect(try home.log().isEmpty)
    }

    @Test("A connection opened for the user's own URL is not reused for a redirect from a global host")
    func reuse() throws {
        let back = home.address("/film.mkv")
        let refusal = Web.refusal(home.redirection(to: internet.redirection(to: back)), rules)
        #expect(refusal?.hasPrefix("blocked") == true)
        #expect(try home.log().allSatisfy { !$0.hasSuffix("film.mkv") })
    }

    @Test("The user may open any host, local hosts may redirect anywhere, and global ones only to global ones")
    func allowed() throws {
        for address in [
            home.address("/film.mkv"), home.redirection(to: home.address("/film.mkv")),
            home.redirection(to: internet.address("/film.mkv")),
            internet.redirection(to: internet.address("/film.mkv")),
        ] {
            #expect(Web.refusal(address, rules) == nil, "\(address)")
        }
    }

    @Test("A playlist plays from local and from global hosts")
    func playlists() throws {
        let path = try playlist("near.m3u8", "film.ts", "film.ts")
        for server in [home, internet] {
            let (state, frames) = Web.fate(server.address(path), rules)
            #expect(state == .ended)
            #expect(frames > 150)
        }
    }

    @Test("A global playlist cannot lead to a local host, neither at once nor later")
    func farPlaylists() throws {
        let first = try playlist("inward-\(home.port).m3u8", home.address("/film.ts"))
        #expect(Web.refusal(internet.address(first), rules)?.hasPrefix("blocked") == true)
        let later = try playlist("later-\(home.port).m3u8", "film.ts", home.address("/film.ts"))
        guard case .failed(let error) = Web.fate(internet.address(later), rules).state else {
            Issue.record("it was played")
            return
        }
        #expect(error.description.contains("blocked"))
        #expect(try home.log().isEmpty)
    }

    @Test("A global DASH manifest cannot lead to a local host", arguments: [StreamVariants.DASHKind.timeline, .index])
    func farManifests(kind: StreamVariants.DASHKind) throws {
        try StreamVariants.makeDASH(kind)
        let text = try String(contentsOfFile: Clips.folder.path + "/" + kind.name, encoding: .utf8)
        let inward = text.replacingOccurrences(
            of: "<Period", with: "<BaseURL>\(home.address("/"))</BaseURL><Period")
        let name = "inward-\(home.port)-\(kind.name)"
        _ = try Clips.file(name, data: Data(inward.utf8))
        #expect(Web.refusal(internet.address("/" + name), rules)?.hasPrefix("blocked") == true)
        #expect(try home.log().isEmpty)
        #expect(Web.refusal(home.address("/" + name), rules) == nil)
    }

    @Test("A local playlist may name global segments, but no global playlist leads back to local hosts")
    func mixedPlaylists() throws {
        let outward = try playlist(
            "outward-\(internet.port).m3u8", internet.address("/film.ts"), home.address("/film.ts"))
        #expect(Web.fate(home.address(outward), rules).state == .ended)
        let inward = try playlist("inner-\(home.port).m3u8", home.address("/no-ranges/film.ts"))
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n\(internet.address(inward))\n"
        _ = try Clips.file("master-\(home.port).m3u8", data: Data(master.utf8))
        #expect(Web.refusal(home.address("/master-\(home.port).m3u8"), rules)?.hasPrefix("blocked") == true)
        #expect(try home.log().allSatisfy { !$0.hasPrefix("/no-ranges") })
    }

    @Test("Relative URLs in a redirected playlist are resolved against its final URL")
    func redirectedPlaylists() throws {
        let path = try playlist("moved.m3u8", "film.ts")
        #expect(Web.fate(home.redirection(to: internet.address("/no-ranges" + path)), rules).state == .ended)
        #expect(try internet.log().contains("/no-ranges/film.ts"))
        let moved = home.redirection(to: internet.address("/drop-once=9999999" + path))
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n\(moved)\n"
        _ = try Clips.file("moving-\(home.port).m3u8", data: Data(master.utf8))
        #expect(Web.fate(home.address("/moving-\(home.port).m3u8"), rules).state == .ended)
        #expect(try internet.log().contains("/drop-once=9999999/film.ts"))
    }

    @Test("Encrypted segments, and segments that are byte ranges, are played")
    func kindsOfParts() throws {
        let key = try Clips.file("film.key", data: Data((0..<16).map { UInt8($0) }))
        let note = try Clips.file("film.keyinfo", data: Data("film.key\n\(key)\n".utf8))
        let film = try Clips.film("mkv")
        let folder = Clips.folder.path
        _ = try Clips.file("locked.m3u8") { path in
            try FFmpeg.run([
                "-i", film, "-c", "copy", "-hls_time", "1", "-hls_list_size", "0", "-hls_key_info_file", note,
                "-hls_segment_filename", folder + "/locked%d.ts", path,
            ])
        }
        _ = try Clips.file("single.m3u8") { path in
            try FFmpeg.run([
                "-i", film, "-c", "copy", "-hls_time", "1", "-hls_list_size", "0", "-hls_flags", "single_file", path,
            ])
        }
        for name in ["locked", "single"] {
            let (state, frames) = Web.fate(home.address("/\(name).m3u8"), rules)
            #expect(state == .ended, "\(name)")
            #expect(frames == 100, "\(name)")
        }
    }

    @Test("A missing segment does not end the video")
    func missingParts() throws {
        let path = try playlist("torn.m3u8", "film.ts", "missing.ts")
        let (state, frames) = Web.fate(home.address(path), rules)
        #expect(state == .failed(.connectionLost(reason: "HTTP error 404 Not Found")))
        #expect(frames > 50)
    }

    @Test(
        "A playlist within another kind of stream, or a URL list, opens nothing",
        arguments: ["ffconcat", "sdp"])
    func lists(kind: String) throws {
        let texts = [
            "ffconcat": "ffconcat version 1.0\nfile '\(home.address("/film.ts"))'\n",
            "sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
                + "a=rtpmap:96 H264/90000\n",
        ]
        _ = try Clips.file("naming-\(home.port).\(kind)", data: Data((texts[kind] ?? "").utf8))
        #expect(Web.refusal(internet.address("/naming-\(home.port).\(kind)"), rules) != nil)
        #expect(try home.log().isEmpty)
    }

    @Test("A redirect by an RTSP camera is refused, and nothing is sent to its target")
    func cameras() throws {
        let address = "rtsp://127.0.0.1:\(home.port)/film"
        let target = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let refusal = Web.refusal("rtsp://127.0.0.2:\(internet.port)/to=\(target)", rules)
        #expect(refusal == "blocked: the server redirects to another address")
        #expect(try internet.log().contains("/to=\(target)"))
        #expect(try home.log().isEmpty)
    }

    @Test("A stream that never arrives is waited for only for a limited time")
    func streams() throws {
        let quick = Web.rules { $0.streamTimeout = .seconds(1) }
        #expect(Web.refusal("tcp://127.0.0.1:\(home.port)", quick) == "the server does not respond")
    }

    @Test("An untrusted certificate is refused, and one of a trusted authority is accepted")
    func certificates() throws {
        let certificate = try TestCertificate(in: Clips.folder, name: "home", names: "IP:127.0.0.1")
        let server = try HostileServer(Clips.folder, certificate: (certificate.file, certificate.key))
        let address = server.address("/film.mkv")
        let refusal = try #require(Web.refusal(address, rules))
        #expect(refusal.hasPrefix("the certificate of 127.0.0.1 is not trusted: "), "\(refusal)")
        let trusting = Web.rules { $0.certificates = certificate.file }
        #expect(Web.refusal(address, trusting) == nil)
        // It is for another host.
        let name = try #require(Web.refusal(server.address("/film.mkv", host: "localhost"), trusting))
        #expect(name.hasPrefix("the certificate of localhost is not trusted: "), "\(name)")
    }
}
