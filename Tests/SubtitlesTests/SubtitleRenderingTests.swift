import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeSubtitles

@MainActor @Suite("Showing subtitles", .serialized) struct SubtitleRenderingTests {
    private let three = Script.srt([
        (1, 2, "The first line"), (2.5, 4.001, "The second line\nof two"), (4.001, 6, "The third"),
    ])

    @Test("A line is shown from its first nanosecond to its last")
    func exact() throws {
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file("exact.srt", three)) == .ready)
        let second: Int64 = 1_000_000_000
        for (from, until) in [(second, 2 * second), (5 * second / 2, 4_001_000_000)] {
            #expect(harness.settle(from - 1))
            #expect(harness.picture == nil)
            #expect(harness.waitUntilReady(at: from))
            guard case .show = harness.frame(from) else {
                Issue.record("nothing at \(from)")
                return
            }
            #expect(harness.frame(from + 1) == .unchanged)
            #expect(harness.frame(until - 1) == .unchanged)
            guard until == 2 * second else { continue }
            #expect(harness.frame(until) == .clear)
        }
        // One line ends as the next begins.
        #expect(harness.waitUntilReady(at: 4_001_000_000))
        guard case .show = harness.frame(4_001_000_000) else {
            Issue.record("no line in its turn")
            return
        }
        #expect(harness.waitUntilReady(at: 6 * second))
        #expect(harness.frame(6 * second - 1) == .unchanged)
        #expect(harness.frame(6 * second) == .clear)
    }

    @Test(
        "Plain text is white with a dark outline, centered at the bottom, a twentieth of the height",
        arguments: [(640, 360), (1280, 720), (320, 240)])
    func look(width: Int, height: Int) throws {
        let harness = SubtitleHarness(width: width, height: height)
        harness.open(try Script.file("look.srt", Script.srt([(1, 2, "Hx")])))
        let place = try #require(harness.place(at: 1.5))
        let bitmap = try #require(harness.picture?.bitmap)
        #expect(PixelRect(minX: 0, minY: 0, maxX: width, maxY: height).contains(place))
        #expect(bitmap.size == place.size && !bitmap.isEmpty)
        #expect(bitmap.isPremultiplied && bitmap.isTight)
        for channel in 0..<4 { #expect(bitmap.peak(channel) > 245) }
        #expect(abs(place.minX + place.maxX - width) <= width / 50)
        #expect(place.minY > height * 8 / 10 && place.maxY < height)
        // A capital is 0.73 of the em, and has an outline above and below.
        let capital = Double(place.height) / Double(height)
        #expect((0.036...0.056).contains(capital), "\(capital)")
        #expect(bitmap.pixels.count < width * height)
    }

    @Test("Text is scaled by the size setting, and moves above what covers it")
    func scaleAndMargin() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("scale.srt", Script.srt([(1, 2, "Size")])))
        let small = try #require(harness.place(at: 1.5))
        harness.subtitles.scale = 2
        // What is on show stays until the new picture is there.
        #expect(harness.frame(1_500_000_000) != .clear)
        let large = try #require(harness.place(at: 1.5))
        for (once, twice) in [(small.width, large.width), (small.height, large.height)] {
            // Each edge is rounded up to a pixel.
            #expect(abs(twice - 2 * once) <= 8, "\(once), \(twice)")
        }
        harness.subtitles.scale = 1
        harness.subtitles.prepare(size: PixelSize(width: 640, height: 360), bottomMargin: 100)
        let lifted = try #require(harness.place(at: 1.5))
        #expect(lifted.maxY <= 260 && lifted.maxY >= small.maxY - 100 - 4 && lifted.size == small.size)
        harness.subtitles.prepare(size: PixelSize(width: 640, height: 360), bottomMargin: .max)
        #expect(try #require(harness.place(at: 1.5)).minY >= 0)
        harness.subtitles.scale = .nan
        #expect(harness.place(at: 1.5) != nil)
    }

    @Test("A delay shifts lines later, and file times count from the media's start")
    func delay() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("delay.srt", Script.srt([(1, 2, "Late")])))
        harness.subtitles.delay = .milliseconds(2500)
        #expect(harness.place(at: 1.5) == nil)
        #expect(harness.place(at: 3.6) != nil)
        #expect(harness.current(3.6) == "Late" && harness.current(1.5) == nil)
        #expect(harness.subtitles.nextChange(after: MediaTime(seconds: 0)) == MediaTime(seconds: 3.5))
        harness.subtitles.delay = .zero
        harness.subtitles.mediaStart = MediaTime(seconds: 10)
        #expect(harness.place(at: 1.5) == nil)
        #expect(harness.place(at: 11.5) != nil)
        harness.subtitles.delay = .seconds(-11)
        #expect(harness.place(at: 0.5) != nil)
    }

    @Test("Tags for alignment, position and color are obeyed")
    func tags() throws {
        let harness = SubtitleHarness()
        let script = Script.ass([
            "0:00:01.00,0:00:02.00,{\\an8}Top", "0:00:02.00,0:00:03.00,{\\pos(100,180)\\an5}Here",
            "0:00:03.00,0:00:04.00,{\\c&H0000FF&\\bord0}Red",
            "0:00:05.00,0:00:06.00,{\\p1}m 0 0 l 50 0 50 50 0 50{\\p0}",
        ])
        harness.open(try Script.file("tags.ass", script))
        let top = try #require(harness.place(at: 1.5))
        #expect(top.maxY < 60)
        let here = try #require(harness.place(at: 2.5))
        #expect(abs(here.minX + here.maxX - 200) < 8 && abs(here.minY + here.maxY - 360) < 24)
        #expect(harness.picture?.bitmap.peak(1) == 255 && harness.picture?.bitmap.peak(2) == 0)
        #expect(harness.place(at: 3.5) != nil)
        #expect(harness.picture?.bitmap.peak(2) == 255 && harness.picture?.bitmap.peak(1) == 0)
        #expect(harness.place(at: 4.5) == nil)
        #expect(harness.place(at: 5.5) != nil)
        #expect(harness.current(5.5) == nil)
        #expect(harness.current(1.5) == "Top")
        // In plain text as well.
        harness.open(try Script.file("tags.srt", Script.srt([(1, 2, "{\\an8}<i>Up</i>"), (3, 4, "Down")])))
        #expect(try #require(harness.place(at: 1.5)).maxY < 60)
        #expect(harness.current(1.5) == "Up")
        #expect(try #require(harness.place(at: 3.5)).minY > 280)
    }

    @Test("Positioned text stays in place when other lines are raised")
    func signsStay() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("sign.ass", Script.ass(["0:00:01.00,0:00:02.00,{\\pos(320,340)}Sign"])))
        let place = try #require(harness.place(at: 1.5))
        harness.subtitles.prepare(size: PixelSize(width: 640, height: 360), bottomMargin: 120)
        #expect(harness.place(at: 1.5) == place)
    }

    @Test("Chinese, Japanese, Korean and Arabic are rendered", arguments: ["你好，世界", "こんにちは", "안녕하세요", "مرحبا بالعالم"])
    func scripts(text: String) throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("script-\(text.hashValue).srt", Script.srt([(1, 2, text)])))
        let place = try #require(harness.place(at: 1.5))
        #expect(place.width > 40 && harness.picture?.bitmap.peak(1) == 255)
        #expect(harness.current(1.5) == text)
    }

    @Test("Long text is wrapped, with and without spaces", arguments: ["字幕很长", "words and "])
    func breaking(text: String) throws {
        let harness = SubtitleHarness()
        let long = String(repeating: text, count: 100 / text.count)
        harness.open(try Script.file("long-\(text.count).srt", Script.srt([(1, 2, text), (3, 4, long)])))
        let one = try #require(harness.place(at: 1.5))
        let several = try #require(harness.place(at: 3.5))
        #expect(several.width <= 640 * 88 / 100 + 4 && several.height >= one.height * 2 && several.maxY <= 360)
    }

    @Test("Simultaneous lines are stacked and keep their places when one ends")
    func overlapping() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("overlap.srt", Script.srt([(1, 3, "Below"), (2, 4, "Above")])))
        let one = try #require(harness.place(at: 1.5))
        let both = try #require(harness.place(at: 2.5))
        #expect(both.maxY >= one.maxY && both.height > one.height * 3 / 2)
        let rest = try #require(harness.place(at: 3.5))
        #expect(rest.maxY < one.minY + 4)
        #expect(harness.current(2.5) == "Below\nAbove")
        // The same comes of going there at once.
        #expect(harness.place(at: 10) == nil)
        #expect(harness.place(at: 2.5) == both)
    }

    @Test("Animated lines are rendered again for each video frame, and others are not")
    func animated() throws {
        let harness = SubtitleHarness()
        harness.open(
            try Script.file(
                "moving.ass",
                Script.ass([
                    "0:00:01.00,0:00:02.00,{\\move(100,100,500,100)}Go", "0:00:03.00,0:00:05.00,{\\fad(500,500)}Fade",
                ])))
        harness.subtitles.prepare(size: PixelSize(width: 640, height: 360), frameRate: 25)
        var places: [Int] = []
        for frame in 0..<25 {
            #expect(harness.settle(1_000_000_000 + Int64(frame) * 40_000_000))
            places.append(try #require(harness.picture).place.minX)
        }
        #expect(places == places.sorted() && Set(places).count == 25)
        #expect((380...400).contains(places[24] - places[0]))
        // While a line has its full strength the same picture stays.
        #expect(harness.settle(3_200_000_000))
        let faint = try #require(harness.picture).bitmap.peak(3)
        #expect(faint > 40 && faint < 200)
        #expect(harness.settle(3_600_000_000))
        #expect(harness.picture?.bitmap.peak(3) == 255)
        for frame in 1..<20 {
            #expect(harness.waitUntilReady(at: 3_600_000_000 + Int64(frame) * 40_000_000))
            #expect(harness.frame(3_600_000_000 + Int64(frame) * 40_000_000) == .unchanged)
        }
        #expect(harness.place(at: 5) == nil)
    }

    @Test("A file without lines creates no thread")
    func noThread() throws {
        let before = try ProcessStatus.threadCount()
        let harness = SubtitleHarness()
        #expect(harness.frame(0) == .unchanged)
        #expect(harness.frame(1_000_000_000) == .unchanged)
        #expect(!harness.subtitles.isActive)
        #expect(!harness.subtitles.pipeline.state.withLock { $0.hasThread })
        #expect(try ProcessStatus.threadCount() <= before)
    }

    @Test("The previous, current and next line are available as text, with the time of the next change")
    func text() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("text.srt", three))
        func lines(_ seconds: Double) -> SubtitleLines {
            harness.subtitles.lines(around: MediaTime(seconds: seconds))
        }
        #expect(lines(0) == SubtitleLines(next: "The first line"))
        #expect(lines(1) == SubtitleLines(current: "The first line", next: "The second line\nof two"))
        #expect(lines(2) == SubtitleLines(previous: "The first line", next: "The second line\nof two"))
        #expect(
            lines(3)
                == SubtitleLines(
                    previous: "The first line", current: "The second line\nof two", next: "The third"))
        #expect(lines(9) == SubtitleLines(previous: "The third"))
        func next(_ seconds: Double) -> Double? {
            harness.subtitles.nextChange(after: MediaTime(seconds: seconds))?.seconds
        }
        #expect([0, 1, 2, 3, 5].map(next) == [1, 2, 2.5, 4.001, 6] && next(6) == nil)
    }
}
