import GlissadeGeometry
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadeSubtitles

@Suite("Slow subtitles") struct SlowSubtitleTests {
    /// What drawing takes, as the test says.
    private final class Work: Sendable {
        let costs = Monitor<(time: Duration, next: [Duration], asked: Int)>((.zero, [], 0))

        /// The time before and after each drawing, by turns.
        func time() -> Duration {
            costs.withLock { costs in
                costs.asked += 1
                if costs.asked % 2 == 0, !costs.next.isEmpty { costs.time += costs.next.removeFirst() }
                return costs.time
            }
        }
    }

    private let work = Work()
    private let problems = Monitor<[PlaybackProblem]>([])

    private func line(_ text: String) throws -> SubtitleEvent {
        let line = try #require(SubtitleLine(event: "0,0,Default,,0,0,0,,\(text)"))
        return try #require(SubtitleEvent(start: 0, duration: 1_000_000_000, content: .line(line)))
    }

    private func makeRenderer() -> SubtitleRenderer {
        let (work, problems) = (work, problems)
        var renderer = SubtitleRenderer(
            report: { problem in problems.update { $0.append(problem) } }, workTime: work.time)
        var placement = SubtitlePlacement()
        placement.size = PixelSize(width: 320, height: 180)
        renderer.set(SubtitleSource(id: 1), for: placement)
        return renderer
    }

    /// Draws once with what each drawing takes, in milliseconds; whether anything is seen.
    private func draw(_ events: [SubtitleEvent], _ renderer: inout SubtitleRenderer, taking costs: [Int]) -> Bool {
        work.costs.update { $0.next = costs.map { .milliseconds($0) } }
        return renderer.picture(of: events, at: 500_000_000).image != nil
    }

    @Test("A line that took more than 100 ms to render is shown once, and then skipped and counted")
    func left() throws {
        var renderer = makeRenderer()
        let (quick, slow) = (try line("Quick"), try line("Slow"))
        // Fonts are looked for in the first drawing: that is no line's doing.
        #expect(draw([slow], &renderer, taking: [3000]))
        #expect(renderer.leftOutCount == 0 && problems.withLock { $0.isEmpty })
        #expect(draw([slow], &renderer, taking: [101]))
        #expect(renderer.leftOutCount == 1)
        #expect(!draw([slow], &renderer, taking: []))
        #expect(draw([quick], &renderer, taking: [100]))
        #expect(draw([quick, slow], &renderer, taking: [100]))
        #expect(renderer.leftOutCount == 1)
        #expect(problems.withLock { $0 } == [.subtitlesLeftOut(isAll: false)])
    }

    @Test("Among lines shown together the slow one is identified")
    func together() throws {
        var renderer = makeRenderer()
        let lines = try ["a", "b", "c"].map(line)
        #expect(draw(lines, &renderer, taking: [1]))
        #expect(draw(lines, &renderer, taking: [500, 1, 498, 1]))
        #expect(renderer.leftOutCount == 1)
        #expect(!draw([lines[1]], &renderer, taking: []))
        #expect(draw([lines[0], lines[2]], &renderer, taking: [2]))
    }

    @Test("A file of nothing but slow lines is given up after a while")
    func exhausted() throws {
        var renderer = makeRenderer()
        #expect(draw([try line("first")], &renderer, taking: [1]))
        for number in 0..<7 { #expect(draw([try line("\(number)")], &renderer, taking: [3000])) }
        #expect(renderer.leftOutCount == 7)
        #expect(!draw([try line("another")], &renderer, taking: []))
        #expect(problems.withLock { $0.last } == .subtitlesLeftOut(isAll: true))
        // Another source starts over.
        var placement = SubtitlePlacement()
        placement.size = PixelSize(width: 320, height: 180)
        renderer.set(SubtitleSource(id: 2), for: placement)
        #expect(draw([try line("another")], &renderer, taking: [1]))
    }
}
