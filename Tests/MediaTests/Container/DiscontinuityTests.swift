import Testing

@testable import GlissadeMedia

@Suite("Timestamp discontinuities") struct DiscontinuityTests {
    private let frame: Int64 = 40_000_000
    private let second: Int64 = 1_000_000_000

    @Test("Continuous timestamps are left alone, also across a pause")
    func steady() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 { #expect(jumps.offset(stream: 0, time: Int64(index) * frame, duration: frame) == 0) }
        #expect(jumps.offset(stream: 0, time: 11 * second, duration: frame) == 0)
    }

    @Test("After a jump back, or forward where clocks restart, time continues without a gap")
    func jumps() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 { _ = jumps.offset(stream: 0, time: 100 * second + Int64(index) * frame, duration: frame) }
        #expect(jumps.offset(stream: 0, time: 0, duration: frame) == 102 * second)
        #expect(jumps.offset(stream: 0, time: frame, duration: frame) == 102 * second)
        #expect(500 * second + jumps.offset(stream: 0, time: 500 * second, duration: frame) == 102 * second + 2 * frame)
    }

    @Test("A stream with negative timestamps that jumps back continues at its end, not at zero")
    func negative() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        _ = jumps.offset(stream: 0, time: -100 * second, duration: frame)
        #expect(-200 * second + jumps.offset(stream: 0, time: -200 * second, duration: frame) == -100 * second + frame)
    }

    @Test("A gap longer than a day counts as a jump in every container")
    func longGap() {
        var jumps = Discontinuity(forwardTolerance: PacketTimeline.longestPacket)
        _ = jumps.offset(stream: 0, time: 0, duration: frame)
        #expect(90_000 * second + jumps.offset(stream: 0, time: 90_000 * second, duration: frame) == frame)
    }

    @Test("Where clocks do not restart a long gap is kept")
    func gap() {
        var jumps = Discontinuity(forwardTolerance: PacketTimeline.longestPacket)
        _ = jumps.offset(stream: 0, time: 0, duration: frame)
        #expect(jumps.offset(stream: 0, time: 3600 * second, duration: frame) == 0)
    }

    @Test("Streams that jump at the same cut stay in sync")
    func together() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 {
            _ = jumps.offset(stream: 0, time: 100 * second + Int64(index) * frame, duration: frame)
            _ = jumps.offset(stream: 1, time: 100 * second + Int64(index) * frame, duration: frame)
        }
        let video = jumps.offset(stream: 0, time: 0, duration: frame)
        // Sound has still some of the old time to go.
        #expect(jumps.offset(stream: 1, time: 102 * second, duration: frame) == 0)
        #expect(jumps.offset(stream: 1, time: 10_000_000, duration: frame) == video)
    }

    @Test("After a seek any timestamp is accepted")
    func reset() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        _ = jumps.offset(stream: 0, time: 100 * second, duration: frame)
        jumps.reset()
        #expect(jumps.offset(stream: 0, time: 0, duration: frame) == 0)
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

    @Test("Presentation times of reordered frames before the first decode time are no jump of the clock")
    func reordered() {
        var timeline = PacketTimeline(start: .zero, restarts: false)
        // One frame a second with B-frames, as FFmpeg passes them on from Matroska.
        let times: [(Int64, Int64?)] = [(0, nil), (4, nil), (2, 0), (1, 1), (3, 2), (7, 3), (5, 4)]
        for (presentation, decoding) in times {
            let placed = timeline.place(
                PacketTimeline.Times(
                    presentation: presentation * second, decoding: decoding.map { $0 * second }, duration: second),
                stream: 0, tellsEnd: true)
            #expect(placed.presentation == presentation * second && placed.decoding == decoding.map { $0 * second })
        }
        #expect(timeline.jumps == 0 && timeline.end == 8 * second)
    }

    @Test("A stream without any decode times goes on after a jump, too, once it has more packets than FFmpeg reorders")
    func undecoded() {
        for count in [Discontinuity.mostUnordered, Discontinuity.mostUnordered + 1, 100] {
            var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
            func place(_ time: Int64) -> Int64 {
                time + jumps.offset(stream: 0, time: time, isDecodeTime: false, duration: frame)
            }
            for time in stride(from: 100 * second, to: 100 * second + Int64(count) * frame, by: Int(frame)) {
                #expect(place(time) == time)
            }
            let isOrdered = count > Discontinuity.mostUnordered
            #expect(place(0) == (isOrdered ? 100 * second + Int64(count) * frame : 0))
        }
    }
}
