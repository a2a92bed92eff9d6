import Testing
import GlissadeTime
import GlissadeScreenProbe

@Suite("Frame statistics") struct FrameStatisticsTests {
    /// Statistics of observations ten milliseconds apart.
    private func statistics(_ observations: [FrameObservation], filmLength: Int? = nil) -> FrameSummary {
        var statistics = FrameStatistics(filmLength: filmLength)
        for (index, observation) in observations.enumerated() {
            statistics.add(observation, at: HostTime(nanoseconds: Int64(index) * 10_000_000))
        }
        return statistics.summary
    }
    private func frames(_ numbers: Int...) -> [FrameObservation] { numbers.map { .frame($0) } }

    @Test("Without frames there are no statistics")
    func nothing() {
        #expect(statistics([]) == FrameSummary())
        #expect(statistics([.black, .unreadable, .black]) == FrameSummary())
    }

    @Test("Each frame in a sequence counts once, however often it is observed")
    func ordered() {
        let summary = statistics(frames(7, 7, 8, 9, 9, 9, 10))
        #expect(summary.first == 7)
        #expect(summary.last == 10)
        #expect(summary.seen == 4)
        #expect(summary.seenFraction == 1)
        #expect(summary.missed == [])
        #expect(summary.backwards == 0)
        #expect(summary.intervals?.p50 == 20)
        #expect(summary.intervals?.max == 30)
        #expect(summary.firstAt == 0)
        #expect(summary.lastAt == 60_000_000)
    }

    @Test("A gap between the first and last frame counts as missed")
    func missed() {
        let summary = statistics(frames(3, 4, 7, 8, 10))
        #expect(summary.missed == [5, 6, 9])
        #expect(summary.seenFraction == 5.0 / 8)
    }

    @Test("A step back is counted, and frames it makes good are not missed")
    func backwards() {
        let summary = statistics(frames(3, 5, 4, 6))
        #expect(summary.backwards == 1)
        #expect(summary.missed == [])
    }

    @Test("Runs of black and unreadable pictures between frames are counted once each")
    func interruptions() {
        let summary = statistics(
            [.black, .frame(1), .black, .black, .frame(2), .unreadable, .black, .frame(2), .unreadable])
        #expect(summary.black == 2)
        #expect(summary.unreadable == 1)
        #expect(summary.seen == 2)
        #expect(summary.backwards == 0)
    }

    @Test("A video that starts over is counted on")
    func again() {
        let summary = statistics(frames(97, 98, 99, 0, 2, 3), filmLength: 100)
        #expect(summary.restarts == 1)
        #expect(summary.backwards == 0)
        #expect(summary.missed == [101])
        #expect(summary.last == 103)
        let back = statistics(frames(97, 98, 97, 99, 1, 0), filmLength: 100)
        #expect(back.backwards == 2)
        #expect(back.restarts == 1)
        #expect(statistics(frames(98, 99, 0)).backwards == 1, "a film of unknown length only goes back")
    }

    @Test("Positions of the picture are counted without counting frames again")
    func moved() {
        var statistics = FrameStatistics()
        for (index, left) in [0, 0, 10, 20, 10].enumerated() {
            let isNew = statistics.add(.frame(1), edges: left..<100, at: HostTime(nanoseconds: Int64(index)))
            #expect(isNew == (index != 1))
        }
        #expect(statistics.summary.seen == 1)
        #expect(statistics.summary.moves == 4)
        #expect(statistics.summary.positions == 3)
    }
}
