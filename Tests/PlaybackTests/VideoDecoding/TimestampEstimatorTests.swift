import Testing

@testable import GlissadePlayback

@Suite("Timestamp estimation") struct TimestampEstimatorTests {
    private let unknown = Int64.min  // FFmpeg's "no value".

    @Test("Timestamps of the media are kept, and missing ones follow from the last")
    func missing() {
        var times = TimestampEstimator(frameRate: 50)
        #expect(times.place(time: 100, duration: 7, repeats: 0) == (100, 7))
        #expect(times.place(time: unknown, duration: 0, repeats: 0) == (20_000_100, 20_000_000))
        #expect(times.place(time: unknown, duration: 5_000_000, repeats: 0) == (25_000_100, 5_000_000))
        times.reset()
        #expect(times.place(time: unknown, duration: 0, repeats: 0).time == 0)
    }

    @Test("No two frames have the same time, and times never decrease")
    func collisions() {
        var times = TimestampEstimator(frameRate: 25)
        var last = times.place(time: 1_000_000_000, duration: 0, repeats: 0).time
        for time in [1_000_000_000, 999_000_000, 1_000_000_001, 900_000_000] as [Int64] {
            let placed = times.place(time: time, duration: 0, repeats: 0).time
            #expect(placed > last)
            last = placed
        }
    }

    @Test("Repeated fields lengthen a frame by half its duration each")
    func telecine() {
        var times = TimestampEstimator(frameRate: 25)
        #expect(times.place(time: 0, duration: 40_000_000, repeats: 1).duration == 60_000_000)
    }

    @Test(
        "Hostile frame rates and timestamps do not trap", arguments: [nil, 0, 1e-9, .infinity, .nan, 1e12] as [Double?])
    func nonsense(rate: Double?) {
        var times = TimestampEstimator(frameRate: rate)
        #expect(times.nominal >= 0 && times.nominal <= 1_000_000_000)
        for time in [Int64.max, .max, .max - 1, .min + 1, 0] {
            _ = times.place(time: time, duration: .max, repeats: .max)
        }
    }
}
