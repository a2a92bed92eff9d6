import Foundation
import GlissadeGeometry
import GlissadePresentation
import Testing
import GlissadeTime

@testable import GlissadeBenchmark

/// Tables for a terminal.
@Suite("Text table")
struct TextTableTests {
    @Test("Columns are aligned, titles stand above their columns, and no line ends in spaces")
    func layout() {
        var table = TextTable([.init("name"), .init("frames", ["due", "shown"]), .init("loop", ["p50"])])
        table.add(["a", "1", "22", "3.00"])
        table.add(["longer", "100", "–"])
        #expect(
            table.text == """
                name        frames  loop
                        due  shown   p50
                a         1     22  3.00
                longer  100      –

                """)
    }

    @Test("A title wider than its columns fits, and column names may be missing")
    func wideTitle() {
        var table = TextTable([.init("x"), .init("a wide title"), .init("b")])
        table.add(["r", "1", "2"])
        #expect(table.text == "x  a wide title  b\nr             1  2\n")
        #expect(TextTable([.init("x")]).text == "x\n")
    }

    @Test(
        "Milliseconds below ten have two decimals, larger ones have one",
        arguments: [
            (0, "0.00"), (0.004, "0.00"), (9.99, "9.99"), (9.996, "10.0"), (16.67, "16.7"), (-2.5, "-2.50"),
            (-0.001, "0.00"), (.nan, "–"), (.infinity, "–"), (1e300, "–"),
        ])
    func milliseconds(value: Double, text: String) {
        #expect(TextTable.milliseconds(value) == text)
    }

    @Test(
        "Small numbers have three significant digits",
        arguments: [
            (0, "0.00"), (1e-9, "0.00"), (0.1032, "0.103"), (-0.00349, "-0.00349"), (0.0000288, "0.0000288"),
            (5.78, "5.78"), (123.456, "123.46"), (.nan, "–"), (1e300, "–"),
        ])
    func small(value: Double, text: String) {
        #expect(TextTable.small(value) == text)
    }

    @Test("Values that were not measured are shown as a dash")
    func unmeasured() {
        #expect(TextTable.milliseconds(nil) == "–")
        #expect(TextTable.small(nil) == "–")
    }
}

/// Reports of more than one run.
@Suite("Bench report")
struct BenchReportTests {
    /// A run in which each frame took `draw` and nothing else.
    private func report(
        _ scenario: String, draw: Double? = nil, resolved: Int = 0, uploaded: Int = 0,
        window: PixelSize = PixelSize(width: 640, height: 360), video: PixelSize? = nil
    ) -> FrameReport {
        let log = FrameLog()
        if let draw {
            for frame in 0..<3 {
                log.recordPresent(
                    compose: .zero, draw: .nanoseconds(Int64(draw * 1e6)), swap: .zero,
                    at: HostTime(nanoseconds: Int64(frame) * 40_000_000))
            }
        }
        for index in 0..<max(resolved, uploaded) {
            if index < resolved { log.recordConversion(.milliseconds(5)) }
            if index < uploaded { log.recordUpload(.milliseconds(1)) }
        }
        return FrameReport(
            log,
            of: FrameReport.Run(
                file: "film.mp4", renderer: "llvmpipe", window: window, scenario: scenario,
                started: HostTime(nanoseconds: 0)),
            film: FrameReport.Film(frameRate: 25, size: video, due: 10, dropped: 1))
    }

    private func json(_ value: some Encodable) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test("The combined report has every scenario's report, in order")
    func scenarios() throws {
        let all = try #require(ScenarioReport([report("rest", draw: 4), report("drag")], file: "film.mp4"))
        let json = try json(all)
        #expect(Set(json.keys) == ["version", "scenario", "file", "renderer", "window", "scenarios"])
        #expect(json["version"] as? Int == 1)
        #expect(json["scenario"] as? String == "all")
        let list = try #require(json["scenarios"] as? [[String: Any]])
        #expect(list.map { $0["scenario"] as? String } == ["rest", "drag"])
        #expect(list.allSatisfy { $0["cost_ms"] is [String: Any] })
        #expect(ScenarioReport([], file: "film.mp4") == nil)
    }

    @Test("The combined table has one row for each scenario, in aligned columns")
    func scenarioTable() throws {
        let all = try #require(
            ScenarioReport([report("rest", draw: 4), report("fullscreen", draw: 12.5)], file: "film.mp4"))
        let lines = all.table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "film.mp4  640x360  llvmpipe")
        let cells = lines[2...5].map { $0.split(separator: " ").map(String.init) }
        #expect(
            cells[0] == [
                "scenario", "frames", "interval", "decode", "prepare", "resolve", "upload", "compose", "draw", "swap",
                "loop",
            ])
        #expect(Array(cells[1].prefix(5)) == ["due", "shown", "dropped", "p50", "p99"])
        #expect(cells[2].first == "rest" && cells[3].first == "fullscreen")
        #expect(Set(cells[1...3].map(\.count)) == [22, 23], "the first column has no name beneath its title")
        #expect(Array(cells[2].suffix(2)) == ["4.00", "4.00"])
        #expect(Array(cells[3].suffix(2)) == ["12.5", "12.5"])
        #expect(Set(lines[2...5].map(\.count)).count == 1)
    }

    private func series(_ draws: [(Int, Double?)], _ kind: GrowthSeries.Kind = .layers) -> GrowthSeries {
        GrowthSeries(
            kind: kind,
            points: draws.compactMap { GrowthSeries.Point(report("rest", draw: $0.1), of: kind, count: $0.0) })
    }

    @Test("Growth is the slope of the medians, for each column and for the whole loop")
    func growth() throws {
        let series = series([(10, 1), (100, 10), (1000, 100)])
        for column in [GrowthSeries.Column.stage(.draw), .loop] {
            let fit = try #require(series.fit(column))
            #expect(abs(fit.slope - 0.1) < 0.001)
            #expect(abs(try #require(fit.exponent) - 1) < 0.01)
        }
        #expect(series.fit(.stage(.decode)) == nil)
        #expect(series.marginal(at: 0) == nil)
        #expect(abs(try #require(series.marginal(at: 2)) - 0.1) < 0.001)
    }

    @Test("The growth report has a point for each size, and null where nothing was measured")
    func growthJSON() throws {
        let report = try #require(GrowthReport([self.series([(10, 1), (100, nil)])]))
        let json = try json(report)
        #expect(Set(json.keys) == ["version", "scenario", "renderer", "series"])
        #expect(json["scenario"] as? String == "growth")
        let series = try #require((json["series"] as? [[String: Any]])?.first)
        #expect(Set(series.keys) == ["name", "unit", "scenario", "points", "fit"])
        #expect(series["name"] as? String == "layers" && series["unit"] as? String == "layer")
        let columns: Set = ["decode", "prepare", "resolve", "upload", "compose", "draw", "swap", "loop"]
        let fits = try #require(series["fit"] as? [String: Any])
        #expect(Set(fits.keys) == columns)
        #expect(fits.values.allSatisfy { $0 is NSNull }, "one point is no line")
        let points = try #require(series["points"] as? [[String: Any]])
        #expect(points.map { $0["x"] as? Double } == [10, 100])
        for point in points {
            #expect(Set(point.keys) == ["label", "x", "median_ms", "marginal_ms", "report"])
            #expect(point["marginal_ms"] is NSNull)
            #expect(Set(try #require(point["median_ms"] as? [String: Any]).keys) == columns)
        }
        #expect((points[0]["median_ms"] as? [String: Any])?["draw"] as? Double == 1)
        #expect((points[1]["median_ms"] as? [String: Any])?["draw"] is NSNull)
        #expect(GrowthReport([]) == nil)
        #expect(GrowthReport([self.series([])]) == nil)
    }

    @Test("A fit reports its slope, its intercept and its exponent")
    func fitJSON() throws {
        let fit = try #require(LinearFit([(0, 1), (1, 3)]))
        let json = try json(fit)
        #expect(json["slope_ms"] as? Double == 2 && json["intercept_ms"] as? Double == 1)
        #expect(json["exponent"] is NSNull)
    }

    @Test("The growth table has a row for each size, the slope and the exponent")
    func growthTable() {
        let lines = series([(10, 1), (100, 10)]).table.split(separator: "\n").map(String.init)
        let cells = lines.map { $0.split(separator: " ").map(String.init) }
        #expect(cells.map { $0[0] } == ["layers,", "10", "100", "ms", "exponent"])
        #expect(Array(cells[2].suffix(2)) == ["10.0", "0.100"])
        #expect(cells[3].last == "0.100" && cells[4].last == "1.00")
        #expect(lines[0].hasSuffix("loop  each more"))
    }

    @Test("Sizes are reported in megapixels as they really were, and a video without a picture has none")
    func areas() throws {
        let report = report(
            "rest", window: PixelSize(width: 1280, height: 720), video: PixelSize(width: 640, height: 500))
        let window = try #require(GrowthSeries.Point(report, of: .window, count: 0))
        #expect(window.label == "1280x720" && window.x == 0.9216)
        let video = try #require(GrowthSeries.Point(report, of: .video, count: 0))
        #expect(video.label == "640x500" && video.x == 0.32)
        #expect(GrowthSeries.Point(self.report("rest"), of: .video, count: 0) == nil)
    }

    @Test("The cost of one frame is not derived from the few that were converted on the loop")
    func exceptions() {
        let few = report("rest", resolved: 2, uploaded: 100)
        let most = report("rest", resolved: 60, uploaded: 100)
        #expect(GrowthSeries.cost(.stage(.resolve), of: few) == nil)
        #expect(GrowthSeries.cost(.stage(.resolve), of: most) != nil)
    }
}
