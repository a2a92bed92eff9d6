import GlissadeGeometry
import GlissadeGestures
import Testing
import GlissadeTime

@testable import GlissadePresentation

/// When the display's refresh rate is read again. It is told the time, so each case is a table.
@Suite("Refresh rate schedule")
struct RefreshRateScheduleTests {
    private func at(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + Int64(milliseconds) * 1_000_000)
    }

    /// Whether the rate is read at each of these times, in milliseconds.
    private func reads(
        _ schedule: inout RefreshRateSchedule, at times: Int..., monitorGeneration: Int = 0
    ) -> [Bool] {
        times.map { schedule.isDue(at: at($0), monitorGeneration: monitorGeneration) }
    }

    @Test(
        "A moved or resized window may be on another display, whose refresh rate is read",
        arguments: [
            WindowEvent.moved(Point(x: 1, y: 2)), .resized(PixelSize(width: 3, height: 4)), .fullscreenChanged(true),
        ])
    func moved(event: WindowEvent) {
        var schedule = RefreshRateSchedule(readAt: at(0), monitorGeneration: 0)
        schedule.take([.needsRedraw, event, .focusChanged(true)])
        let reads = reads(&schedule, at: 1, 1)
        #expect(reads == [true, false])
    }

    @Test("When displays are plugged or unplugged the refresh rate is read again")
    func monitors() {
        var schedule = RefreshRateSchedule(readAt: at(0), monitorGeneration: 7)
        let before = reads(&schedule, at: 1, monitorGeneration: 7)
        let after = reads(&schedule, at: 1, 1, monitorGeneration: 8)
        #expect(before == [false] && after == [true, false])
    }

    @Test("While frames are shown the refresh rate is read every two seconds")
    func mode() {
        var schedule = RefreshRateSchedule(readAt: at(0), monitorGeneration: 0)
        var times: [Int] = []
        for time in stride(from: 0, through: 6500, by: 20) {
            schedule.didPresent()
            if schedule.isDue(at: at(time), monitorGeneration: 0) { times.append(time) }
        }
        #expect(times == [2000, 4000, 6000])
    }

    @Test("While nothing is shown the refresh rate is not read")
    func rest() {
        var schedule = RefreshRateSchedule(readAt: at(0), monitorGeneration: 0)
        for time in stride(from: 0, through: 60_000, by: 500) {
            schedule.take([.focusChanged(true), .iconified(false), .needsRedraw])
            let reads = reads(&schedule, at: time)
            #expect(reads == [false])
        }
        schedule.didPresent()
        let reads = reads(&schedule, at: 60_001)
        #expect(reads == [true], "the first frame after a pause")
    }
}
