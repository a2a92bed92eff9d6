import Geometry
import Presentation
import Testing
import Time

@testable import App

/// What the program says.
@Suite("Text")
struct TextTests {
    @Test(
        "Numbers have two decimals",
        arguments: [
            (0, "0.00"), (1.005, "1.00"), (1.999, "2.00"), (12.3, "12.30"), (-0.5, "-0.50"), (1e9, "1000000000.00"),
        ])
    func number(value: Double, text: String) {
        #expect(FrameTable.number(value) == text)
    }

    @Test("The table has a row for each cost, and dashes for what was not measured")
    func table() {
        let log = FrameLog()
        log.recordUpload(.milliseconds(2))
        let report = FrameReport(
            log, file: "film.mp4", renderer: "llvmpipe", window: PixelSize(width: 640, height: 360), scenario: "rest",
            frameRate: 25, due: 10, dropped: 1, started: HostTime(nanoseconds: 0))
        let lines = FrameTable.text(report).split(separator: "\n").map(String.init)
        #expect(lines[0] == "film.mp4  rest  640x360  llvmpipe")
        #expect(lines[1] == "frames     due 10   shown 0   dropped 1   repeated 0")
        func cells(_ row: String) -> [Substring]? {
            lines.first { $0.hasPrefix(row + " ") }?.dropFirst(row.count).split(separator: " ")
        }
        #expect(cells("ms") == ["p50", "p95", "p99", "max"])
        #expect(cells("upload") == ["2.00", "2.00", "2.00", "2.00"])
        for row in [
            "interval", "late", "decode", "prepare", "resolve", "compose", "draw", "swap", "loop", "a/v offset",
        ] {
            #expect(cells(row) == ["–", "–", "–", "–"])
        }
        let widths = Set(lines.suffix(12).map(\.count))
        #expect(widths.count == 1, "the columns stand under each other")
    }

    @Test("A line stays one, and says nothing to the terminal, whatever a file is called")
    func line() {
        #expect(Console.line("a film.mp4: no such file") == "a film.mp4: no such file")
        #expect(Console.line("ü 漢字 🎬 – “x”") == "ü 漢字 🎬 – “x”")
        #expect(
            Console.line("a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m"
                + "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test(
        "A window is titled by the file's name",
        arguments: [
            ("/films/a b.mp4", "a b.mp4 — Glissade"), ("film.mp4", "film.mp4 — Glissade"), ("/", "/ — Glissade"),
            ("http://host/x.m3u8", "x.m3u8 — Glissade"),
        ])
    @MainActor func title(location: String, title: String) {
        #expect(PlaybackSession.windowTitle(of: location) == title)
    }
}

/// When ordered screenshots fall due.
@Suite("Screenshot")
@MainActor struct ScreenshotTests {
    private func orders(_ times: Double...) -> Screenshots {
        Screenshots(times.map { .init(time: .seconds($0), path: "\($0).png") })
    }

    private func due(_ screenshots: inout Screenshots, _ position: Double, for duration: Double = 0.04) -> [String] {
        screenshots.takeDue(position: .seconds(position), duration: .seconds(duration)).map(\.path)
    }

    @Test("A picture is taken of the frame that is on show at that time, once")
    func within() {
        var screenshots = orders(0.05, 0.04, 0.08)
        #expect(due(&screenshots, 0) == [])
        #expect(due(&screenshots, 0.04) == ["0.04.png", "0.05.png"])
        #expect(due(&screenshots, 0.08) == ["0.08.png"])
        #expect(due(&screenshots, 0.12) == [])
        #expect(screenshots.isEmpty)
    }

    @Test("One whose frame was dropped shows the next, and a frame without a length is an instant")
    func missed() {
        var screenshots = orders(0.05, 1)
        #expect(due(&screenshots, 0.12) == ["0.05.png"])
        #expect(due(&screenshots, 0.99, for: 0) == [])
        #expect(screenshots.missed == ["1.0.png: not written: playing ended before 1.0 s"])
    }
}
