import Testing
import GlissadeTime

@Suite("Media time and host time") struct TimeTests {
    @Test("Seconds are rounded to the nearest nanosecond and converted back")
    func seconds() {
        #expect(MediaTime(seconds: 1.5).nanoseconds == 1_500_000_000)
        #expect(MediaTime(seconds: -0.0000000006).nanoseconds == -1)
        #expect(MediaTime(nanoseconds: 40_000_000).seconds == 0.04)
    }

    @Test("NaN becomes zero, and times out of range are clamped")
    func nonsense() {
        #expect(MediaTime(seconds: .nan) == .zero)
        #expect(MediaTime(seconds: .infinity).nanoseconds == .max)
        #expect(MediaTime(seconds: -.infinity).nanoseconds == .min)
        #expect(MediaTime(seconds: 1e300).nanoseconds == .max)
        #expect(MediaTime(seconds: -1e300).nanoseconds == .min)
        #expect(Int64(clampingNanoseconds: 9.3e9) == .max)
    }

    @Test("Differences of times are durations that lead back")
    func differences() {
        let (a, b) = (MediaTime(seconds: 1), MediaTime(seconds: 3.25))
        #expect(b - a == .milliseconds(2250))
        #expect(a + (b - a) == b)
        #expect(b - (b - a) == a)
        #expect(a < b)
        let (c, d) = (HostTime(nanoseconds: 5), HostTime(nanoseconds: 12))
        #expect(d - c == .nanoseconds(7))
        #expect(c + .nanoseconds(7) == d)
        #expect(d - .nanoseconds(7) == c)
    }

    @Test("A duration can be read in nanoseconds, seconds and milliseconds, rounding towards zero")
    func durations() {
        #expect(Duration.milliseconds(1500).nanoseconds == 1_500_000_000)
        #expect(Duration.milliseconds(-1500).nanoseconds == -1_500_000_000)
        #expect((Duration.nanoseconds(3) / 2).nanoseconds == 1)
        #expect((Duration.nanoseconds(-3) / 2).nanoseconds == -1)
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
        #expect(Duration.milliseconds(1500).inMilliseconds == 1500)
    }

    @Test("A duration too long for nanoseconds is clamped to the longest one")
    func longDurations() {
        #expect(Duration.seconds(1e12).nanoseconds == .max)
        #expect(Duration.seconds(-1e12).nanoseconds == .min)
        #expect(Duration.seconds(9_223_372_036).nanoseconds == 9_223_372_036_000_000_000)
    }
}
