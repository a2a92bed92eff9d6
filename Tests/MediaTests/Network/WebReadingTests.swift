import GlissadeCCURL
import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

extension NetworkRules {
    /// Rules that give up soon: what takes long in these tests has failed.
    fileprivate static func impatient(_ change: (inout NetworkRules) -> Void = { _ in }) -> NetworkRules {
        var rules = NetworkRules()
        rules.stallTimeout = .milliseconds(800)
        rules.reconnectTimeout = .seconds(3)
        rules.openingTimeout = .seconds(3)
        rules.pauses = [.zero, .milliseconds(50), .milliseconds(200)]
        change(&rules)
        return rules
    }
}

/// A file on a web server, read as FFmpeg has it read.
@MainActor private final class RemoteFile {
    let session: ResourceSession
    let reader: HTTPReader
    private let reconnecting: Reconnecting

    private final class Reconnecting { var hasBeen = false }

    init(
        _ address: String, _ rules: NetworkRules = NetworkRules.impatient(), in session: ResourceSession? = nil,
        isPart: Bool = false
    ) throws {
        let reconnecting = Reconnecting()
        self.reconnecting = reconnecting
        let session =
            try session
            ?? ResourceSession(
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

@MainActor @Suite("Reading from web servers", .serialized)
struct WebReadingTests {
    private let film: Data
    private let server: HostileServer

    init() throws {
        film = try Clips.bytes(Clips.grainyFilm("mkv"))
        server = try HostileServer(Clips.folder)
    }

    private func address(_ mode: String) -> String { server.address("/\(mode)/grainy.mkv") }

    @Test("Seeking beyond any possible file size is refused, and nothing is read there")
    func farSeeks() throws {
        let file = try RemoteFile(address("anywhere"))
        for place in [-1, HTTPReader.farthest + 1, .max - 1000, .max] { #expect(!file.reader.seek(to: place)) }
        #expect(file.reader.seek(to: HTTPReader.farthest))
        #expect(try file.read().isEmpty)
    }

    @Test("A partial response that does not say where it begins is not used to resume")
    func placeless() throws {
        let file = try RemoteFile(address("placeless=40000"))
        #expect(throws: ResourceFailure.notResumable) { try file.read() }
    }

    @Test("A server that sends limited parts, and says so, delivers the whole file without reporting a loss")
    func capped() throws {
        // A single failure would end it.
        let file = try RemoteFile(
            address("capped=\(film.count / 5 + 1)"), NetworkRules.impatient { $0.reconnectTimeout = .zero })
        #expect(try file.read() == film)
        #expect(!file.hasReconnected)
        #expect(try server.log().count == 5)
    }

    @Test("A lost broadcast is resumed without dropping data", arguments: ["live", "radio"])
    func broadcasts(mode: String) throws {
        let file = try RemoteFile(address("\(mode)=\(film.count / 3 + 1)"))
        #expect(try file.read(film.count) == film)
        #expect(file.hasReconnected)
        #expect(try server.log().count == 3)
    }

    @Test("A video sent without ranges but with a duration is read from its beginning after a loss")
    func timedFilms() throws {
        let file = try RemoteFile(address("chunked-drop-once=40000"))
        file.reader.isTimed = true
        #expect(try file.read() == film)
        #expect(file.hasReconnected)
    }

    @Test("A playlist segment is never taken for a broadcast")
    func unmarkedParts() throws {
        let file = try RemoteFile(address("chunked-drop-once=40000"), isPart: true)
        #expect(try file.read() == film)
    }

    @Test("A SHOUTcast station can be played")
    func shoutcast() throws {
        let file = try RemoteFile(address("icy"))
        #expect(try file.read(film.count) == film)
    }

    @Test(
        "Mirrors with the same file under different entity tags replace each other",
        arguments: ["balanced", "mirrors"])
    func mirrors(mode: String) throws {
        let file = try RemoteFile(address("\(mode)=\(film.count / 3 + 1)"))
        #expect(try file.read() == film)
        #expect(file.hasReconnected)
    }

    @Test("A retry requested by the user has the full timeout again")
    func tryingAgain() throws {
        // Of each failure, one more attempt is all there is.
        let rules = NetworkRules.impatient {
            $0.pauses = [.zero, .seconds(3600)]
            $0.reconnectTimeout = .seconds(60)
        }
        let file = try RemoteFile(address("dead-for=40000:3"), rules)
        #expect(throws: ResourceFailure.closed) { try file.read() }
        #expect(try server.log().count == 2)
        file.session.forgetFailures()
        #expect(try file.read() == film[40_000...])
        #expect(try server.log().count == 4)
    }

    @Test(
        "After a loss a global host is not called at a local address that its name has got meanwhile",
        .enabled(if: HostileServer.hasIPv6, "needs ::1"),
        arguments: [("127.0.0.1", "::1"), ("::1", "127.0.0.1")])
    func rebinding(far: String, near: String) throws {
        // `localhost` has both addresses, and libcurl tries one before the other. At first only the one answers that stands for
        // the Internet here.
        let rules = NetworkRules.impatient { $0.globalAddresses = Set([IPAddress(far)].compactMap(\.self)) }
        let internet = try HostileServer(Clips.folder, host: far)
        let file = try RemoteFile(internet.address("/drop=40000/grainy.mkv", host: "localhost"), rules)
        #expect(try file.read(1000) == film[..<1000])
        let home = try HostileServer(Clips.folder, host: near, port: internet.port)
        #expect(file.reader.seek(to: 0))
        #expect(try file.read(1000) == film[..<1000])
        #expect(try home.log().isEmpty)
        #expect(try internet.log().count == 2)
    }

    @Test("A global playlist is recognized by its first seven bytes, however slowly they arrive")
    func slowPlaylists() throws {
        _ = try Clips.file("slow.m3u8", data: Data("  #EXTM3U\n".utf8))
        let rules = NetworkRules.impatient { $0.globalAddresses = Set([IPAddress("127.0.0.1")].compactMap(\.self)) }
        let file = try RemoteFile(server.address("/slow.m3u8"), rules, isPart: true)
        _ = try file.read(8, step: 1)
        #expect(file.session.referrer == .user)
        _ = try file.read(1, step: 1)
        #expect(file.session.referrer == .host(.global))
    }

    @Test("Streams are counted over all playlists of a video, and a playlist that is read again counts once")
    func countedTogether() throws {
        let list = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:\na\n", count: 150)
        _ = try Clips.file("half-a.m3u8", data: Data(list.utf8))
        _ = try Clips.file("half-b.m3u8", data: Data(list.utf8))
        let first = try RemoteFile(server.address("/half-a.m3u8"))
        #expect(try first.read().count == list.utf8.count)
        let again = try RemoteFile(server.address("/half-a.m3u8"), in: first.session, isPart: true)
        #expect(try again.read().count == list.utf8.count)
        let other = try RemoteFile(server.address("/half-b.m3u8"), in: first.session, isPart: true)
        #expect(throws: ResourceFailure.tooManyStreams) { try other.read() }
        #expect(first.session.failure == .tooManyStreams)
    }

    @Test("A part that should be small is refused if it is empty or too large, also where its size is not known")
    func smallParts() throws {
        let most = Int(ResourceSession.mostSmallBytes)
        for (name, count) in [("small-empty", 0), ("small-most", most), ("small-over", most + 1)] {
            _ = try Clips.file(name, data: Data(count: count))
        }
        let session = try ResourceSession(rules: .impatient(), isCancelled: { false }, reconnecting: { _ in })
        func part(_ path: String, _ range: Range<Int64>? = nil) throws -> Int {
            try session.part(of: #require(WebAddress(server.address(path))), range).count
        }
        #expect(try part("/small-most") == most)
        #expect(try part("/small-most", 5..<9) == 4)
        for mode in ["", "/no-ranges", "/unsized"] {
            #expect(throws: ResourceFailure.partTooLarge) { try part("\(mode)/small-over") }
        }
        #expect(throws: ResourceFailure.partTooLarge) { try part("/small-over", 0..<Int64(most) + 1) }
        #expect(throws: ResourceFailure.emptyPart) { try part("/small-empty") }
        #expect(throws: ResourceFailure.status(404, "Not Found")) { try part("/no-such-file") }
    }

    @Test("A libcurl without a required feature is reported as too old, not as lack of memory")
    func oldLibraries() throws {
        #expect(throws: ResourceFailure.oldLibrary) { try HTTPTransfer.check(CURLE_UNKNOWN_OPTION) }
        #expect(throws: ResourceFailure.oldLibrary) { try HTTPTransfer.check(CURLE_UNSUPPORTED_PROTOCOL) }
        #expect(throws: ResourceFailure.outOfMemory) { try HTTPTransfer.check(CURLE_OUT_OF_MEMORY) }
        #expect(throws: Never.self) { try HTTPTransfer.check(CURLE_OK) }
        #expect(ResourceFailure.oldLibrary.description == "web addresses need libcurl 7.85 or later, with TLS")
    }
}
