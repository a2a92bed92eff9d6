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
}
