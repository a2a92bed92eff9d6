import ArgumentParser
import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeTime
import GlissadeScreenProbe

/// Measures how long after a motion of the pointer the page that it drags has moved on the screen.
struct Respond: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Drag the page by single motions, and time each until the page has moved on the screen.",
        discussion: """
            The page is taken hold of, dragged aside by one motion, then moved to and fro by steps at random moments. Each \
            motion is timed from before it is sent until the server reports the drawing that moved the page's left edge. \
            Prints JSON: the first motion, and the median, 95th percentile and worst of the others, in milliseconds; \
            'unanswered' motions moved nothing within a quarter of a second.
            """)

    @Option(help: ArgumentHelp("The X server; DISPLAY's, if none is given.", valueName: ":number")) var display: String?
    @Option(
        help: ArgumentHelp("Where the picture is. The whole screen, if not given.", valueName: "x,y,w,h"),
        transform: { text in
            guard let region = Region(text) else { throw ValidationError("a region is X,Y,WIDTH,HEIGHT") }
            return region
        })
    var region: Region?
    @Option(help: ArgumentHelp("Motions to time.", valueName: "count")) var motions = 250
    @Option(help: ArgumentHelp("Pixels of a motion.", valueName: "pixels")) var distance = 7

    func validate() throws {
        guard (1...10_000).contains(motions) else { throw ValidationError("--motions is 1 to 10000") }
        guard (1...100).contains(distance) else { throw ValidationError("--distance is 1 to 100") }
    }

    private struct Result: Encodable {
        var motions: Int
        var unanswered: Int
        var first: Double?
        var median: Double?
        var p95: Double?
        var worst: Double?
    }

    func run() throws {
        let screen = try XScreen(display)
        guard screen.hasPointer else { throw ValidationError("the X server has no XTEST extension") }
        let region = region ?? screen.whole
        var tracker = RegionTracker(
            region, columns: [.fraction(0.97), .fraction(0.9), .fraction(0.8)], findsEdges: true)
        guard screen.watchDrawing() else { throw ValidationError("the X server has no DAMAGE extension") }
        var pointer = Point(
            x: Double(region.x.lowerBound) + Double(region.x.count) * 0.05,
            y: Double(region.y.lowerBound) + Double(region.y.count) * 0.5)
        var edge: Int?

        /// Follows the page until `deadline`, or until its edge has left `start`; when that was drawn.
        func follow(until deadline: HostTime, from start: Int? = nil) -> HostTime? {
            while let drawing = screen.waitForDrawing(until: deadline) {
                guard drawing.areas.contains(where: region.overlaps) else { continue }
                guard let left = tracker.look(at: screen, at: drawing.time).edges?.lowerBound else { continue }
                edge = left
                if let start, left != start { return drawing.time }
            }
            return nil
        }
        /// Moves the pointer by `x` and times the page; nil if it has not moved.
        func time(by x: Double) -> Double? {
            guard let start = edge else { return nil }
            pointer.x += x
            let sent = HostTime.now()
            screen.movePointer(to: pointer)
            return follow(until: sent + .milliseconds(250), from: start).map { ($0 - sent).inMilliseconds }
        }

        screen.movePointer(to: pointer)
        _ = follow(until: .now() + .milliseconds(500))
        screen.setButton(1, isPressed: true)
        _ = follow(until: .now() + .milliseconds(100))
        let first = time(by: Double(region.x.count) * 0.2)
        _ = follow(until: .now() + .milliseconds(300))
        var times: [Double] = []
        for number in 0..<motions {
            // To and fro, twenty steps each way.
            let direction = number / 20 % 2 == 0 ? 1.0 : -1
            if let time = time(by: direction * Double(distance)) { times.append(time) }
            _ = follow(until: .now() + .microseconds(Int.random(in: 30_000...80_000)))
        }
        screen.movePointer(to: Point(x: pointer.x - Double(region.x.count) * 0.2, y: pointer.y))
        screen.setButton(1, isPressed: false)
        times.sort()
        let result = Result(
            motions: motions, unanswered: motions - times.count, first: first,
            median: times.isEmpty ? nil : times[times.count / 2],
            p95: times.isEmpty ? nil : times[min(times.count - 1, times.count * 95 / 100)], worst: times.last)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(result), as: UTF8.self))
    }
}
