import Glibc
import GlissadePlatform
import Testing
import GlissadeTime

@Suite("Monotonic clock") struct MonotonicClockTests {
    @Test("Host time is the system's monotonic clock, which no change of the date moves")
    func monotonic() {
        func clock() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let (before, now, after) = (clock(), HostTime.now(), clock())
        #expect((before...after).contains(now.nanoseconds))
    }
}
