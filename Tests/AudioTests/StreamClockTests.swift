import Testing
import GlissadeTime

@testable import GlissadeAudio

@Suite("Audio stream clock") struct StreamClockTests {
    private func host(_ milliseconds: Double) -> HostTime { HostTime(nanoseconds: Int64(milliseconds * 1e6)) }

    /// Frames are milliseconds here.
    private func clock() -> StreamClock { StreamClock(rate: 1000, from: 0) }

    @Test("Nothing is audible before the first frame is")
    func start() {
        var clock = clock()
        #expect(clock.index(at: host(0)) == nil)
        clock.observe(-30, at: host(0), first: 0)
        #expect(clock.index(at: host(29)) == nil)
        #expect(clock.index(at: host(31)) == 1)
    }

    @Test("Jittering reports are smoothed into a clock that never runs backwards")
    func jitter() {
        var clock = clock()
        var noise: UInt64 = 1
        var last = -Double.infinity
        var worst = 0.0
        for report in 0..<200 {
            noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // The server's time, up to 5 ms wrong to either side.
            let error = Double(noise >> 40) / Double(1 << 24) * 10 - 5
            let at = Double(report) * 200
            clock.observe(at + error, at: host(at), first: 0)
            for step in 0..<20 {
                let now = at + Double(step) * 10
                guard let index = clock.index(at: host(now)) else { continue }
                #expect(index >= last)
                last = index
                if report > 20 { worst = max(worst, abs(index - now)) }
            }
        }
        #expect(last > 39_000 && worst < 4)
    }

    @Test("A device clock that is slow or fast is tracked to a tenth of a millisecond", arguments: [0.9998, 1.0002])
    func drift(speed: Double) throws {
        var clock = clock()
        for at in stride(from: 0.0, to: 20_000, by: 500) { clock.observe(at * speed, at: host(at), first: 0) }
        let index = try #require(clock.index(at: host(20_000)))
        #expect(abs(index - 20_000 * speed) < 0.3)
    }

    @Test("The clock jumps over a large error forwards and waits for one backwards")
    func jumps() {
        var clock = clock()
        clock.observe(0, at: host(0), first: 0)
        clock.observe(1200, at: host(1000), first: 0)
        #expect(clock.index(at: host(1000)) == 1200)
        clock.observe(1100, at: host(1100), first: 0)
        #expect(clock.index(at: host(1100)) == 1300)
        #expect(clock.index(at: host(1299)) == 1300)
        #expect(clock.index(at: host(1350)) == 1350)
    }

    @Test("A correction ends on its own, even if no further report comes")
    func correctionEnds() {
        var clock = clock()
        clock.observe(0, at: host(0), first: 0)
        clock.observe(1040, at: host(1000), first: 0)
        #expect(clock.index(at: host(1800)) == 1840)
        #expect(clock.index(at: host(9000)) == 9040)
    }

    @Test("A stopped clock stands still, and after restarting it waits for the audio to catch up")
    func freeze() {
        var clock = clock()
        clock.observe(0, at: host(0), first: 0)
        clock.freeze(at: host(500))
        #expect(clock.index(at: host(5000)) == 500)
        clock.observe(470, at: host(6000), first: 500)
        #expect(clock.index(at: host(6020)) == 500)
        #expect(clock.index(at: host(6040)) == 510)
    }

    @Test("Silence drives the clock until the server is audible, and hands over without a jump")
    func handOver() throws {
        var clock = clock()
        clock.run(from: 100, at: host(0))
        clock.observe(110, at: host(20), first: 150)
        #expect(!clock.isServerLed)
        #expect(clock.index(at: host(20)) == 120)
        clock.observe(160, at: host(70), first: 150)
        #expect(clock.isServerLed)
        let index = try #require(clock.index(at: host(70)))
        #expect(abs(index - 170) < 0.001)
        let settled = try #require(clock.index(at: host(1000)))
        #expect(abs(settled - 1090) < 0.001)
    }
}
