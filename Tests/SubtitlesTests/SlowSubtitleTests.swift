import Geometry
import Platform
import Testing
import Time

@testable import Media
@testable import Subtitles

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

    private func makeSetter() -> SubtitleRenderer {
        let (work, problems) = (work, problems)
        var setter = SubtitleRenderer(
            report: { problem in problems.update { $0.append(problem) } }, workTime: work.time)
        var placement = SubtitlePlacement()
        placement.size = PixelSize(width: 320, height: 180)
        setter.set(SubtitleSource(id: 1), for: placement)
        return setter
    }

    /// Draws once with what each drawing takes, in milliseconds; whether anything is seen.
    private func draw(_ events: [SubtitleEvent], _ setter: inout SubtitleRenderer, taking costs: [Int]) -> Bool {
        work.costs.update { $0.next = costs.map { .milliseconds($0) } }
        return setter.picture(of: events, at: 500_000_000).image != nil
    }

    @Test("A line that took more than 100 ms to render is shown once, and then skipped and counted")
    func left() throws {
        var setter = makeSetter()
        let (quick, slow) = (try line("Quick"), try line("Slow"))
        // Fonts are looked for in the first drawing: that is no line's doing.
        #expect(draw([slow], &setter, taking: [3000]))
        #expect(setter.leftOutCount == 0 && problems.withLock { $0.isEmpty })
        #expect(draw([slow], &setter, taking: [101]))
        #expect(setter.leftOutCount == 1)
        #expect(!draw([slow], &setter, taking: []))
        #expect(draw([quick], &setter, taking: [100]))
        #expect(draw([quick, slow], &setter, taking: [100]))
        #expect(setter.leftOutCount == 1)
        #expect(problems.withLock { $0 } == [.subtitlesLeftOut(isAll: false)])
    }

    @Test("Among lines shown together the slow one is identified")
    func together() throws {
        var setter = makeSetter()
        let lines = try ["a", "b", "c"].map(line)
        #expect(draw(lines, &setter, taking: [1]))
        #expect(draw(lines, &setter, taking: [500, 1, 498, 1]))
        #expect(setter.leftOutCount == 1)
        #expect(!draw([lines[1]], &setter, taking: []))
        #expect(draw([lines[0], lines[2]], &setter, taking: [2]))
    }

    @Test("A file of nothing but slow lines is given up after a while")
    func exhausted() throws {
        var setter = makeSetter()
        #expect(draw([try line("first")], &setter, taking: [1]))
        for number in 0..<7 { #expect(draw([try line("\(number)")], &setter, taking: [3000])) }
        #expect(setter.leftOutCount == 7)
        #expect(!draw([try line("another")], &setter, taking: []))
        #expect(problems.withLock { $0.last } == .subtitlesLeftOut(isAll: true))
        // Another source begins anew.
        var placement = SubtitlePlacement()
        placement.size = PixelSize(width: 320, height: 180)
        setter.set(SubtitleSource(id: 2), for: placement)
        #expect(draw([try line("another")], &setter, taking: [1]))
    }
}
