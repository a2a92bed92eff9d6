import Testing

@testable import GlissadeMedia

@Suite("The record of what could not be opened")
struct BrokenVariantsTests {
    @Test(
        "A playlist whose initialization could not be read is refused and left out, wherever the tag has its address",
        arguments: [
            "URI=\"missing.mp4\"", "URI=\"missing.mp4\",BYTERANGE=\"9@0\"", "BYTERANGE=\"9@0\",URI=\"missing.mp4\"",
            "BYTERANGE=9@0,URI=missing.mp4",
        ])
    func initializations(attributes: String) throws {
        var log = BrokenVariants()
        for (name, attributes) in [("a", attributes), ("b", "URI=\"b.mp4\"")] {
            let address = "http://a.example/\(name).m3u8"
            let base = try #require(WebAddress(address))
            let text = "#EXTM3U\n#EXT-X-MAP:\(attributes)\n#EXTINF:1,\n\(name).m4s\n"
            Array(text.utf8).withUnsafeBytes { log.take($0, of: address, movedTo: base) }
        }
        log.note(try #require(WebAddress("http://a.example/missing.mp4")), isOpen: false)
        let canTryAgain = log.refuseBroken()
        #expect(canTryAgain)
        #expect(log.refused == ["http://a.example/a.m3u8"])
        let main = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,URI="a.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,URI="b.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1

            # A comment
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2
            b.m3u8

            """
        let base = try #require(WebAddress("http://a.example/main.m3u8"))
        let rest = log.removeRefused(from: Array(main.utf8), at: base)
        #expect(
            String(decoding: rest, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,URI="b.m3u8"

                # A comment
                #EXT-X-STREAM-INF:BANDWIDTH=2
                b.m3u8

                """)
        // There would be nothing left.
        let alone = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n".utf8)
        #expect(log.removeRefused(from: alone, at: base) == alone)
    }
}
