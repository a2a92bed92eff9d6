import GlissadeApp
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeBenchmark

/// The arithmetic of growth.
@Suite("Linear fit")
struct LinearFitTests {
    private func fitted(_ points: (Double, Double)...) -> LinearFit? { LinearFit(points.map { (x: $0.0, y: $0.1) }) }

    @Test("Points on a line through the origin give its slope and the exponent 1")
    func line() throws {
        let fit = try #require(fitted((10, 1), (30, 3), (100, 10), (1000, 100)))
        #expect(abs(fit.slope - 0.1) < 1e-12)
        #expect(abs(fit.intercept) < 1e-9)
        #expect(abs(try #require(fit.exponent) - 1) < 1e-12)
    }

    @Test("Points on a parabola give the exponent 2")
    func square() throws {
        let fit = try #require(fitted((1, 5), (2, 20), (4, 80), (8, 320)))
        #expect(abs(try #require(fit.exponent) - 2) < 1e-12)
    }

    @Test("A constant cost becomes the intercept and makes the exponent less than 1")
    func intercept() throws {
        let fit = try #require(fitted((0, 4), (10, 5), (20, 6)))
        #expect(abs(fit.slope - 0.1) < 1e-12)
        #expect(abs(fit.intercept - 4) < 1e-12)
        #expect(try #require(fit.exponent) < 0.5)
    }

    @Test("Scattered points give the least-squares line")
    func nearest() throws {
        // By hand: means 2 and 3, spread 2, common 3.
        let fit = try #require(fitted((1, 2), (2, 2), (3, 5)))
        #expect(abs(fit.slope - 1.5) < 1e-12)
        #expect(abs(fit.intercept) < 1e-12)
    }

    @Test("Far from the origin no precision is lost")
    func far() throws {
        let fit = try #require(fitted((1e9, 1), (1e9 + 1, 2), (1e9 + 2, 3)))
        #expect(abs(fit.slope - 1) < 1e-6)
    }

    @Test("No points, a single point, equal points and NaN give no line")
    func none() {
        #expect(LinearFit([]) == nil)
        #expect(fitted((1, 1)) == nil)
        #expect(fitted((2, 1), (2, 5)) == nil)
        #expect(fitted((1, 1), (2, .nan)) == nil)
        #expect(fitted((1, 1), (.infinity, 2)) == nil)
        #expect(fitted((1e308, 1), (-1e308, 2)) == nil)
    }

    @Test("Fewer than two positive points give no exponent")
    func noExponent() throws {
        #expect(try #require(fitted((0, 1), (1, 2))).exponent == nil)
        #expect(try #require(fitted((1, 0), (2, 1))).exponent == nil)
    }
}

/// What is run to see how costs grow.
@Suite("Growth plan")
struct GrowthPlanTests {
    @Test("The default plan has ten to a thousand layers, up to five windows, pages from none on and a step per video")
    func steps() {
        var options = LaunchOptions()
        options.locations = ["a.mp4", "b.mp4"]
        func steps(_ kind: GrowthSeries.Kind) -> [GrowthPlan.Step] { GrowthPlan.steps(of: kind, options) }
        #expect(steps(.layers).map(\.count) == [10, 30, 100, 300, 1000])
        #expect(steps(.layers).map { $0.run.pages.layers } == [10, 30, 100, 300, 1000])
        #expect(steps(.pages).map { $0.run.pages.pagesBeneath } == [0, 1, 2, 4, 8])
        #expect(steps(.window).first?.run.options.size == Size(width: 640, height: 360))
        #expect(steps(.window).last?.run.options.size == Size(width: 2560, height: 1440))
        #expect(steps(.video).map(\.run.options.locations) == [["a.mp4"], ["b.mp4"]])
        for kind in GrowthSeries.Kind.allCases where kind != .video {
            #expect(steps(kind).allSatisfy { $0.run.options.locations == ["a.mp4"] })
        }
        for kind in GrowthSeries.Kind.allCases {
            #expect(steps(kind).allSatisfy { $0.run.scenario == (kind == .pages ? .drag : .rest) })
            #expect(steps(kind).allSatisfy { $0.run.options.duration != nil && $0.run.options.player.isLooping })
        }
    }

    @Test("The requested window size and duration are used, except where the size itself grows")
    func asked() {
        var options = LaunchOptions()
        options.locations = ["a.mp4"]
        options.size = Size(width: 320, height: 180)
        options.duration = .seconds(1)
        for kind in GrowthSeries.Kind.allCases {
            for step in GrowthPlan.steps(of: kind, options) {
                #expect(step.run.options.duration == .seconds(1))
                if kind != .window { #expect(step.run.options.size == options.size) }
            }
        }
    }

    @Test("All layers have the same size and are visible in a window of any size", arguments: [0, 1, 7, 1000])
    func field(count: Int) {
        let images = [ImageID(rawValue: 1), ImageID(rawValue: 2)]
        for size in [Size(width: 1280, height: 720), Size(width: 100, height: 50), Size(width: 1, height: 1)] {
            let field = BenchmarkLayers.make(count, in: size, images: images)
            #expect(field.sublayers.count == count)
            #expect(field.sublayers.allSatisfy { $0.frame.size == Size(width: 32, height: 20) })
            if size.width > 36 {
                #expect(field.sublayers.allSatisfy { $0.frame.maxX <= size.width && $0.frame.maxY <= size.height })
            }
        }
        #expect(BenchmarkLayers.make(-1, in: .zero, images: []).sublayers.isEmpty)
    }

    @Test("A quarter of the layers each are colors, images, texts and rounded layers with a shadow")
    func kinds() {
        let field = BenchmarkLayers.make(400, in: Size(width: 1280, height: 720), images: [ImageID(rawValue: 1)])
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
