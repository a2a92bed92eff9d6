import Foundation
import Testing

@testable import GlissadeMedia

@Suite("References in playlists in files")
struct LocalReferenceTests {
    private func names(_ reference: String) throws -> [String] {
        try LocalReference.components(of: Array(reference.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func failure(_ body: () throws -> Void) -> ResourceFailure? {
        do {
            try body()
            return nil
        } catch { return error as? ResourceFailure }
    }

    @Test(
        "A relative URL names a file in the folder or below it",
        arguments: [
            ("a.ts", "a.ts"), ("a/b/c.ts", "a/b/c.ts"), ("./a.ts", "a.ts"), ("a/./b.ts", "a/b.ts"),
            ("a//b.ts", "a/b.ts"),
            ("a%20b.ts", "a b.ts"), ("a b.ts", "a b.ts"), ("%41%e4%b8%96.ts", "A世.ts"), ("世.ts", "世.ts"),
            ("a.ts?token=../x#y", "a.ts"), ("a.ts#http://x", "a.ts"), ("...", "..."), ("..a/b..ts", "..a/b..ts"),
            ("a/b:c.ts", "a/b:c.ts"), ("%252e%252e/a.ts", "%2e%2e/a.ts"), ("a\\..\\b.ts", "a\\..\\b.ts"), ("", ""),
        ])
    func allowed(reference: String, path: String) throws {
        #expect(try names(reference).joined(separator: "/") == path)
    }

    @Test(
        "A percent sign that begins no escape stands for itself",
        arguments: [("100%.ts", "100%.ts"), ("%", "%"), ("%2", "%2"), ("%zz.ts", "%zz.ts"), ("%%41", "%A")])
    func percentSigns(reference: String, path: String) throws { #expect(try names(reference) == [path]) }

    @Test(
        "An absolute path, and one with two dots, is outside the folder, however it is written",
        arguments: [
            "/etc/passwd", "//host/a.ts", "/", "..", "../a.ts", "a/../b.ts", "a/..", "./../a.ts", "%2e%2e/a.ts",
            "%2E./a.ts", ".%2e/a.ts", "..%2fa.ts", "..%2Fa.ts", "%2fetc%2fpasswd", "a%2fb.ts", "a%00b.ts", "..?x",
            "..#x",
        ])
    func outside(reference: String) throws {
        #expect(failure { _ = try names(reference) } == .outsideFolder(reference))
    }

    @Test(
        "Anything with a scheme is an address",
        arguments: [
            "http://host/a.ts", "HTTPS://host/a.ts", "file:///etc/passwd", "file:a.ts", "data:,x", "crypto:a.ts",
            "crypto+http://host/a.ts", "concat:a|b", "pipe:0", "glissade-dash://main", "a:b.ts", "1:b.ts", "skd://key",
        ])
    func addresses(reference: String) throws {
        #expect(failure { _ = try names(reference) } == .namesAddress(reference))
    }

    @Test("An overlong reference is shortened for the user, without control characters")
    func overlong() throws {
        let reference = "../\u{1B}[31m" + String(repeating: "x", count: 100_000)
        let shown = "../\u{FFFD}[31m" + String(repeating: "x", count: 72) + "…"
        #expect(failure { _ = try names(reference) } == .outsideFolder(shown))
    }

    private func check(_ text: String) throws { try LocalReference.check(playlist: Array("#EXTM3U\n\(text)".utf8)) }

    @Test(
        "A playlist is refused if any URL that would be opened leads elsewhere",
        arguments: [
            "a.ts\n../b.ts\n", "a.ts\r\n/b.ts", "a.ts\rhttp://host/b.ts\r", "a.ts\0http://host/b.ts\n",
            "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://host/b.m3u8\n", "#EXT-X-KEY:METHOD=AES-128,URI=\"/etc/passwd\"\n",
            "#EXT-X-MAP:URI=\"../init.mp4\",BYTERANGE=\"1@0\"\n",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"http://host/a.m3u8\"\n",
            "#EXT-X-KEY:METHOD=AES-128,URI=http://host/k\n", "#EXT-X-MAP:X=\"URI=\",URI=\"/a\"\n",
            "#EXT-X-MAP:URI=\"a\",URI=\"../b\"\n", "#EXT-X-KEY:URI=\"\\/k\"\n",
        ])
    func refused(text: String) throws { #expect(failure { try check(text) } != nil) }

    @Test("URLs that are not opened, and keys in data URLs, do not matter")
    func ignored() throws {
        try check("# http://host/a\n#EXT-X-I-FRAME-STREAM-INF:URI=\"http://host/i.m3u8\"\n\n\na.ts\n")
        try check("#EXT-X-MAP:X-URI=\"/a\",URI=\"b\"\n#EXT-X-MAP:URI=\"/a\",URI=\"b\"\na.ts\n")
        try check("#EXT-X-SESSION-DATA:DATA-ID=\"x\",URI=\"/x\"\n#EXT-X-KEY:METHOD=NONE\na.ts\n")
        try check("#EXT-X-KEY:METHOD=AES-128,URI=\"data:text/plain;base64,MTIzNDU2Nzg5MDEyMzQ1Ng==\"\na.ts\n")
    }

    @Test("A playlist in a data URL is refused, since it would not be checked")
    func dataPlaylists() {
        let variant = "data:application/x-mpegurl;base64,I0VYVE0zVQ=="
        #expect(failure { try check("#EXT-X-STREAM-INF:BANDWIDTH=1\n\(variant)\n") } == .namesAddress(variant))
        #expect(failure { try check("#EXT-X-MEDIA:TYPE=AUDIO,URI=\"\(variant)\"\n") } == .namesAddress(variant))
    }

    @Test("Long playlists and long lines are checked to their end")
    func long() throws {
        let many = String(repeating: "#EXTINF:1,\na/b/c.ts\n", count: 100_000)
        try check(many)
        #expect(failure { try check(many + "../x.ts") } == .outsideFolder("../x.ts"))
        let line = String(repeating: "a/", count: 5 << 20)
        try check(line)
        #expect(failure { try check(line + "\n/x.ts") } == .outsideFolder("/x.ts"))
    }

    @Test("The URLs of a folder's files stand for them, and other URLs for none")
    func locations() throws {
        func path(_ address: String) throws -> String {
            try PlaylistFolder.path(of: try #require(WebAddress(address))).displayPath
        }
        let base = "http://playlist.invalid/folder/"
        #expect(try path(base + "a%20b/c.ts") == "a b/c.ts")
        #expect(try path(base + "a b/c 100%.ts") == "a b/c 100%.ts")
        #expect(failure { _ = try path(base + "../x.ts") } == .outsideFolder("/x.ts"))
        #expect(failure { _ = try path("http://playlist.invalid/etc/passwd") } == .outsideFolder("/etc/passwd"))
        for other in [
            "http://playlist.invalid.host/folder/a", "https://playlist.invalid/folder/a", "http://host/folder/a",
        ] {
            #expect(failure { _ = try path(other) } == .namesAddress(other))
        }
    }
}
