import CCURL
import Foundation
import Testing
import TestSupport

@testable import Media

/// A file on a web server, read as FFmpeg has it read.
@MainActor private final class RemoteFile {
    let session: HTTPSession
    let reader: HTTPReader
    private let reconnecting: Reconnecting

    private final class Reconnecting { var hasBeen = false }

    init(
        _ address: String, _ rules: NetworkRules = Web.rules(), in session: HTTPSession? = nil, isPart: Bool = false
    ) throws {
        let reconnecting = Reconnecting()
        self.reconnecting = reconnecting
        let session =
            try session
            ?? HTTPSession(
                rules: rules, isCancelled: { false }, reconnecting: { if $0 { reconnecting.hasBeen = true } })
        session.isOpen = true
        self.session = session
        reader = try HTTPReader(try #require(WebAddress(address)), session: session, isPart: isPart)
    }

    var hasReconnected: Bool { reconnecting.hasBeen }

    /// Reads up to `count` bytes, `step` at a time.
    func read(_ count: Int = .max, step: Int = 1 << 16) throws -> Data {
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: step)
        while bytes.count < count {
            let room = min(step, count - bytes.count)
            let got = try chunk.withUnsafeMutableBytes { target in
                try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<room]))
            }
            if got == 0 { break }
            bytes += chunk[..<got]
        }
        return bytes
    }
}

@MainActor @Suite("What is read from web servers, byte by byte", .serialized)
struct WebReadingTests {
    private let film: Data
    private let server: HostileServer

    init() throws {
        film = try Clips.bytes(Clips.grainyFilm("mkv"))
        server = try HostileServer(Clips.folder)
    }

    private func address(_ mode: String) -> String { server.address("/\(mode)/grainy.mkv") }

    @Test("No place is gone to that no file has, and nothing is read there")
    func farSeeks() throws {
        let file = try RemoteFile(address("anywhere"))
        for place in [-1, HTTPReader.farthest + 1, .max - 1000, .max] { #expect(!file.reader.seek(to: place)) }
        #expect(file.reader.seek(to: HTTPReader.farthest))
        #expect(try file.read().isEmpty)
    }

    @Test("A part of a file that does not say where it begins is not taken for the rest of it")
    func placeless() throws {
        let file = try RemoteFile(address("placeless=40000"))
        #expect(throws: HTTPFailure.notResumable) { try file.read() }
    }

    @Test("A server that gives a little at a time, and says so, gives the whole file without a word of a loss")
    func capped() throws {
        // A single failure would end it.
        let file = try RemoteFile(address("capped=\(film.count / 5 + 1)"), Web.rules { $0.reconnectPatience = .zero })
        #expect(try file.read() == film)
        #expect(!file.hasReconnected)
        #expect(try server.log().count == 5)
    }

    @Test("Of a broadcast that was lost nothing is left out", arguments: ["live", "radio"])
    func broadcasts(mode: String) throws {
        let file = try RemoteFile(address("\(mode)=\(film.count / 3 + 1)"))
        #expect(try file.read(film.count) == film)
        #expect(file.hasReconnected)
        #expect(try server.log().count == 3)
    }

    @Test("A film that is sent as a broadcast is, but tells how long it is, is read from its beginning after a loss")
    func timedFilms() throws {
        let file = try RemoteFile(address("chunked-drop-once=40000"))
        file.reader.isTimed = true
        #expect(try file.read() == film)
        #expect(file.hasReconnected)
    }

    @Test("A part of a playlist is no broadcast, whatever its server leaves unsaid")
    func unmarkedParts() throws {
        let file = try RemoteFile(address("chunked-drop-once=40000"), isPart: true)
        #expect(try file.read() == film)
    }

    @Test("A station that answers as SHOUTcast does is heard")
    func shoutcast() throws {
        let file = try RemoteFile(address("icy"))
        #expect(try file.read(film.count) == film)
    }

    @Test(
        "Servers that have the same file under tags of their own stand in for each other",
        arguments: ["balanced", "mirrors"])
    func mirrors(mode: String) throws {
        let file = try RemoteFile(address("\(mode)=\(film.count / 3 + 1)"))
        #expect(try file.read() == film)
        #expect(file.hasReconnected)
    }

    @Test("What failed is called again for as long as at first, once another attempt is asked for")
    func tryingAgain() throws {
        // Of each failure, one more attempt is all there is.
        let rules = Web.rules {
            $0.pauses = [.zero, .seconds(3600)]
            $0.reconnectPatience = .seconds(60)
        }
        let file = try RemoteFile(address("dead-for=40000:3"), rules)
        #expect(throws: HTTPFailure.closed) { try file.read() }
        #expect(try server.log().count == 2)
        file.session.forgetFailures()
        #expect(try file.read() == film[40_000...])
        #expect(try server.log().count == 4)
    }

    @Test(
        "A host that was on the Internet is not called at home after a loss, though its name leads there by then",
        .enabled(if: HostileServer.hasIPv6, "needs ::1"),
        arguments: [("127.0.0.1", "::1"), ("::1", "127.0.0.1")])
    func rebinding(far: String, near: String) throws {
        // `localhost` has both addresses, and libcurl tries one before the other. At first only the one answers that stands for
        // the Internet here.
        let rules = Web.rules { $0.globalAddresses = Set([IPAddress(far)].compactMap(\.self)) }
        let internet = try HostileServer(Clips.folder, host: far)
        let file = try RemoteFile(internet.address("/drop=40000/grainy.mkv", host: "localhost"), rules)
        #expect(try file.read(1000) == film[..<1000])
        let home = try HostileServer(Clips.folder, host: near, port: internet.port)
        #expect(file.reader.seek(to: 0))
        #expect(try file.read(1000) == film[..<1000])
        #expect(try home.log().isEmpty)
        #expect(try internet.log().count == 2)
    }

    @Test("A playlist on the Internet is known by its first seven bytes, however slowly they come")
    func slowPlaylists() throws {
        _ = try Clips.file("slow.m3u8", data: Data("  #EXTM3U\n".utf8))
        let rules = Web.rules { $0.globalAddresses = Set([IPAddress("127.0.0.1")].compactMap(\.self)) }
        let file = try RemoteFile(server.address("/slow.m3u8"), rules, isPart: true)
        _ = try file.read(8, step: 1)
        #expect(file.session.referrer == .user)
        _ = try file.read(1, step: 1)
        #expect(file.session.referrer == .host(.global))
    }

    @Test("The streams of all playlists of a film are counted together, and those of one that is read again once")
    func countedTogether() throws {
        let list = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:\na\n", count: 150)
        _ = try Clips.file("half-a.m3u8", data: Data(list.utf8))
        _ = try Clips.file("half-b.m3u8", data: Data(list.utf8))
        let first = try RemoteFile(server.address("/half-a.m3u8"))
        #expect(try first.read().count == list.utf8.count)
        let again = try RemoteFile(server.address("/half-a.m3u8"), in: first.session, isPart: true)
        #expect(try again.read().count == list.utf8.count)
        let other = try RemoteFile(server.address("/half-b.m3u8"), in: first.session, isPart: true)
        #expect(throws: HTTPFailure.tooManyStreams) { try other.read() }
        #expect(first.session.failure == .tooManyStreams)
    }

    @Test("A libcurl that lacks what is asked of it is called too old, and not the machine short of memory")
    func oldLibraries() throws {
        #expect(throws: HTTPFailure.oldLibrary) { try HTTPTransfer.check(CURLE_UNKNOWN_OPTION) }
        #expect(throws: HTTPFailure.oldLibrary) { try HTTPTransfer.check(CURLE_UNSUPPORTED_PROTOCOL) }
        #expect(throws: HTTPFailure.outOfMemory) { try HTTPTransfer.check(CURLE_OUT_OF_MEMORY) }
        #expect(throws: Never.self) { try HTTPTransfer.check(CURLE_OK) }
        #expect(HTTPFailure.oldLibrary.description == "web addresses need libcurl 7.85 or later, with TLS")
    }
}
