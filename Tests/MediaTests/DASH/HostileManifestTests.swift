import GlissadePlatform
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia

@Suite("Hostile DASH manifests")
struct HostileManifestTests {
    private func failure(_ template: String) -> DASHFailure? { DASHSource.failure(DASHSource.set(template)) }

    @Test("Impossible numbers are refused")
    func numbers() {
        let huge = "99999999999999999999"
        for text in ["0", "-1", huge, "x", "1e9"] {
            #expect(
                failure("<SegmentTemplate duration=\"4\" timescale=\"\(text)\" media=\"m\"/>") == .invalidSegments,
                "\(text)")
            #expect(
                failure("<SegmentTemplate duration=\"\(text)\" media=\"$Number$\"/>") == .invalidSegments, "\(text)")
        }
        for entry in [
            "d=\"0\"", "d=\"-5\"", "d=\"\(huge)\"", "t=\"0\"", "d=\"1\" t=\"-1\"", "d=\"1\" r=\"x\"",
            "d=\"9007199254740992\" r=\"9\"",
            "d=\"1\" r=\"-1\"/><S t=\"0\" d=\"1\"", "d=\"5\"/><S t=\"0\" d=\"5\"",
        ] {
            let text =
                "<SegmentTemplate media=\"$Number$\"><SegmentTimeline><S \(entry)/></SegmentTimeline></SegmentTemplate>"
            #expect(failure(text) == .invalidSegments, "\(entry)")
        }
        let late = "<SegmentBase indexRange=\"0-9\" presentationTimeOffset=\"9007199254740992\"/>"
        #expect(DASHSource.failure(DASHSource.set(late, codecs: "avc1")) == .invalidIndex)
        for attributes in ["startNumber=\"-1\"", "presentationTimeOffset=\"\(huge)\""] {
            #expect(failure("<SegmentTemplate duration=\"4\" media=\"m\" \(attributes)/>") == .invalidSegments)
        }
        for range in ["", "5", "5-", "-5", "5-4", "0-\(huge)", "a-b", "1-2-3"] {
            let text = "<SegmentList duration=\"1\"><SegmentURL mediaRange=\"\(range)\"/></SegmentList>"
            #expect(failure(text) == .invalidSegments, "\(range)")
            #expect(failure("<SegmentBase indexRange=\"\(range)\"/>") == .invalidIndex, "\(range)")
        }
        let list = "<SegmentList duration=\"9007199254740992\">" + String(repeating: "<SegmentURL/>", count: 9)
        #expect(failure(list + "</SegmentList>") == .invalidSegments)
        for duration in ["", "P", "PT", "-PT5S", "PT5", "PTS", "P1H", "PT9e99S", "PT99999999999S", "5"] {
            #expect(DASHManifest.seconds(duration) == nil || duration == "PT", "\(duration)")
        }
        #expect(DASHManifest.seconds("P1DT1H1M1.5S") == 90061.5)
    }

    @Test("Millions of segments are refused at once")
    func count() {
        let timeline = "<SegmentTimeline><S t=\"0\" d=\"1\" r=\"999999999\"/></SegmentTimeline>"
        #expect(failure("<SegmentTemplate media=\"$Number$\">\(timeline)</SegmentTemplate>") == .tooManySegments)
        #expect(
            failure("<SegmentTemplate timescale=\"1000000\" duration=\"1\" media=\"$Number$\"/>") == .tooManySegments)
        let long = String(repeating: "x", count: 3000)
        let many = "<SegmentTimeline><S t=\"0\" d=\"1\" r=\"99000\"/></SegmentTimeline>"
        #expect(failure("<SegmentTemplate media=\"\(long)$Number$\">\(many)</SegmentTemplate>") == .tooManySegments)
        let sets = String(
            repeating: DASHSource.set(
                "<SegmentTemplate media=\"\(long.prefix(100))$Number$\">\(many)</SegmentTemplate>"), count: 30)
        #expect(DASHSource.failure(sets) == .tooManySegments)
        let base = "<BaseURL>\(long)</BaseURL>"
        let list = "<SegmentList duration=\"1\">" + String(repeating: "<SegmentURL/>", count: 9000) + "</SegmentList>"
        #expect(failure(base + list) == .tooManySegments)
    }

    @Test("Nothing is translated once the user has given up")
    func cancellation() throws {
        let document = DASHSource.document(DASHSource.set("<SegmentBase indexRange=\"0-99\"/>"))
        #expect(throws: DASHFailure.noStreams) {
            try DASHPlaylists(
                DASHManifest(document), at: WebAddress(DASHSource.address)!, isCancelled: { true },
                readIndex: { _, _ in
                    Issue.record("an index was read")
                    return nil
                })
        }
    }

    /// Texts of 4 MiB, the most that is read, that take libxml2 as long as possible.
    private static let costlyTexts: [String: String] = [
        "attributes": String(
            repeating: "<AdaptationSet " + (0..<7000).map { "a\($0)=\"\"" }.joined(separator: " ") + "/>", count: 60),
        "defaults": "<!DOCTYPE MPD [<!ATTLIST S "
            + (0..<1000).map { "a\($0) CDATA \"\"" }.joined(separator: " ") + ">]><MPD><Period>"
            + String(repeating: "<S/>", count: 1_000_000),
        "prefixes": "<MPD "
            + (0..<2000).map { "xmlns:n\($0)=\"a\"" }.joined(separator: " ") + ">"
            + String(repeating: "<n0:a/>", count: 580_000),
    ]

    @Test("A document that would take libxml2 seconds is refused", arguments: ["attributes", "defaults", "prefixes"])
    func costly(kind: String) throws {
        let text = try #require(Self.costlyTexts[kind])
        #expect(text.utf8.count < 4 << 20)
        // Each takes libxml2 0.4 to 0.6 s, or many minutes.
        #expect(DASHSource.failure(kind == "attributes" ? DASHSource.document(text) : Array(text.utf8)) == .damaged)
    }

    @Test("A tag with hundreds of thousands of attributes is refused at once")
    func attributes() throws {
        var tag = "<AdaptationSet"
        for number in 0..<350_000 { tag += " a\(number)=\">\"" }
        let document = DASHSource.document(tag + "/>")
        // The thread's own time: others may have the processors.
        let clock = ThreadCPUClock.current
        let start = try #require(clock.cpuTime)
        #expect(DASHSource.failure(document) == .damaged)
        #expect(try #require(clock.cpuTime) - start < .seconds(10))
    }

    @Test("Of a thousand representations, as many are offered as of HLS variants")
    func representations() throws {
        let media = "<SegmentTemplate duration=\"4\" media=\"$RepresentationID$\" initialization=\"i\"/>"
        let video = DASHSource.set(media, codecs: "avc1")
        let audio = DASHSource.set(media, kind: "audio", codecs: "mp4a")
        let document = DASHSource.document(String(repeating: video, count: 500) + String(repeating: audio, count: 5000))
        let texts = try DASHSource.playlists(document).texts
        #expect(texts.keys.count { $0.contains("video") } == StreamVariant.limit)
        #expect(texts.count <= 2 * StreamVariant.limit)
    }

    @Test(
        "A template with an absurd width, an unknown variable or an unusable address is refused",
        arguments: [
            "$Number%0999d$", "$Number%00d$", "$Number%d$", "$Number%05x$", "$Number", "$SubNumber$", "$number$", "$",
            "file:///etc/passwd", "glissade-dash://video/0", "ftp://a.example/$Number$", "data:text/plain,x",
            "http://a$Number$.example/", "http://a.example:$Number$/", "%01$Number$",
            String(repeating: "$Number$", count: 9), "#$Number$", "//", "http://",
            "http://a.example/" + String(repeating: "x", count: 5000),
        ])
    func templates(template: String) {
        #expect(failure("<SegmentTemplate duration=\"4\" media=\"\(template)\"/>") == .invalidAddress)
        #expect(
            failure("<SegmentTemplate duration=\"4\" media=\"m\" initialization=\"\(template)\"/>") == .invalidAddress)
    }

    @Test(
        "A base URL that is not a web address is refused",
        arguments: ["file:///films/", "glissade-dash://main", "data:,", "rtmp://a.example/", "http://"])
    func bases(base: String) {
        #expect(failure("<BaseURL>\(base)</BaseURL><SegmentTemplate duration=\"4\" media=\"m\"/>") == .invalidAddress)
    }

    @Test("Nothing in a manifest adds a line or an attribute to a playlist")
    func injection() throws {
        let evil = "a&#10;#EXT-X-KEY:METHOD=AES-128,URI=&quot;k&quot;&#10;&quot;"
        let text =
            "<AdaptationSet mimeType=\"video/mp4\" lang=\"\(evil)\"><Representation id=\"\(evil)\">"
            + "<BaseURL>\(evil)/</BaseURL><SegmentTemplate duration=\"4\" media=\"\(evil)$RepresentationID$\" "
            + "initialization=\"\(evil)\"/></Representation></AdaptationSet>"
        let audio = DASHSource.set(
            "<SegmentTemplate duration=\"4\" media=\"m\"/>", kind: "audio", attributes: "lang=\"\(evil)\"")
        let playlists = try DASHSource.playlists(DASHSource.document(text + audio))
        for text in [playlists.mainText() ?? ""] + playlists.texts.values {
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("#EXT-X-KEY") })
            #expect(!text.contains("LANGUAGE"))
        }
    }

    @Test("Entities are not expanded, and no other file is read")
    func entities() {
        var declarations = "<!ENTITY a0 \"x\"><!ENTITY f SYSTEM \"file:///etc/passwd\">"
        for level in 1...20 {
            declarations += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        let text =
            "<!DOCTYPE MPD [\(declarations)]><MPD mediaPresentationDuration=\"PT4S\"><Period>"
            + DASHSource.set("<BaseURL>&a20;&f;</BaseURL><SegmentTemplate duration=\"4\" media=\"&a20;m\"/>")
            + "</Period></MPD>"
        // libxml2 may refuse the document, or read it without the entities.
        let texts = (try? DASHSource.playlists(Array(text.utf8)).texts) ?? [:]
        #expect(texts.values.allSatisfy { $0.utf8.count < 1000 && !$0.contains("root") })
    }

    @Test("A damaged, deep or foreign document is refused")
    func documents() {
        let media = DASHSource.set("<SegmentTemplate duration=\"4\" media=\"m\"/>")
        let whole = DASHSource.document(media)
        for count in stride(from: 0, to: whole.count, by: 7) {
            #expect(DASHSource.failure(Array(whole.prefix(count))) == .damaged, "\(count)")
        }
        #expect(DASHSource.failure(Array("<html><MPD/></html>".utf8)) == .damaged)
        let deep = "<MPD>" + String(repeating: "<Period>", count: 100_000)
        #expect(DASHSource.failure(Array(deep.utf8)) == .damaged)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = DASHSource.failure(bytes)
        }
    }

    @Test("A manifest is recognized by its root element")
    func recognition() {
        for start in [
            "<MPD>", "\u{FEFF}<MPD ", "<?xml version=\"1.0\"?>\r\n<!-- <a> -->\n<MPD\n",
            "<!DOCTYPE MPD>\n<dash:MPD a=\"b\"",
        ] {
            #expect(DASHManifest.isManifest(start.utf8) == true, "\(start)")
        }
        for start in ["", " ", "MPD", "<MPDs>", "<SAMI><MPD>", "#EXTM3U", "<xMPD>", "<!-- --> MPD"] {
            #expect(DASHManifest.isManifest(start.utf8) == false, "\(start)")
        }
        // There may be more.
        for start in ["<", "<MP", "<!-- <MPD>", "<?xml", "<?xml?> ", "<!DOCTYPE"] {
            #expect(DASHManifest.isManifest(start.utf8) == nil, "\(start)")
        }
    }

    @Test("A manifest is recognized behind comments of up to 64 KiB, and not more is read than that")
    func comments() {
        for (count, isManifest) in [(0, true), (2030, true), (2046, true), (65_500, true), (70_000, false)] {
            var rest = Array("<!--\(String(repeating: "x", count: count))--><MPD>".utf8)[...]
            let all = Array(rest)
            let (bytes, found) = DASHManifest.readStart { limit in
                defer { rest = rest.dropFirst(limit) }
                return Array(rest.prefix(limit))
            }
            #expect(found == isManifest, "\(count)")
            #expect(bytes == Array(all.prefix(bytes.count)) && bytes.count <= 64 << 10)
        }
        var sizes: [Int] = []
        _ = DASHManifest.readStart { limit in
            sizes.append(limit)
            return [UInt8](repeating: UInt8(ascii: "x"), count: limit)
        }
        #expect(sizes == [2048])
    }
}
