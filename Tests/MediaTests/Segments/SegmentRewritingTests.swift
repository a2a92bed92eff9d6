import Testing

@testable import GlissadeMedia

@Suite("Rewriting MP4 segments")
struct SegmentRewritingTests {
    @Test(
        "MP4 segments are rewritten for the versions of libavformat that cannot seek in them",
        arguments: [
            // FFmpeg 5.1, 7.0, 7.1, a version in development, 8.0 and a later one.
            (59, 27, true), (61, 1, true), (61, 7, true), (61, 9, true), (62, 0, false), (62, 3, false), (63, 0, false),
        ])
    func versions(major: UInt32, minor: UInt32, isNeeded: Bool) {
        #expect(SegmentRewriting.isNeeded(by: major << 16 | minor << 8 | 100) == isNeeded)
    }

    @Test("A manifest whose segments FFmpeg can seek in lists its MP4 segments as they are")
    func manifest() throws {
        let set = """
            <AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$.m4s" initialization="init.mp4"
            duration="2"/><Representation id="v" bandwidth="1" codecs="avc1.42c00d"/></AdaptationSet>
            """
        let manifest = try DASHManifest(DASHSource.document(set))
        let address = WebAddress("http://a.example/film.mpd")!
        let rewritten = try DASHPlaylists(manifest, at: address)
        let direct = try DASHPlaylists(manifest, at: address, rewrites: false)
        #expect(rewritten.isSeekable && rewritten.initializations.count == 1)
        #expect(direct.isSeekable && direct.initializations.isEmpty)
        let text = try #require(direct.texts.values.first)
        #expect(text.contains("#EXT-X-MAP:URI=\"http://a.example/init.mp4\"\n"))
        #expect(text.contains("\nhttp://a.example/1.m4s\n"))
    }
}
