import Testing

@testable import GlissadeMedia

@Suite("Joined clocks") struct ClockJoinsTests {
    private let second: Int64 = 1_000_000_000
    private let frame: Int64 = 40_000_000

    @Test("A time lies in the part that begins last before it")
    func parts() {
        var joins = ClockJoins()
        joins.note(ClockJoin(position: 9_000_000, start: 20 * second, offset: 20 * second))
        joins.note(ClockJoin(position: 5_000_000, start: 8 * second, offset: 8 * second))
        #expect(joins.part(at: 0) == ClockJoins.Part(begin: 0, end: 5_000_000, offset: 0))
        #expect(joins.part(at: 8 * second) == ClockJoins.Part(begin: 5_000_000, end: 9_000_000, offset: 8 * second))
        #expect(joins.part(at: .max) == ClockJoins.Part(begin: 9_000_000, end: nil, offset: 20 * second))
    }

    @Test("The same join is noted once, and one of unknown place or out of order is not")
    func noted() {
        var joins = ClockJoins()
        let join = ClockJoin(position: 5_000_000, start: 8 * second, offset: 8 * second)
        joins.note(join)
        joins.note(ClockJoin(position: 5_100_000, start: 8 * second, offset: 8 * second + frame))
        joins.note(ClockJoin(position: -1, start: 9 * second, offset: 99 * second))
        joins.note(ClockJoin(position: 9_000_000, start: 2 * second, offset: 50 * second))
        #expect(joins.joins == [join])
    }

    @Test("Packets that an edit discards are no jump of the clock, and do not count")
    func discarded() {
        var timeline = PacketTimeline(start: .zero, restarts: false)
        func place(_ time: Int64, isDiscarded: Bool) -> Int64? {
            timeline.place(
                PacketTimeline.Times(presentation: time, decoding: time, duration: frame), stream: 0, tellsEnd: true,
                isDiscarded: isDiscarded
            ).presentation
        }
        #expect(place(10 * second, isDiscarded: false) == 10 * second)
        #expect(place(-5 * second, isDiscarded: true) == -5 * second)
        #expect(place(30 * second, isDiscarded: true) == 30 * second)
        #expect(place(10 * second + frame, isDiscarded: false) == 10 * second + frame)
        #expect(timeline.end == 10 * second + 2 * frame)
    }

    @Test("A long step of one stream is a hole in it if the others have gone on, and a jump if not")
    func holes() {
        for isHole in [true, false] {
            var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
            for index in 0..<50 {
                for stream in 0..<2 { _ = jumps.offset(stream: stream, time: Int64(index) * frame, duration: frame) }
            }
            if isHole {
                for index in 50..<500 { _ = jumps.offset(stream: 1, time: Int64(index) * frame, duration: frame) }
            }
            let offset = jumps.offset(stream: 0, time: 20 * second, duration: frame)
            #expect(offset == (isHole ? 0 : -18 * second))
        }
    }

    @Test("Parts of less than a second follow each other, and their streams stay together")
    func shortParts() {
        let tolerance = Discontinuity.restartBackwardTolerance
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance, backwardTolerance: tolerance)
        for part in 0..<5 {
            for index in 0..<20 {
                for stream in 0..<2 {
                    let offset = jumps.offset(stream: stream, time: Int64(index) * frame, duration: frame)
                    #expect(offset == Int64(part * 20) * frame)
                }
            }
        }
    }

    @Test("A track's length is read from Matroska's tag")
    func tag() {
        #expect(TrackDuration("01:02:03.500000000")?.duration == .seconds(3723.5))
        for text in ["", "12", "1:2", "00:00:60", "00:61:00", "-1:00:00", "00:00:nan", "00:00:00:00"] {
            #expect(TrackDuration(text) == nil, "\(text)")
        }
    }
}
