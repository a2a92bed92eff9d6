import Testing
import GlissadeTime
import GlissadeScreenProbe

@Suite("Frame timeline") struct FrameTimelineTests {
    /// Looks ten milliseconds apart, each in a window.
    private func timeline(_ looks: [(FrameObservation, UInt)], filmLength: Int? = nil) -> FrameTimeline {
        var timeline = FrameTimeline(filmLength: filmLength)
        for (index, look) in looks.enumerated() { timeline.add(look.0, window: look.1, at: time(index)) }
        timeline.end(at: time(looks.count))
        return timeline
    }
    private func time(_ look: Int) -> HostTime { HostTime(nanoseconds: Int64(look) * 10_000_000) }
    private func frames(_ numbers: Int..., window: UInt = 1) -> [(FrameObservation, UInt)] {
        numbers.map { (.frame($0), window) }
    }

    @Test("The timeline counts due, seen and missed frames and the longest-shown one")
    func seen() {
        let summary = timeline(frames(5, 5, 6, 8, 8, 8, 9)).summary()
        #expect((summary.first, summary.last, summary.due, summary.seen) == (5, 9, 5, 4))
        #expect(summary.missed == [7])
        #expect(summary.seenFraction == 0.8)
        #expect(summary.stand?.max == 30 && summary.stand?.number == 8)
        #expect(summary.backwards == 0)
    }

    @Test("A step back within one window is counted")
    func backwards() {
        #expect(timeline(frames(5, 6, 5, 6, 7)).summary().backwards == 1)
    }

    @Test("A frame shown in two windows counts once, and an older one in the other window is no step back")
    func handover() {
        let same = timeline(frames(5, 6) + frames(6, 7, window: 2)).summary()
        #expect((same.handovers, same.handoverLag, same.backwards, same.seen) == (1, 0, 0, 3))
        #expect(same.stand?.max == 20, "6 stood in both")
        let older = timeline(frames(5, 6) + frames(5, 6, 7, window: 2) + frames(8)).summary()
        #expect((older.handovers, older.handoverLag, older.backwards) == (2, 1, 0))
        #expect(older.missed == [])
        #expect(older.stand?.max == 30, "6 stood until 7 came")
        let back = timeline(frames(5, 6) + frames(6, 5, window: 2)).summary()
        #expect(back.backwards == 1, "in the second window")
    }

    @Test("Black and unreadable pictures are counted separately, with the longest run of each")
    func gaps() {
        let looks: [(FrameObservation, UInt)] =
            [(.black, 0)] + frames(1) + [(.black, 0), (.black, 0), (.unreadable, 1)] + frames(1, 2) + [(.black, 0)]
        let summary = timeline(looks).summary()
        #expect((summary.black, summary.longestBlack) == (2, 20))
        #expect((summary.unreadable, summary.longestUnreadable) == (1, 10))
        #expect(summary.seen == 2)
    }

    @Test("Black at the end counts, and anything before the first frame does not")
    func ends() {
        #expect(timeline([(.black, 0), (.unreadable, 0), (.black, 0)]).summary() == Phase.Summary())
        let summary = timeline(frames(1) + [(.black, 0), (.black, 0)]).summary()
        #expect((summary.black, summary.longestBlack) == (1, 20))
        #expect(summary.stand?.max == 30)
    }

    @Test("A phase includes frames that were on screen across its ends")
    func phases() {
        let timeline = timeline(frames(1, 2, 4, 4, 4, 5) + [(.black, 0)] + frames(6, 5))
        let first = timeline.summary(time(0)..<time(2))
        #expect((first.first, first.last, first.missed, first.black) == (1, 2, [], 0))
        let middle = timeline.summary(time(3)..<time(4))
        #expect((middle.seen, middle.stand?.max) == (1, 30))
        let last = timeline.summary(time(6)..<time(9))
        #expect((last.first, last.last, last.black, last.backwards) == (5, 6, 1, 1))
        #expect(timeline.summary(time(1000)..<time(1001)) == Phase.Summary())
    }

    @Test("A video that restarts is counted on")
    func again() {
        let summary = timeline(frames(97, 98, 99, 0, 2), filmLength: 100).summary()
        #expect((summary.first, summary.last, summary.missed, summary.backwards) == (97, 102, [101], 0))
        #expect(timeline(frames(98, 99, 0)).summary().backwards == 1, "a film of unknown length only goes back")
    }

    @Test("A phase is parsed from a line, and malformed lines are refused")
    func read() {
        #expect(Phase("in 1,5,10") == Phase(name: "in 1", time: HostTime(nanoseconds: 5)..<HostTime(nanoseconds: 10)))
        for text in ["", ",1,2", "a", "a,1", "a,2,1", "a,1,1", "a,x,2", "a,1,2,3", "a,1,99999999999999999999"] {
            #expect(Phase(text) == nil, "\(text)")
        }
    }
}
