import GlissadeGeometry
import GlissadePresentation
import Testing
import GlissadeTime

@testable import GlissadeBenchmark

/// The table of one run.
@Suite("Frame table")
struct FrameTableTests {
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
            log,
            of: FrameReport.Run(
                file: "film.mp4", renderer: "llvmpipe", window: PixelSize(width: 640, height: 360), scenario: "rest",
                started: HostTime(nanoseconds: 0)),
            film: FrameReport.Film(frameRate: 25, due: 10, dropped: 1))
        let lines = FrameTable.text(report).split(separator: "\n").map(String.init)
        #expect(lines[0] == "film.mp4  rest  640x360  llvmpipe")
        #expect(lines[1] == "frames     due 10   shown 0   dropped 1   repeated 0")
        func cells(_ row: String) -> [Substring]? {
            lines.first { $0.hasPrefix(row + " ") }?.dropFirst(row.count).split(separator: " ")
        }
        #expect(cells("ms") == ["p50", "p95", "p99", "max"])
        #expect(cells("upload") == ["2.00", "2.00", "2.00", "2.00"])
        for row in [
            "interval", "late", "decode", "prepare", "resolve", "compose", "draw", "swap", "loop", "A/V offset",
        ] {
            #expect(cells(row) == ["–", "–", "–", "–"])
        }
        let widths = Set(lines.suffix(12).map(\.count))
        #expect(widths.count == 1, "the columns stand under each other")
    }
}
