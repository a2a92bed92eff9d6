import Foundation
import Motion
import Stage
import Testing
import Windowing

@testable import App

/// The arithmetic of growth.
struct LinearFitTests {
    private func fitted(_ points: (Double, Double)...) -> LinearFit? { LinearFit(points.map { (x: $0.0, y: $0.1) }) }

    @Test("points on a line through nothing: its slope, and 1 as the exponent")
    func line() throws {
        let fit = try #require(fitted((10, 1), (30, 3), (100, 10), (1000, 100)))
        #expect(abs(fit.slope - 0.1) < 1e-12)
        #expect(abs(fit.intercept) < 1e-9)
        #expect(abs(try #require(fit.exponent) - 1) < 1e-12)
    }

    @Test("points on a square: 2 as the exponent")
    func square() throws {
        let fit = try #require(fitted((1, 5), (2, 20), (4, 80), (8, 320)))
        #expect(abs(try #require(fit.exponent) - 2) < 1e-12)
    }

    @Test("what is paid once for all: the intercept, and an exponent below 1")
    func intercept() throws {
        let fit = try #require(fitted((0, 4), (10, 5), (20, 6)))
        #expect(abs(fit.slope - 0.1) < 1e-12)
        #expect(abs(fit.intercept - 4) < 1e-12)
        #expect(try #require(fit.exponent) < 0.5)
    }

    @Test("the nearest line where points lie beside it")
    func nearest() throws {
        // By hand: means 2 and 3, spread 2, common 3.
        let fit = try #require(fitted((1, 2), (2, 2), (3, 5)))
        #expect(abs(fit.slope - 1.5) < 1e-12)
        #expect(abs(fit.intercept) < 1e-12)
    }

    @Test("far from the origin nothing is lost")
    func far() throws {
        let fit = try #require(fitted((1e9, 1), (1e9 + 1, 2), (1e9 + 2, 3)))
        #expect(abs(fit.slope - 1) < 1e-6)
    }

    @Test("no line where there is none: no points, one, the same twice, and what is no number")
    func none() {
        #expect(LinearFit([]) == nil)
        #expect(fitted((1, 1)) == nil)
        #expect(fitted((2, 1), (2, 5)) == nil)
        #expect(fitted((1, 1), (2, .nan)) == nil)
        #expect(fitted((1, 1), (.infinity, 2)) == nil)
        #expect(fitted((1e308, 1), (-1e308, 2)) == nil)
    }

    @Test("no exponent where fewer than two points have logarithms")
    func noExponent() throws {
        #expect(try #require(fitted((0, 1), (1, 2))).exponent == nil)
        #expect(try #require(fitted((1, 0), (2, 1))).exponent == nil)
    }
}

/// Tables for a terminal.
struct TextTableTests {
    @Test("columns stand under each other, titles over theirs, and no line ends in blanks")
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

    @Test("a title wider than its columns has room; names beneath may be missing")
    func wideTitle() {
        var table = TextTable([.init("x"), .init("a wide title"), .init("b")])
        table.add(["r", "1", "2"])
        #expect(table.text == "x  a wide title  b\nr             1  2\n")
        #expect(TextTable([.init("x")]).text == "x\n")
    }

    @Test(
        "milliseconds have two digits behind the point, and one from ten on",
        arguments: [
            (0, "0.00"), (0.004, "0.00"), (9.99, "9.99"), (9.996, "10.0"), (16.67, "16.7"), (-2.5, "-2.50"),
            (-0.001, "0.00"), (.nan, "–"), (.infinity, "–"), (1e300, "–"),
        ])
    func milliseconds(value: Double, text: String) {
        #expect(TextTable.milliseconds(value) == text)
    }

    @Test(
        "small numbers have three digits that say something",
        arguments: [
            (0, "0.00"), (1e-9, "0.00"), (0.1032, "0.103"), (-0.00349, "-0.00349"), (0.0000288, "0.0000288"),
            (5.78, "5.78"), (123.456, "123.46"), (.nan, "–"), (1e300, "–"),
        ])
    func small(value: Double, text: String) {
        #expect(TextTable.small(value) == text)
    }

    @Test("what was not measured is a dash")
    func unmeasured() {
        #expect(TextTable.milliseconds(nil) == "–")
        #expect(TextTable.small(nil) == "–")
    }
}

/// Reports of more than one run.
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
            if index < resolved { log.recordResolution(.milliseconds(5)) }
            if index < uploaded { log.recordUpload(.milliseconds(1)) }
        }
        return FrameReport(
            log, file: "film.mp4", renderer: "llvmpipe", window: window, scenario: scenario, frameRate: 25,
            videoSize: video, due: 10, dropped: 1, started: HostTime(nanoseconds: 0))
    }

    private func json(_ value: some Encodable) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test("the report of all scenarios holds each one's, in their order")
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

    @Test("their table has a row each, and the columns stand under each other")
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

    @Test("growth is the slope of the medians, for each column and for all of the loop")
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

    @Test("its report has a point for each size, and null where nothing was measured")
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

    @Test("a fit tells its slope, its intercept and its exponent")
    func fitJSON() throws {
        let fit = try #require(LinearFit([(0, 1), (1, 3)]))
        let json = try json(fit)
        #expect(json["slope_ms"] as? Double == 2 && json["intercept_ms"] as? Double == 1)
        #expect(json["exponent"] is NSNull)
    }

    @Test("its table has a row for each size, the slope and the exponent")
    func growthTable() {
        let lines = series([(10, 1), (100, 10)]).table.split(separator: "\n").map(String.init)
        let cells = lines.map { $0.split(separator: " ").map(String.init) }
        #expect(cells.map { $0[0] } == ["layers,", "10", "100", "ms", "exponent"])
        #expect(Array(cells[2].suffix(2)) == ["10.0", "0.100"])
        #expect(cells[3].last == "0.100" && cells[4].last == "1.00")
        #expect(lines[0].hasSuffix("loop  one more"))
    }

    @Test("sizes are those that were, in millions of pixels; a film without a picture has none")
    func areas() throws {
        let report = report(
            "rest", window: PixelSize(width: 1280, height: 720), video: PixelSize(width: 640, height: 500))
        let window = try #require(GrowthSeries.Point(report, of: .window, count: 0))
        #expect(window.label == "1280x720" && window.x == 0.9216)
        let video = try #require(GrowthSeries.Point(report, of: .video, count: 0))
        #expect(video.label == "640x500" && video.x == 0.32)
        #expect(GrowthSeries.Point(self.report("rest"), of: .video, count: 0) == nil)
    }

    @Test("what a few frames took on the loop is not what one takes: resolving counts where most are resolved there")
    func exceptions() {
        let few = report("rest", resolved: 2, uploaded: 100)
        let most = report("rest", resolved: 60, uploaded: 100)
        #expect(GrowthSeries.cost(.stage(.resolve), of: few) == nil)
        #expect(GrowthSeries.cost(.stage(.resolve), of: most) != nil)
    }
}

/// What is run to see how costs grow.
struct GrowthPlanTests {
    @Test("layers from ten to a thousand, five windows, pages from none on, a step for each film")
    func steps() {
        var options = LaunchOptions()
        options.locations = ["a.mp4", "b.mp4"]
        func steps(_ kind: GrowthSeries.Kind) -> [GrowthPlan.Step] { GrowthPlan.steps(of: kind, options) }
        #expect(steps(.layers).map(\.count) == [10, 30, 100, 300, 1000])
        #expect(steps(.layers).map { $0.options.load?.layers } == [10, 30, 100, 300, 1000])
        #expect(steps(.pages).map { $0.options.load?.pagesBeneath } == [0, 1, 2, 4, 8])
        #expect(steps(.window).first?.options.size == Size(width: 640, height: 360))
        #expect(steps(.window).last?.options.size == Size(width: 2560, height: 1440))
        #expect(steps(.video).map(\.options.locations) == [["a.mp4"], ["b.mp4"]])
        for kind in GrowthSeries.Kind.allCases where kind != .video {
            #expect(steps(kind).allSatisfy { $0.options.locations == ["a.mp4"] })
        }
        for kind in GrowthSeries.Kind.allCases {
            #expect(steps(kind).allSatisfy { $0.options.scenario == (kind == .pages ? .drag : .rest) })
            #expect(steps(kind).allSatisfy { $0.options.duration != nil && $0.options.player.isLooping })
        }
    }

    @Test("what is asked for holds: the window's size but where it grows, and the time for each")
    func asked() {
        var options = LaunchOptions()
        options.locations = ["a.mp4"]
        options.size = Size(width: 320, height: 180)
        options.duration = .seconds(1)
        for kind in GrowthSeries.Kind.allCases {
            for step in GrowthPlan.steps(of: kind, options) {
                #expect(step.options.duration == .seconds(1))
                if kind != .window { #expect(step.options.size == options.size) }
            }
        }
    }

    @Test("every layer has the same size and is in sight, in a window of any size", arguments: [0, 1, 7, 1000])
    func field(count: Int) {
        let images = [ImageID(rawValue: 1), ImageID(rawValue: 2)]
        for size in [Size(width: 1280, height: 720), Size(width: 100, height: 50), Size(width: 1, height: 1)] {
            let field = LayerField.make(count, in: size, images: images)
            #expect(field.sublayers.count == count)
            #expect(field.sublayers.allSatisfy { $0.frame.size == Size(width: 32, height: 20) })
            if size.width > 36 {
                #expect(field.sublayers.allSatisfy { $0.frame.maxX <= size.width && $0.frame.maxY <= size.height })
            }
        }
        #expect(LayerField.make(-1, in: .zero, images: []).sublayers.isEmpty)
    }

    @Test("a quarter each of colours, images, texts and round ones with a shadow")
    func kinds() {
        let field = LayerField.make(400, in: Size(width: 1280, height: 720), images: [ImageID(rawValue: 1)])
        var counts: [String: Int] = [:]
        for layer in field.sublayers {
            switch layer.content {
            case .color: counts[layer.shadow == nil ? "color" : "shadow", default: 0] += 1
            case .image: counts["image", default: 0] += 1
            case .text: counts["text", default: 0] += 1
            default: counts["other", default: 0] += 1
            }
        }
        #expect(counts == ["color": 100, "image": 100, "text": 100, "shadow": 100])
    }
}
