import GlissadeTime
import Testing

@testable import GlissadeMedia

/// Lengths by what was read.
@Suite("Length by packets") struct LengthMeterTests {
    private static let second: Int64 = 1_000_000_000

    /// Whether each of `lengths`, in seconds, is plausible.
    private func note(_ lengths: [Int64], _ meter: inout LengthMeter) -> [Bool] {
        lengths.map { meter.note($0.multipliedClamped(by: Self.second)) }
    }

    @Test("A file that was read to its end is as long as what was read")
    func whole() {
        var meter = LengthMeter()
        // A pause of a minute is plausible.
        let isPlausible = note([2, 1, 62], &meter)
        #expect(isPlausible == [true, true, true])
        #expect(meter.whole(62 * Self.second) == 62 * Self.second)
    }

    @Test("A time far away is no length, and leaves the length to the header")
    func far() {
        var meter = LengthMeter()
        var isPlausible = note([2, 63, .max], &meter)
        #expect(isPlausible == [true, false, false])
        #expect(meter.whole(.max) == nil)
        // Where a seek leads, times are expected.
        meter.expect(100 * Self.second)
        isPlausible = note([101], &meter)
        #expect(isPlausible == [true])
        #expect(meter.whole(101 * Self.second) == nil)
    }
}
