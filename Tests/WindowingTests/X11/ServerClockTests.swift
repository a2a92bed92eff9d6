import Testing
import GlissadeTime

@testable import GlissadeWindowing

@Suite("Times of the X server's events") struct ServerClockTests {
    /// Takes an event into account and returns when it happened.
    private static func hostTime(_ clock: inout ServerClock, _ milliseconds: UInt32, _ received: HostTime) -> HostTime {
        clock.observe(milliseconds, received: received)
        return clock.hostTime(of: milliseconds, received: received)
    }

    private static func time(_ ms: Double) -> HostTime { HostTime(nanoseconds: Int64(ms * 1e6)) }

    @Test("Events that are read late, several at once, keep the intervals at which they happened")
    func batch() {
        var clock = ServerClock()
        for step in 0..<50 {
            _ = Self.hostTime(&clock, UInt32(1000 + step * 8), Self.time(500 + Double(step) * 8 + 0.1))
        }
        // Three events of 8 ms are read together.
        let times = (50..<53).map { Self.hostTime(&clock, UInt32(1000 + $0 * 8), Self.time(500 + 53 * 8)) }
        for (step, time) in times.enumerated() {
            #expect(abs((time - Self.time(500 + Double(50 + step) * 8)).inMilliseconds) < 1)
        }
    }

    @Test("Even the first events keep their intervals if all of them are read together")
    func firstBatch() {
        var clock = ServerClock()
        let server: [UInt32] = [5000, 5010, 5020, 5050]
        for time in server { clock.observe(time, received: Self.time(700)) }
        let times = server.map { clock.hostTime(of: $0, received: Self.time(700)) }
        for (time, ms) in zip(times, [650.0, 660, 670, 700]) {
            #expect(abs((time - Self.time(ms)).inMilliseconds) < 1)
        }
    }

    @Test("Events read after a long stop of the program are reported as 100 ms old at most")
    func age() {
        var clock = ServerClock()
        _ = Self.hostTime(&clock, 1000, Self.time(500))
        #expect(Self.hostTime(&clock, 1100, Self.time(1500)) == Self.time(1400))
        #expect(Self.hostTime(&clock, 2000, Self.time(1500)) == Self.time(1500))
    }

    @Test("After ten minutes without events, a batch of them keeps its intervals")
    func pause() {
        var clock = ServerClock()
        _ = Self.hostTime(&clock, 1000, Self.time(500))
        let server: [UInt32] = [601_000, 601_008, 601_016, 601_024]
        for time in server { clock.observe(time, received: Self.time(600_532)) }
        let times = server.map { clock.hostTime(of: $0, received: Self.time(600_532)) }
        for (next, last) in zip(times.dropFirst(), times) {
            #expect(abs((next - last).inMilliseconds - 8) < 1.1)
        }
    }

    @Test("An event read at once keeps its time of receipt, which is finer than the server's milliseconds")
    func prompt() {
        var clock = ServerClock()
        _ = Self.hostTime(&clock, 1000, Self.time(500))
        #expect(Self.hostTime(&clock, 1008, Self.time(508.6)) == Self.time(508.6))
    }

    @Test("No event is later than its receipt, and none is earlier than an older one by more than a millisecond")
    func ordered() {
        var clock = ServerClock()
        var last = Self.time(0)
        for step in 0..<5000 {
            let happened = Double(step) * 3
            let received = Self.time(happened + Double(step * 7919 % 97) / 10)
            let time = Self.hostTime(&clock, UInt32(truncatingIfNeeded: Int(happened) + 4_294_960_000), received)
            #expect(time <= received)
            #expect(time >= last - .milliseconds(1))
            if step > 100 { #expect(abs((time - Self.time(happened)).inMilliseconds) < 1.5) }
            last = time
        }
    }

    @Test("The server's time may wrap around")
    func wrap() {
        var clock = ServerClock()
        _ = Self.hostTime(&clock, .max - 3, Self.time(100))
        #expect(abs((Self.hostTime(&clock, 4, Self.time(120)) - Self.time(108)).inMilliseconds) <= 1)
    }

    @Test("A single absurd time is ignored; a clock that has jumped is followed after a few events")
    func jump() {
        var clock = ServerClock()
        _ = Self.hostTime(&clock, 10_000, Self.time(100))
        for absurd: UInt32 in [0, 5_000_000, .max] {
            #expect(Self.hostTime(&clock, absurd, Self.time(200)) == Self.time(200))
        }
        #expect(abs((Self.hostTime(&clock, 10_200, Self.time(310)) - Self.time(300)).inMilliseconds) <= 1)
        for step in 0..<20 {
            let received = Self.time(400 + Double(step) * 8)
            #expect(Self.hostTime(&clock, UInt32(900_000 + step * 8), received) <= received)
        }
        let time = Self.hostTime(&clock, 900_000 + 160, Self.time(570))
        #expect(abs((time - Self.time(560)).inMilliseconds) <= 1)
    }

    @Test("A slower clock of another machine is followed")
    func drift() {
        var clock = ServerClock()
        for second in 0..<600 {
            // 50 millionths slower, in steps of a second.
            let server = UInt32(Double(second) * 1000 * (1 - 50e-6))
            _ = Self.hostTime(&clock, server, Self.time(Double(second) * 1000 + 1))
        }
        let time = Self.hostTime(&clock, UInt32(600_000 * (1 - 50e-6)), Self.time(600_020))
        #expect(abs((time - Self.time(600_000)).inMilliseconds) < 3)
    }
}
