import Testing

@testable import GlissadeMedia

@Suite("The translation of DASH manifests")
struct DASHPlaylistsTests {
    @Test("A template with a timeline becomes a playlist of its segments")
    func timeline() throws {
        let playlist = try DASHSource.playlist(
            DASHSource.set(
                """
                <SegmentTemplate timescale="1000" startNumber="3" initialization="$RepresentationID$/init.mp4"
                  media="$RepresentationID$/$Number%05d$-$Time$-$Bandwidth$-$$.m4s?a=1&amp;b=2">
                  <SegmentTimeline><S t="500" d="2000"/><S d="1000" r="1"/></SegmentTimeline>
                </SegmentTemplate>
                """))
        #expect(
            playlist == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MAP:URI="http://a.example/films/r1/init.mp4"
                #EXTINF:1.999998,
                http://a.example/films/r1/00003-500-1000-$.m4s?a=1&b=2
                #EXTINF:1.000000,
                http://a.example/films/r1/00004-2500-1000-$.m4s?a=1&b=2
                #EXTINF:1.000000,
                http://a.example/films/r1/00005-3500-1000-$.m4s?a=1&b=2
                #EXT-X-TARGETDURATION:2
                #EXT-X-ENDLIST

                """)
    }

    @Test("A negative repetition lasts until the next entry or the end of the period")
    func repetition() throws {
        let text =
            "<SegmentTemplate timescale=\"10\" media=\"$Time$\"><SegmentTimeline>"
            + "<S t=\"0\" d=\"10\" r=\"-1\"/><S t=\"25\" d=\"5\" r=\"-1\"/></SegmentTimeline></SegmentTemplate>"
        let segments = DASHSource.segments(try DASHSource.playlist(DASHSource.set(text)))
        #expect(segments.map { String($0.suffix(3)) } == ["s/0", "/10", "/20", "/25", "/30", "/35"])
        // The third segment lasts until the entry after it.
        #expect(segments[2].hasPrefix("0.500000 "))
    }

    @Test("Without a timeline, the number of segments follows from the duration, and the last one is optional")
    func duration() throws {
        let text =
            "<SegmentTemplate timescale=\"2\" duration=\"3\" presentationTimeOffset=\"8\" media=\"$Number$-$Time$\"/>"
        let document = DASHSource.document(DASHSource.set(text), "mediaPresentationDuration=\"PT0H0M4.0S\"")
        let playlists = try DASHSource.playlists(document)
        #expect(
            DASHSource.segments(playlists.texts["glissade-dash://video/0"] ?? "") == [
                "1.499998 http://a.example/films/1-8", "1.500000 http://a.example/films/2-11",
                "1.000000 http://a.example/films/3-14",
            ])
        #expect(playlists.optionalParts == ["http://a.example/films/3-14"])
    }

    @Test("A list of byte ranges becomes a playlist of byte ranges")
    func list() throws {
        let text =
            "<BaseURL> film.mp4 </BaseURL><SegmentList duration=\"2\"><Initialization range=\"0-99\"/>"
            + "<SegmentURL mediaRange=\"100-299\"/><SegmentURL mediaRange=\"300-301\"/>"
            + "<SegmentURL media=\"other.mp4\"/></SegmentList>"
        let playlist = try DASHSource.playlist(DASHSource.set(text), "mediaPresentationDuration=\"PT5S\"")
        #expect(playlist.contains("#EXT-X-MAP:URI=\"http://a.example/films/film.mp4\",BYTERANGE=\"100@0\"\n"))
        #expect(
            DASHSource.segments(playlist) == [
                "1.999998 http://a.example/films/film.mp4 200@100", "2.000000 http://a.example/films/film.mp4 2@300",
                "1.000000 http://a.example/films/other.mp4",
            ])
    }

    @Test("An indexed file is read by its index, after the initialization that precedes it")
    func index() throws {
        let text = "<BaseURL>film.mp4</BaseURL><SegmentBase indexRange=\"800-855\"/>"
        let playlist = try DASHSource.playlist(DASHSource.set(text)) { address, range in
            #expect(address.text == "http://a.example/films/film.mp4")
            #expect(range == 800..<856)
            return SegmentIndexTests.box([(500, 90), (700, 180)], timescale: 90)
        }
        #expect(playlist.contains("#EXT-X-MAP:URI=\"http://a.example/films/film.mp4\",BYTERANGE=\"800@0\"\n"))
        #expect(
            DASHSource.segments(playlist) == [
                "0.999998 http://a.example/films/film.mp4 500@856", "2.000000 http://a.example/films/film.mp4 700@1356",
            ])
        #expect(DASHSource.failure(DASHSource.set(text)) == .invalidIndex)
    }

    @Test("An initialization that comes directly before the index is read together with it, if they are small")
    func initializationAndIndex() throws {
        let index = SegmentIndexTests.box([(500, 90), (700, 180)], timescale: 90)
        func read(_ base: String) throws -> (ranges: [Range<Int64>], playlists: DASHPlaylists) {
            var ranges: [Range<Int64>] = []
            let set = DASHSource.set("<BaseURL>film.mp4</BaseURL>" + base, codecs: "avc1.64000c")
            let playlists = try DASHSource.playlists(DASHSource.document(set)) { _, range in
                ranges.append(range)
                return [UInt8](repeating: 7, count: range.count - index.count) + index
            }
            return (ranges, playlists)
        }
        let (ranges, playlists) = try read("<SegmentBase indexRange=\"800-855\"/>")
        #expect(ranges == [0..<856])
        #expect(Array(playlists.initializationBytes.values) == [[UInt8](repeating: 7, count: 800)])
        #expect(Array(playlists.initializationBytes.keys) == Array(playlists.initializations.values))
        #expect(playlists.texts["glissade-dash://video/0"]?.contains("#video/0:856-1356\n") == true)
        for base in [
            "<SegmentBase indexRange=\"800-855\"><Initialization range=\"0-700\"/></SegmentBase>",
            "<SegmentBase indexRange=\"800-855\"><Initialization sourceURL=\"i\" range=\"0-799\"/></SegmentBase>",
            "<SegmentBase indexRange=\"2000000-2000055\"/>",
        ] {
            let (ranges, playlists) = try read(base)
            #expect(ranges.map(\.count) == [56] && playlists.initializationBytes.isEmpty)
        }
        // A server that sends less than it was asked for.
        let set = DASHSource.set("<SegmentBase indexRange=\"800-855\"/>", codecs: "avc1.64000c")
        for count in [0, 1, 799, 800, 855] {
            #expect(throws: DASHFailure.invalidIndex) {
                try DASHSource.playlists(DASHSource.document(set)) { _, _ in [UInt8](repeating: 0, count: count) }
            }
        }
    }

    @Test("The times of rewritten segments start at the film's first segment, wherever the manifest starts to count")
    func start() throws {
        func set(_ kind: String, _ codecs: String, timescale: Int, start: Int, offset: Int = 0) -> String {
            DASHSource.set(
                "<SegmentTemplate timescale=\"\(timescale)\" presentationTimeOffset=\"\(offset)\" media=\"m\" "
                    + "initialization=\"i\"><SegmentTimeline><S t=\"\(start)\" d=\"\(timescale)\"/></SegmentTimeline>"
                    + "</SegmentTemplate>",
                kind: kind, codecs: codecs)
        }
        func offsets(_ sets: String...) throws -> [String: Int64] {
            try DASHSource.playlists(DASHSource.document(sets.joined())).initializations.mapValues(\.offset)
        }
        #expect(
            try offsets(
                set("video", "avc1", timescale: 10, start: 17_000_000_005),
                set("audio", "mp4a", timescale: 1000, start: 1_700_000_000_250))
                == ["video/0": 10_000_000 - 1_700_000_000_250_000, "audio/0": 10_000_000 - 1_700_000_000_250_000])
        // Each stream's times count from its own offset.
        #expect(
            try offsets(
                set("video", "avc1", timescale: 10, start: 70, offset: 50),
                set("audio", "mp4a", timescale: 10, start: 30)) == ["video/0": 3_000_000, "audio/0": 8_000_000])
        #expect(
            DASHSource.failure(set("video", "avc1", timescale: 1, start: 200_000_000_000)) == .invalidSegments)
    }

    @Test("Base URLs and segment descriptions are inherited, each element adding to the one around it")
    func inheritance() throws {
        let document =
            "<MPD mediaPresentationDuration=\"PT2S\"><BaseURL>http://b.example/x/</BaseURL><BaseURL>http://c.example/</BaseURL>"
            + "<Period duration=\"PT1S\"><BaseURL>y/</BaseURL><SegmentTemplate timescale=\"5\" media=\"outer-$Number$\"/>"
            + "<AdaptationSet mimeType=\"video/mp4\"><BaseURL>../z/</BaseURL><SegmentTemplate initialization=\"i\" duration=\"5\"/>"
            + "<Representation id=\"a\"><SegmentTemplate media=\"inner-$Number$\" startNumber=\"0\"/></Representation>"
            + "<Representation id=\"b\"><BaseURL>https://d.example/q</BaseURL></Representation></AdaptationSet></Period></MPD>"
        let texts = try DASHSource.playlists(Array(document.utf8)).texts
        #expect(
            texts.values.flatMap(DASHSource.segments).sorted() == [
                "0.999998 http://b.example/x/z/inner-0#video/0", "0.999998 https://d.example/outer-1#video/1",
            ])
    }

    @Test("Video becomes variants with all audio, and each audio set a track in its language")
    func tracks() throws {
        let media = "<SegmentTemplate duration=\"4\" media=\"$RepresentationID$\" initialization=\"i\"/>"
        func representation(_ id: String, _ rate: Int) -> String {
            "<Representation id=\"\(id)\" bandwidth=\"\(rate)\"/>"
        }
        let period =
            media + "<AdaptationSet mimeType=\"video/mp4\">" + representation("v1", 1000) + representation("v2", 5000)
            + "</AdaptationSet><AdaptationSet contentType=\"audio\" lang=\"en\">" + representation("a1", 100)
            + representation("a2", 300) + "</AdaptationSet><AdaptationSet mimeType=\"audio/mp4\" lang=\"de\">"
            + "<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\"main\"/>" + representation("a3", 200)
            + "</AdaptationSet><AdaptationSet mimeType=\"application/ttml+xml\">" + representation("t", 1)
            + "</AdaptationSet><AdaptationSet mimeType=\"video/mp4\"><EssentialProperty "
            + "schemeIdUri=\"http://dashif.org/guidelines/trickmode\" value=\"1\"/>" + representation("fast", 10)
            + "</AdaptationSet>"
        let playlists = try DASHSource.playlists(DASHSource.document(period))
        #expect(
            playlists.mainText() == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-STREAM-INF:BANDWIDTH=5300,AUDIO="audio"
                glissade-dash://video/0
                #EXT-X-STREAM-INF:BANDWIDTH=1300,AUDIO="audio"
                glissade-dash://video/1
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",LANGUAGE="en",DEFAULT=NO,URI="glissade-dash://audio/0"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",LANGUAGE="de",DEFAULT=YES,URI="glissade-dash://audio/1"

                """)
        #expect(playlists.texts["glissade-dash://audio/0"]?.contains("http://a.example/films/a2#audio/0\n") == true)
        let rest = playlists.mainText(without: ["glissade-dash://video/0", "glissade-dash://audio/1"])
        #expect(rest?.contains("video/1") == true && rest?.contains("audio/0") == true)
        #expect(rest?.contains("video/0") == false && rest?.contains("audio/1") == false)
        #expect(playlists.mainText(without: ["glissade-dash://video/0", "glissade-dash://video/1"]) == nil)
    }

    /// A set with one representation, named `id`, and with these descriptors.
    private func set(
        _ id: String, kind: String = "video", attributes: String = "", _ descriptors: (String, String, String)...
    ) -> String {
        let texts = descriptors.map { "<\($0.0) schemeIdUri=\"\($0.1)\" value=\"\($0.2)\"/>" }
        return "<AdaptationSet id=\"\(id)\" mimeType=\"\(kind)/mp4\" \(attributes)>\(texts.joined())"
            + "<SegmentTemplate duration=\"4\" media=\"$RepresentationID$\" initialization=\"i\"/>"
            + "<Representation id=\"\(id)\" bandwidth=\"1000\" codecs=\"avc1\"/></AdaptationSet>"
    }

    private func role(_ value: String) -> (String, String, String) { ("Role", "urn:mpeg:dash:role:2011", value) }

    /// The representations of the variants, in order.
    private func variants(_ sets: String...) throws -> [String] {
        let playlists = try DASHSource.playlists(DASHSource.document(sets.joined()))
        return (0..<playlists.texts.count).compactMap { playlists.texts["glissade-dash://video/\($0)"] }
            .flatMap(DASHSource.segments)
            .map { String($0.split(separator: "/").dropLast().last!.prefix { $0 != "#" }) }
    }

    @Test("Only the main video is offered in several qualities, not sign language or another camera")
    func roles() throws {
        #expect(try variants(set("a"), set("b")) == ["a", "b"])
        #expect(
            try variants(
                set("a", role("sign")), set("b"), set("c", role("main")), set("d", role("alternate")),
                set("e", role("supplementary")), set("f", role("alternate"), role("main"))) == ["b", "c", "f"])
        // Without a main one, a set without a role is the main one, or else the first one.
        #expect(try variants(set("a", role("sign")), set("b")) == ["b"])
        #expect(try variants(set("a", role("sign")), set("b", role("caption"))) == ["a"])
        // Unknown roles say nothing.
        #expect(try variants(set("a", role("")), set("b", role("MAIN\" x=\"y"))) == ["a", "b"])
        let sign = ("Accessibility", "urn:mpeg:dash:role:2011", "sign")
        #expect(try variants(set("a", sign), set("b")) == ["b"])
        #expect(try variants(set("a", role("main"), sign), set("b", role("main"))) == ["b"])
        func viewpoint(_ value: String) -> (String, String, String) { ("Viewpoint", "urn:x", value) }
        #expect(
            try variants(set("a", viewpoint("1")), set("b", viewpoint("2")), set("c", viewpoint("1"))) == ["a", "c"])
    }

    @Test("If the main video lists the sets between which a player may switch, no other sets are offered")
    func switching() throws {
        func list(_ value: String) -> (String, String, String) {
            ("SupplementalProperty", "urn:mpeg:dash:adaptation-set-switching:2016", value)
        }
        #expect(try variants(set("a", list("c, d")), set("b"), set("c"), set("d", list("a"))) == ["a", "c", "d"])
        #expect(try variants(set("a"), set("b", list("a")), set("c", list("b"))) == ["a", "b"])
        #expect(try variants(set("a", list("")), set("b")) == ["a"])
        let long = (0..<2000).map(String.init).joined(separator: ",")
        #expect(try variants(set("a", list(long)), set("5"), set("1000")) == ["a", "5"])
    }

    @Test("Audio tracks are named by their roles, and the main one is the default")
    func audioRoles() throws {
        let description = ("Accessibility", "urn:tva:metadata:cs:AudioPurposeCS:2007", "1")
        let hearing = ("Accessibility", "urn:tva:metadata:cs:AudioPurposeCS:2007", "2")
        let evil = role("main&#10;#EXT-X-KEY")
        let sets = [
            set("a", kind: "audio", role("alternate"), description), set("b", kind: "audio", role("commentary")),
            set("c", kind: "audio", hearing), set("d", kind: "audio", role("main"), role("dub")),
            set("e", kind: "audio", evil),
        ]
        func tracks(_ sets: some Sequence<String>) throws -> [String] {
            let text = try DASHSource.playlists(DASHSource.document(set("v") + sets.joined())).mainText() ?? ""
            return text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MEDIA") }.map {
                $0.split(separator: ",").dropFirst(2).dropLast().joined(separator: " ")
            }
        }
        #expect(
            try tracks(sets) == [
                "NAME=\"Audio description\" DEFAULT=NO", "NAME=\"Commentary\" DEFAULT=NO", "DEFAULT=NO",
                "NAME=\"Dubbed\" DEFAULT=YES", "DEFAULT=NO",
            ])
        // Without a main one, a track without a role is the default.
        #expect(try tracks(sets.prefix(3)).last == "DEFAULT=YES")
        #expect(try tracks(sets.prefix(2)).first == "NAME=\"Audio description\" DEFAULT=YES")
    }

    @Test("A manifest with only audio plays the first track, and offers the other ones")
    func onlyAudio() throws {
        let media = "<SegmentTemplate duration=\"4\" media=\"m\" initialization=\"i\"/>"
        let sets = ["en", "fr"].map {
            DASHSource.set(media, kind: "audio", codecs: "mp4a.40.2", attributes: "lang=\"\($0)\"")
        }
        let text = try DASHSource.playlists(DASHSource.document(sets.joined())).mainText()
        #expect(text?.contains("BANDWIDTH=1000,AUDIO=\"audio\"\nglissade-dash://audio/0\n") == true)
        #expect(text?.contains("LANGUAGE=\"fr\",DEFAULT=NO,URI=\"glissade-dash://audio/1\"") == true)
    }

    @Test("Segments to rewrite are marked with their stream and byte range, and the initialization is kept for them")
    func rewriting() throws {
        let text =
            "<BaseURL>film.mp4</BaseURL><SegmentList duration=\"4\" timescale=\"1\" presentationTimeOffset=\"3\">"
            + "<Initialization range=\"0-99\"/><SegmentURL mediaRange=\"100-299\"/></SegmentList>"
        let document = DASHSource.document(DASHSource.set(text, codecs: "avc1.64000c"))
        let playlists = try DASHSource.playlists(document)
        let playlist = try #require(playlists.texts["glissade-dash://video/0"])
        #expect(DASHSource.segments(playlist) == ["3.999998 http://a.example/films/film.mp4#video/0:100-300"])
        #expect(!playlist.contains("#EXT-X-MAP") && !playlist.contains("#EXT-X-BYTERANGE"))
        #expect(
            playlists.initializations == [
                "video/0": DASHStream.Initialization(
                    address: "http://a.example/films/film.mp4", range: 0..<100, offset: 7_000_000)
            ])
        #expect(playlists.isSeekable)
    }

    @Test("Of streams that cannot be rewritten, only one is played, and it cannot be sought")
    func otherCodecs() throws {
        let media = "<SegmentTemplate duration=\"4\" media=\"m\"/>"
        let whole = "<SegmentTemplate duration=\"4\" media=\"m\" initialization=\"i\"/>"
        let (known, other) = (DASHSource.set(whole, codecs: "hvc1.1"), DASHSource.set(media, codecs: "av01.0"))
        let both = try DASHSource.playlists(DASHSource.document(other + known + other))
        #expect(both.isSeekable && both.texts.count == 1)
        let others = try DASHSource.playlists(DASHSource.document(other + other))
        #expect(!others.isSeekable && others.texts.count == 1)
        // A segment without an initialization cannot be rewritten.
        let bare = DASHSource.set(media, codecs: "avc1")
        let alone = try DASHSource.playlists(DASHSource.document(bare + bare))
        #expect(!alone.isSeekable && alone.texts.count == 1 && alone.initializations.isEmpty)
    }

    private func representation(_ id: String, _ codecs: String, _ bitRate: Int) -> String {
        "<Representation id=\"\(id)\" codecs=\"\(codecs)\" bandwidth=\"\(bitRate)\"><SegmentTemplate duration=\"4\" "
            + "media=\"\(id)\" initialization=\"i\"/></Representation>"
    }

    @Test("Of an audio set, the best representation that can be sought is played, also beside a better one")
    func audioOfSeveralCodecs() throws {
        let better = representation("better", "opus", 256_000)
        for parts in [
            [better, representation("b", "mp4a.40.2", 128_000), representation("c", "mp4a.40.2", 64_000)],
            [representation("b", "mp4a.40.2", 300_000), better],
        ] {
            let audio = "<AdaptationSet mimeType=\"audio/mp4\">\(parts.joined())</AdaptationSet>"
            let playlists = try DASHSource.playlists(DASHSource.document(set("v") + audio))
            #expect(playlists.isSeekable && playlists.texts.count == 2)
            #expect(playlists.texts["glissade-dash://audio/0"]?.contains("/b#audio/0") == true)
        }
    }

    @Test("Of videos that cannot be rewritten, the best one up to 8 Mbit/s is played, or else the smallest one")
    func fixedBitRate() throws {
        func played(_ rates: Int...) throws -> String? {
            let parts = rates.map { representation("r\($0)", "av01.0", $0) }.joined()
            let video = "<AdaptationSet mimeType=\"video/mp4\">\(parts)</AdaptationSet>"
            let texts = try DASHSource.playlists(DASHSource.document(video)).texts
            #expect(texts.count == 1)
            return texts.values.first?.split(separator: "/").last?.prefix { $0 != "\n" }.description
        }
        #expect(try played(20_000_000, 5_000_000, 1_000_000) == "r5000000")
        #expect(try played(30_000_000, 20_000_000) == "r20000000")
    }

    @Test("Of audio tracks that cannot be rewritten, the main one is played")
    func fixedAudio() throws {
        let role = "<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value="
        func track(_ id: String, _ value: String) -> String {
            "<AdaptationSet mimeType=\"audio/mp4\">\(role)\"\(value)\"/>\(representation(id, "opus", 1000))</AdaptationSet>"
        }
        let document = DASHSource.document(track("commentary", "commentary") + track("main", "main"))
        let texts = try DASHSource.playlists(document).texts
        #expect(texts.count == 1 && texts.values.first?.contains("/main") == true)
    }

    @Test(
        "If the video or the audio cannot be rewritten, neither is, so that both have the same times",
        arguments: [("av01.0", "mp4a.40.2"), ("avc1.64000c", "opus")])
    func mixedCodecs(video: String, audio: String) throws {
        let text =
            "<BaseURL>film.mp4</BaseURL><SegmentList duration=\"2\"><Initialization range=\"0-99\"/>"
            + "<SegmentURL mediaRange=\"100-299\"/><SegmentURL media=\"b.mp4\"/></SegmentList>"
        let sets = DASHSource.set(text, codecs: video) + DASHSource.set(text, kind: "audio", codecs: audio)
        let playlists = try DASHSource.playlists(DASHSource.document(sets))
        #expect(playlists.initializations.isEmpty && !playlists.isSeekable)
        #expect(playlists.texts.keys.sorted() == ["glissade-dash://audio/0", "glissade-dash://video/0"])
        for playlist in playlists.texts.values {
            #expect(
                playlist == """
                    #EXTM3U
                    #EXT-X-VERSION:7
                    #EXT-X-PLAYLIST-TYPE:VOD
                    #EXT-X-MAP:URI="http://a.example/films/film.mp4",BYTERANGE="100@0"
                    #EXTINF:1.999998,
                    #EXT-X-BYTERANGE:200@100
                    http://a.example/films/film.mp4
                    #EXTINF:2.000000,
                    http://a.example/films/b.mp4
                    #EXT-X-TARGETDURATION:3
                    #EXT-X-ENDLIST

                    """)
        }
    }

    @Test("A number may have as many digits as the template asks for")
    func digits() throws {
        let text = "<SegmentTemplate duration=\"4\" media=\"$Number%010d$-$Time%01d$\"/>"
        let segments = DASHSource.segments(try DASHSource.playlist(DASHSource.set(text)))
        #expect(segments == ["3.999998 http://a.example/films/0000000001-0"])
    }

    @Test("What is not supported is refused with its reason")
    func refusals() {
        let media = "<SegmentTemplate duration=\"4\" media=\"m\"/>"
        let protection = "<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\"/>"
        #expect(DASHSource.failure(DASHSource.set(protection + media)) == .encrypted)
        #expect(DASHSource.failure(DASHSource.set(media + protection)) == .encrypted)
        #expect(
            DASHSource.failure(DASHSource.set(media) + DASHSource.set(protection + media, kind: "audio")) == .encrypted)
        #expect(DASHSource.failure(DASHSource.set(media) + "</Period><Period>") == .severalPeriods)
        #expect(DASHSource.failure(Array("<MPD type=\"dynamic\"><Period/></MPD>".utf8)) == .live)
        #expect(DASHSource.failure(Array("<MPD type=\"static\"><Period/></MPD>".utf8)) == .noStreams)
        #expect(DASHSource.failure(DASHSource.set(media, kind: "text")) == .noStreams)
        #expect(DASHSource.failure("<AdaptationSet mimeType=\"video/webm\"><Representation/></AdaptationSet>") == .webM)
        // What can be played is played.
        #expect(DASHSource.failure(DASHSource.set(media) + DASHSource.set(protection + media)) == nil)
    }
}
