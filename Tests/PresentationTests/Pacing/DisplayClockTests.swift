import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadePresentation

@Suite("Display clock")
struct DisplayClockTests {
    static let start = HostTime(nanoseconds: 5_000_000_000)

    /// A display that reports its refreshes late by up to `jitter`.
    struct Display {
        var rate: Double
        var jitter = Duration.zero
        var firstCount: Int64 = 1000
        var origin = DisplayClockTests.start
        var random = SeededGenerator(seed: 1)

        func time(of count: Int64) -> HostTime { origin + .seconds(Double(count - firstCount) / rate) }

        mutating func report(_ count: Int64) -> DisplayClock.Refresh {
            let late = jitter * Double.random(in: 0...1, using: &random)
            return .init(count: count, time: time(of: count) + late)
        }
    }

    @Test(
        "Two seconds of reports determine the rate, and the phase to half the jitter",
        arguments: [50, 59.94, 60, 75, 119.88, 143.98, 165], [Duration.zero, .milliseconds(2)])
    func learns(rate: Double, jitter: Duration) throws {
        var display = Display(rate: rate, jitter: jitter)
        var clock = DisplayClock()
        let count = Int64(2 * rate)
        for index in 0..<count { clock.observe(display.report(1000 + index)) }
        #expect(abs(try #require(clock.refreshRate) / rate - 1) < (jitter == .zero ? 1e-6 : 1e-3))
        var worst = 0.0
        for index in count..<(count + Int64(10 * rate)) {
            let report = display.report(1000 + index)
            let predicted = try #require(clock.refresh(numbered: report.count))
            worst = max(worst, abs((predicted.time - display.time(of: report.count)).inMilliseconds))
            clock.observe(report)
        }
        #expect(worst <= max(0.001, jitter.inMilliseconds / 2))
        #expect(abs(try #require(clock.refreshRate) / rate - 1) < (jitter == .zero ? 1e-6 : 3e-4))
    }

    @Test("The period is unknown until eight refreshes have been reported")
    func unknownAtFirst() {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<7 {
            clock.observe(display.report(1000 + Int64(index)))
            #expect(clock.period == nil)
            #expect(clock.refresh(after: Self.start) == nil)
        }
        clock.observe(display.report(1007))
        #expect(clock.period != nil)
    }

    @Test("The next refresh is after the given time, and the nearest within half a period of it")
    func comingAndNearest() throws {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<60 { clock.observe(display.report(1000 + Int64(index))) }
        let period = try #require(clock.period)
        for tenth in -20...200 {
            let time = display.time(of: 1059) + period * (Double(tenth) / 10 + 0.01)
            let next = try #require(clock.refresh(after: time))
            #expect(next.time > time && next.time - time <= period + .nanoseconds(1000))
            let nearest = try #require(clock.refresh(nearestTo: time))
            #expect(max(nearest.time - time, time - nearest.time) <= period / 2 + .nanoseconds(1000))
            #expect((next.time - display.time(of: next.count)).nanoseconds.magnitude < 2000)
        }
    }

    @Test("Missing and repeated reports change nothing")
    func missingReports() throws {
        var display = Display(rate: 59.94)
        var clock = DisplayClock()
        for index in 0..<400 where index % 7 < 2 {
            let report = display.report(1000 + Int64(index))
            clock.observe(report)
            clock.observe(report)
        }
        #expect(abs(try #require(clock.refreshRate) - 59.94) < 0.0005)
    }

    @Test(
        "A change of the display mode is learned within 20 refreshes",
        arguments: [(60.0, 143.98), (165.0, 50.0), (60.0, 30.0)])
    func modeChange(from: Double, to: Double) throws {
        var display = Display(rate: from)
        var clock = DisplayClock()
        for index in 0..<300 { clock.observe(display.report(1000 + Int64(index))) }
        let origin = display.time(of: 1299)
        var changed = Display(rate: to, firstCount: 1299, origin: origin)
        for index in 1...20 { clock.observe(changed.report(1299 + Int64(index))) }
        #expect(abs(try #require(clock.refreshRate) - to) < 0.01)
        let predicted = try #require(clock.refresh(numbered: 1330))
        #expect(abs((predicted.time - changed.time(of: 1330)).inMilliseconds) < 0.05)
    }

    @Test("A refresh counter that goes back belongs to another display and resets the clock")
    func otherDisplay() {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<100 { clock.observe(display.report(1000 + Int64(index))) }
        clock.observe(.init(count: 3, time: display.time(of: 1101)))
        #expect(clock.period == nil)
    }

    @Test("A phase shift, as after a counter jump, is followed within ten refreshes")
    func phaseShift() throws {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<100 { clock.observe(display.report(1000 + Int64(index))) }
        display.origin = display.origin + .milliseconds(7)
        for index in 100..<110 { clock.observe(display.report(1000 + Int64(index))) }
        let predicted = try #require(clock.refresh(numbered: 1120))
        #expect(abs((predicted.time - display.time(of: 1120)).inMilliseconds) < 0.05)
    }

    @Test("After a gap the period is kept and the phase measured again")
    func gap() throws {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<100 { clock.observe(display.report(1000 + Int64(index))) }
        // Ten minutes later the display's crystal is off by 3 ms.
        display.origin = display.origin + .milliseconds(3)
        clock.observe(display.report(1000 + 36_000))
        let predicted = try #require(clock.refresh(numbered: 1000 + 36_001))
        #expect(abs((predicted.time - display.time(of: 1000 + 36_001)).inMilliseconds) < 0.01)
    }

    @Test("A single report that is late by one refresh changes nothing")
    func outlier() throws {
        var display = Display(rate: 60)
        var clock = DisplayClock()
        for index in 0..<200 {
            var report = display.report(1000 + Int64(index))
            if index % 50 == 49 { report.time = report.time + .milliseconds(12) }
            clock.observe(report)
        }
        let predicted = try #require(clock.refresh(numbered: 1205))
        #expect(abs((predicted.time - display.time(of: 1205)).inMilliseconds) < 0.01)
    }

    @Test("Impossible reports neither trap nor are believed")
    func hostileReports() {
        var random = SeededGenerator(seed: 7)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        var clock = DisplayClock()
        for _ in 0..<20_000 {
            let count =
                Bool.random(using: &random)
                ? extremes.randomElement(using: &random) : Int64.random(in: -9...9, using: &random)
            let time =
                Bool.random(using: &random)
                ? extremes.randomElement(using: &random) : Int64.random(in: 0...9, using: &random)
            clock.observe(.init(count: count ?? 0, time: HostTime(nanoseconds: time ?? 0)))
            _ = clock.refresh(after: HostTime(nanoseconds: time ?? 0))
            _ = clock.refresh(nearestTo: HostTime(nanoseconds: count ?? 0))
            if let period = clock.period { #expect(DisplayClock.plausiblePeriod.contains(period)) }
        }
        clock.reset()
        for index in 0..<100 { clock.observe(.init(count: Int64(index), time: HostTime(nanoseconds: Int64(index)))) }
        #expect(clock.period == nil)
    }
}
