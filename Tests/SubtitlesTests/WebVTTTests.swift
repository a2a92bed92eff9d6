import Foundation
import GlissadePicture
import Testing
import GlissadeTestSupport

@testable import GlissadeSubtitles

@MainActor @Suite("WebVTT") struct WebVTTTests {
    private func opened(_ text: String, width: Int = 640, height: Int = 360) throws -> SubtitleHarness {
        let harness = SubtitleHarness(width: width, height: height)
        #expect(harness.open(try Script.file("\(UUID().uuidString).vtt", text)) == .ready)
        return harness
    }

    @Test(
        "Styles, regions, notes and names do not hide the cues after them",
        arguments: [
            "STYLE\n::cue { color: lime }\n\n1\n", "STYLE\n::cue(b) {\n  color: red;\n}\n\nNOTE a\nb\n\n",
            "REGION\nid:one\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%\n\n", "name of a cue\n",
            "",
            "NOTE\n\nSTYLE\n::cue { color: #0f0 }\n",
        ])
    func blocks(before: String) throws {
        let harness = try opened(
            "WEBVTT - title\n\n\(before)00:00.000 --> 00:05.000\nhello\n\n00:06.000 --> 00:07.000\nagain\n")
        #expect(harness.current(1) == "hello" && harness.current(5.5) == nil && harness.current(6.5) == "again")
    }

    @Test("Lines may end with CR, LF or both", arguments: ["\r", "\n", "\r\n"])
    func lineEnds(end: String) throws {
        let text = "\u{FEFF}WEBVTT\n\n00:00.000 --> 00:02.000\none\ntwo\n\n01:00:00.5 --> 01:00:02,000\nlate"
        let harness = try opened(text.replacing("\n", with: end))
        #expect(harness.current(1) == "one\ntwo" && harness.current(3601) == "late")
    }

    @Test("Malformed times and empty cues are left out")
    func malformed() throws {
        let harness = try opened(
            """
            WEBVTT

            00:05.000 --> 00:01.000
            backwards

            x --> 00:02.000
            no time

            00:00.000 --> 99999999999:00.000
            too long

            00:01.000 --> 00:02.000

            00:03.000 --> 00:04.000
            good
            00:05.000 --> 00:06.000
            without a blank line
            """)
        #expect([0.5, 1.5, 3.5, 5.5].map { harness.current($0) } == [nil, nil, "good", "without a blank line"])
        for text in ["WEBVTT", "WEBVTT\n\n", "WEBVTT\n\n00:00.000 -->"] {
            guard case .failed = SubtitleHarness().open(try Script.file("\(UUID().uuidString).vtt", text)) else {
                Issue.record("\(text) has cues")
                continue
            }
        }
    }

    /// Where a cue with some settings is: its left and right edge, and its top and bottom one, in parts of the video.
    private func place(_ settings: String, text: String = "Text") throws -> (
        x: ClosedRange<Double>, y: ClosedRange<Double>
    ) {
        let harness = try opened("WEBVTT\n\n00:00.000 --> 00:03.000 \(settings)\n\(text)\n")
        return try Self.place(in: harness)
    }

    private static func place(in harness: SubtitleHarness) throws -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        let rect = try #require(harness.place(at: 1))
        return (
            Double(rect.minX) / 640...Double(rect.maxX) / 640, Double(rect.minY) / 360...Double(rect.maxY) / 360
        )
    }

    @Test("A cue without settings is centered at the bottom, as other text is")
    func unplaced() throws {
        let (x, y) = try place("")
        #expect(abs(x.lowerBound + x.upperBound - 1) < 0.02 && y.lowerBound > 0.85)
        let plain = SubtitleHarness()
        #expect(plain.open(try Script.file("plain.srt", Script.srt([(0, 3, "Text")]))) == .ready)
        let (plainX, plainY) = try Self.place(in: plain)
        #expect(x == plainX && y == plainY)
    }

    @Test(
        "A cue is at the place that its settings say",
        arguments: [
            ("line:0 position:0% align:start", 0.0, 0.0), ("line:0 position:100% align:end", 1.0, 0.0),
            ("line:0", 0.5, 0.0),
            ("line:-1 align:left", 0.0, 1.0), ("align:right", 1.0, 1.0), ("line:50%", 0.5, 0.5),
            ("line:50%,center position:50%", 0.5, 0.5), ("line:100%,end", 0.5, 1.0), ("line:99%", 0.5, 1.0),
            ("position:25% align:center line:0", 0.25, 0.0),
            ("position:80%,line-right align:center size:40% line:0", 0.6, 0.0),
            ("position:20% size:20% line:0", 0.2, 0.0), ("line:500", 0.5, 1.0), ("line:nonsense align:x", 0.5, 1.0),
        ])
    func places(settings: String, x: Double, y: Double) throws {
        let place = try place(settings)
        switch x {
        case 0: #expect(place.x.lowerBound < 0.08)
        case 1: #expect(place.x.upperBound > 0.92)
        default: #expect(abs((place.x.lowerBound + place.x.upperBound) / 2 - x) < 0.03)
        }
        switch y {
        case 0: #expect(place.y.lowerBound < 0.08)
        case 1: #expect(place.y.upperBound > 0.9 && place.y.upperBound <= 1)
        default: #expect(abs(place.y.lowerBound - y) < 0.08)
        }
    }

    @Test("Later lines from the top are lower, and lines from the bottom higher")
    func rows() throws {
        let tops = try [0, 1, 4].map { try place("line:\($0)").y.lowerBound }
        #expect(abs(tops[1] - tops[0] - 0.058) < 0.02 && abs(tops[2] - tops[0] - 4 * 0.058) < 0.03)
        let bottoms = try [-1, -2, -5].map { try place("line:\($0)").y.upperBound }
        #expect(abs(bottoms[0] - bottoms[1] - 0.058) < 0.02 && abs(bottoms[0] - bottoms[2] - 4 * 0.058) < 0.03)
    }

    @Test("A cue in a region is in the region's part of the video")
    func region() throws {
        let harness = try opened(
            """
            WEBVTT

            REGION
            id:top
            width:40%
            lines:3
            regionanchor:0%,0%
            viewportanchor:10%,10%

            00:00.000 --> 00:03.000 region:top align:start
            Text
            """)
        let (x, y) = try Self.place(in: harness)
        #expect(abs(x.lowerBound - 0.1) < 0.03 && y.lowerBound > 0.1 && y.upperBound < 0.1 + 4 * 0.058)
    }

    @Test("A cue with a line or a size of its own is not in its region", arguments: ["line:-1", "size:90%"])
    func outsideRegion(setting: String) throws {
        let harness = try opened(
            """
            WEBVTT

            REGION
            id:top
            regionanchor:0%,0%
            viewportanchor:10%,10%

            00:00.000 --> 00:03.000 region:top \(setting)
            Text
            """)
        #expect(try Self.place(in: harness).y.lowerBound > 0.85)
    }

    @Test("A line may be a fraction, which is rounded")
    func fractionalLine() throws {
        for (fraction, line) in [("2.4", 2), ("1.5", 2), ("-1.6", -2)] {
            #expect(try place("line:\(fraction)").y == place("line:\(line)").y, "\(fraction)")
        }
    }

    @Test("The color of a style or a class is used")
    func colors() throws {
        for (before, text) in [
            ("STYLE\n::cue { color: lime }\n\n", "Text"),
            ("STYLE\n::cue(.loud) { color: #00ff00; }\n\n", "<c.loud>Text</c>"),
            ("STYLE\n/* b { } */ ::cue /* all */ { color: /* not red */ lime }\n\n", "Text"),
            ("", "<c.lime>Text</c>"), ("STYLE\n::cue(b) { color: rgb(0, 255, 0) }\n\n", "<b>Text</b>"),
        ] {
            let harness = try opened("WEBVTT\n\n\(before)00:00.000 --> 00:03.000\n\(text)\n")
            #expect(harness.place(at: 1) != nil)
            let bitmap = try #require(harness.picture?.bitmap)
            #expect(bitmap.peak(1) > 200 && bitmap.peak(2) < 40, "\(before)\(text)")
        }
    }

    @Test(
        "Tags and references of a cue become those of SubStation Alpha",
        arguments: [
            ("a &amp; b &lt;c&gt; &#233;&#x41;", "a & b <c> éA"), ("<v Fred>Hi</v>\nyou", "Hi\\Nyou"),
            ("<b>bold</b> <i>it</i>", "{\\b1}bold{\\b0} {\\i1}it{\\i0}"), ("{x} \\N", "\\{x} \\\u{2060}N"),
            ("<00:01.000>a<ruby>b<rt>c</rt></ruby>", "abc"), ("1 < 2", "1 < 2"), ("&unknown; & &", "&unknown; & &"),
            ("<i>", ""), ("  ", ""), ("</b>x", "x"),
            // Only what is open can be closed, and unknown tags are as if they were not there.
            ("<i>a</b>b</i>c", "{\\i1}ab{\\i0}c"), ("<i>a<font>b</i>c", "{\\i1}ab{\\i0}c"),
            ("<b><i>a</b>b</i>c</b>d", "{\\b1}{\\i1}ab{\\i0}c{\\b0}d"),
            // Combining characters do not hide the signs before them.
            ("{\u{308}a}", "\\{\u{308}a}"), ("<\u{308}i>a", "a"), ("a&amp;\u{308}", "a&\u{308}"),
        ])
    func text(cue: String, ass: String) {
        #expect(CueText(WebVTT.Style()).ass(cue) == ass)
    }

    @Test("Unclosed tags cost no time")
    func unclosed() {
        #expect(CueText(WebVTT.Style()).ass(String(repeating: "<", count: 60_000)).count == 60_000)
    }

    @Test("Styles and lines without end are cut off, and hide no cue")
    func endless() throws {
        let styles = String(repeating: "::cue(.a) { color: red }\n", count: 20_000)
        let combining = "a" + String(repeating: "\u{301}", count: 200_000)
        let harness = try opened(
            "WEBVTT\n\nSTYLE\n::cue { color: lime }\n\nSTYLE\n\(styles)\nSTYLE\n::cue { color: red }\n\n"
                + "00:00.000 --> 00:03.000 \(String(repeating: "line:0 ", count: 100_000))\nText\n\n"
                + "00:04.000 --> 00:05.000\n\(combining)\n")
        #expect(try Self.place(in: harness).y.lowerBound < 0.08)
        let bitmap = try #require(harness.picture?.bitmap)
        #expect(bitmap.peak(1) > 200 && bitmap.peak(2) < 40, "the last style is beyond the limit")
        #expect(try #require(harness.current(4.5)).utf8.count <= SubtitleLine.longestText)
    }

    @Test("A track keeps the places of its cues")
    func track() throws {
        let cues = "WEBVTT\n\n00:00.000 --> 00:03.000 line:0 position:0% align:start\nText\n"
        let text = try Script.file("placed.vtt", cues)
        let path = try Clips.file("placed.webm", ffmpeg: ["-i", text, "-c:s", "copy"])
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(path, to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect(harness.current(1) == "Text")
        let (x, y) = try Self.place(in: harness)
        #expect(x.lowerBound < 0.08 && y.lowerBound < 0.08)
    }
}
