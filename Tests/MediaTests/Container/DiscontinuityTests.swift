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
}
