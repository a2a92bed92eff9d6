import GlissadeTestSupport
import Testing

@testable import GlissadeMedia

@Suite("HLS playlists whose MP4 segments are rewritten")
struct SegmentPlaylistTests {
    private typealias Initialization = SegmentRemuxer.Initialization

    private static let base = "http://a.example/films/list.m3u8?key=1"

    private func playlist(_ text: String, base: String = base) -> SegmentPlaylist {
        SegmentPlaylist(Array(text.utf8), at: WebAddress(base)!, named: "n")
    }

    /// The rewritten playlist of some lines; nil if it cannot be rewritten.
    private func rewritten(_ lines: String...) -> String? {
        let playlist = playlist("#EXTM3U\n" + lines.joined(separator: "\n") + "\n")
        guard playlist.first != nil else { return nil }
        return String(decoding: playlist.text, as: UTF8.self)
    }

    @Test("Each segment names its initialization segment and its byte range, and other lines stay")
    func rewriting() {
        let playlist = playlist(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:2
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-MAP:URI="../init.mp4"\r
            #EXTINF:2.000000,
            a.m4s?b=c#d

            #EXTINF:1.5, A title
            http://b.example/e.mp4 \t
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:X-URI="x",BYTERANGE="700@9",URI="film.mp4"
            #EXT-X-BYTERANGE:100@709
            #EXTINF:2,
            film.mp4
            #EXTINF:2,
            #EXT-X-BYTERANGE:200
            film.mp4
            #EXT-X-MAP:URI="../init.mp4"
            #EXTINF:2,
            f.m4s
            #EXT-X-ENDLIST
            """)
        #expect(
            String(decoding: playlist.text, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-TARGETDURATION:2
                #EXT-X-KEY:METHOD=NONE

                #EXTINF:2.000000,
                a.m4s?b=c#n/0.ts

                #EXTINF:1.5, A title
                http://b.example/e.mp4#n/0.ts
                #EXT-X-DISCONTINUITY
                #EXTINF:2,
                film.mp4#n/1:709-809.ts
                #EXTINF:2,
                film.mp4#n/1:809-1009.ts
                #EXTINF:2,
                f.m4s#n/0.ts
                #EXT-X-ENDLIST

                """)
        let first = Initialization(address: "http://a.example/init.mp4", range: nil, offset: 10_000_000)
        let second = Initialization(
            address: "http://a.example/films/film.mp4", range: 9..<709, offset: 10_000_000)
        #expect(playlist.first == first)
        #expect(playlist.initializations == ["n/0": first, "n/1": second])
    }

    @Test("A list of playlists, and one without initialization segments, cannot be rewritten")
    func others() {
        let main = playlist("#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n")
        #expect(!main.hasSegments && main.first == nil && main.text.isEmpty)
        let plain = playlist("#EXTM3U\n#EXTINF:2,\na.ts\n")
        #expect(plain.hasSegments && plain.first == nil && plain.initializations.isEmpty)
        #expect(rewritten("#EXTINF:2,", "a.ts", "#EXT-X-MAP:URI=\"i\"", "#EXTINF:2,", "b.m4s") == nil)
        #expect(!playlist("").hasSegments)
    }

    @Test(
        "A playlist with encrypted segments or malformed lines cannot be rewritten",
        arguments: [
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", "#EXT-X-KEY:",
            "#EXT-X-MAP:", "#EXT-X-MAP:URI=\"file:///etc/passwd\"",
            "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"\"", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"0@5\"",
            "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"-5@5\"", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"5@-5\"",
            "#EXT-X-BYTERANGE:", "#EXT-X-BYTERANGE:x@5", "#EXT-X-BYTERANGE:5@", "#EXT-X-BYTERANGE:1@2@3",
            "#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807", "#EXT-X-BYTERANGE:99999999999999999999@1",
            "#EXT-X-BYTERANGE:1@9223372036854775807",
        ])
    func refusals(line: String) {
        let map = "#EXT-X-MAP:URI=\"i\""
        #expect(rewritten(map, "#EXTINF:2,", "a") != nil)
        #expect(rewritten(map, "#EXTINF:2,", "a", line, "#EXTINF:2,", "b") == nil)
        #expect(playlist("#EXTM3U\n\(map)\n\(line)\n#EXTINF:2,\na\n").hasSegments)
    }

    @Test("Attributes are read as FFmpeg reads them")
    func attributes() {
        let playlist = playlist("#EXTM3U\n#EXT-X-KEY:X=1,METHOD=NONE\n#EXT-X-MAP:URI=x,URI=i\n#EXTINF:2,\na\n")
        #expect(playlist.first?.address == "http://a.example/films/i")
    }

    @Test("An address that leaves no space for the fragment cannot be rewritten")
    func length() {
        let map = "#EXT-X-MAP:URI=\"i\""
        #expect(rewritten(map, "#EXTINF:2,", String(repeating: "a", count: 3800)) != nil)
        #expect(rewritten(map, "#EXTINF:2,", String(repeating: "a", count: 3900)) == nil)
        let long = "#EXT-X-MAP:URI=\"" + String(repeating: "a", count: 5000) + "\""
        #expect(rewritten(long, "#EXTINF:2,", "a") == nil)
        for character in ["\"", "@"] {
            let many = String(repeating: character, count: 5000)
            #expect(rewritten(map + many, "#EXTINF:2,", "a") == nil)
            #expect(rewritten(map, "#EXTINF:2,", "#EXT-X-BYTERANGE:1" + many, "a") == nil)
        }
    }

    @Test("Of more initialization segments than any stream has, none is used")
    func count() {
        let maps = (0...10_000).map { "#EXT-X-MAP:URI=\"\($0)\"\n#EXTINF:1,\n\($0).m4s\n" }
        #expect(playlist(maps.dropLast().joined()).initializations.count == 10_000)
        #expect(playlist(maps.joined()).first == nil)
    }

    @Test("Changes to random bytes are no obstacle")
    func damage() {
        let text = Array(
            """
            #EXTM3U
            #EXT-X-MAP:URI="i",BYTERANGE="5@6"
            #EXT-X-BYTERANGE:3@4
            #EXTINF:2,
            a.m4s
            #EXTINF:2,
            b.m4s#c

            """.utf8)
        var generator = SeededGenerator(seed: 5)
        let base = WebAddress(Self.base)!
        for _ in 0..<2000 {
            var bytes = text
            for _ in 0..<3 {
                bytes[.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let playlist = SegmentPlaylist(bytes, at: base, named: "n")
            #expect(playlist.text.isEmpty == playlist.initializations.isEmpty)
            #expect(playlist.first == nil || playlist.hasSegments)
        }
    }
}
