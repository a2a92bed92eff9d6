import Testing
import GlissadeTime

@testable import GlissadePresentation

@Suite("The start of a draw in place of a late main thread") struct LateStartTests {
    private func at(_ milliseconds: Double) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + Int64((milliseconds * 1e6).rounded()))
    }

    @Test("Without a clock a frame is late 4 ms after its time, and no frame comes early")
    func timer() {
        let start = FramePacer(refreshRate: 60).lateStart
        #expect(start.time(at(40)) == at(44))
        #expect(start.framesBy(at(40), now: at(44)) == at(44))
        #expect(start.framesBy(at(40), now: at(30)) == at(40))
    }

    @Test(
        "With a clock the draw is for the refresh that the main thread would draw for, and begins after it would",
        arguments: [50, 59.94, 60, 143.98])
    func clock(rate: Double) throws {
        var pacer = FramePacer(refreshRate: 60)
        let period = 1000 / rate
        for count in 0..<64 {
            pacer.observe(DisplayClock.Refresh(count: Int64(count), time: at(Double(count) * period)))
        }
        let measured = try #require(pacer.clock.period)
        let start = pacer.lateStart
        for step in 0..<100 {
            let due = at(64 * period + Double(step) * 1.7)
            guard
                case .sleep(let begin?) = pacer.plan(
                    now: due - .milliseconds(40), frameDue: due, isAnimating: false, needsRedraw: false, wake: nil),
                case .draw(let visible, let framesBy) = pacer.plan(
                    now: begin, frameDue: due, isAnimating: false, needsRedraw: false, wake: nil)
            else {
                Issue.record("a frame is coming")
                return
            }
            let late = start.time(due)
            #expect(late > begin && late < visible)
            // In time for that refresh, and for no other.
            #expect(visible - late < measured)
            let difference = start.framesBy(due, now: late) - framesBy
            #expect(difference < .microseconds(10) && difference > .microseconds(-10))
            // A refresh that was missed is made up for by one draw, not by one for each frame.
            let missed = start.framesBy(due, now: late + measured * 3) - framesBy - measured * 3
            #expect(missed < .microseconds(10) && missed > .microseconds(-10))
        }
    }

    @Test("Times far away do not overflow")
    func farAway() {
        var pacer = FramePacer(refreshRate: 60)
        for count in 0..<64 {
            pacer.observe(DisplayClock.Refresh(count: Int64(count), time: at(Double(count) * 1000 / 60)))
        }
        for nanoseconds in [0, Int64.max, Int64.max / 2] {
            let due = HostTime(nanoseconds: nanoseconds)
            _ = pacer.lateStart.time(due)
            _ = pacer.lateStart.framesBy(due, now: due)
        }
    }
}
