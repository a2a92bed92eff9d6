import Testing
import GlissadeTime

@testable import GlissadePresentation

/// The pacer is told the time, so each case is a table.
@Suite("Frame pacer")
struct FramePacerTests {
    private func at(_ milliseconds: Double) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + Int64((milliseconds * 1e6).rounded()))
    }

    private func plan(
        _ pacer: FramePacer, at now: HostTime, frameDue: HostTime? = nil, isAnimating: Bool = false,
        needsRedraw: Bool = false, wake: HostTime? = nil
    ) -> FramePacer.Plan {
        pacer.plan(now: now, frameDue: frameDue, isAnimating: isAnimating, needsRedraw: needsRedraw, wake: wake)
    }

    @Test("With nothing to show the pacer sleeps until an event")
    func idle() {
        var pacer = FramePacer(refreshRate: 60)
        #expect(plan(pacer, at: at(0)) == .sleep(until: nil))
        pacer.didSwap(began: at(0), swapCalled: at(3), returned: at(4), visibleAt: at(4))
        #expect(plan(pacer, at: at(5)) == .sleep(until: nil))
        #expect(plan(pacer, at: at(5000)) == .sleep(until: nil))
    }

    @Test("A requested wake-up ends the sleep unless a frame is due earlier")
    func wake() {
        let pacer = FramePacer(refreshRate: 60)
        #expect(plan(pacer, at: at(0), wake: at(70)) == .sleep(until: at(70)))
        #expect(plan(pacer, at: at(0), frameDue: at(500), wake: at(70)) == .sleep(until: at(70)))
        guard case .sleep(let until?) = plan(pacer, at: at(0), frameDue: at(50), wake: at(70)) else {
            Issue.record("the frame is far")
            return
        }
        #expect(until <= at(50))
    }

    @Test("If swaps do not block, a draw starts its lead time before the frame is due")
    func lead() {
        let pacer = FramePacer(refreshRate: 60)
        let due = at(40)
        #expect(plan(pacer, at: at(0), frameDue: due) == .sleep(until: due - pacer.lead))
        guard case .draw(let visible, let frames) = plan(pacer, at: due - pacer.lead, frameDue: due) else {
            Issue.record("it is time to draw")
            return
        }
        #expect(visible == due)
        #expect(frames >= due)
    }

    @Test("The lead time follows the cost of drawing, and a single slow draw barely changes it")
    func leadFollows() {
        var pacer = FramePacer(refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(
                began: began, swapCalled: began + .milliseconds(9), returned: began + .milliseconds(10),
                visibleAt: began + .milliseconds(10))
        }
        #expect(abs((pacer.lead - .milliseconds(10)).inMilliseconds) < 0.1)
        pacer.didSwap(began: at(5000), swapCalled: at(5400), returned: at(5500), visibleAt: at(5500))
        #expect(pacer.lead < .milliseconds(25))
    }

    @Test("The lead time has a reserve for slow draws, of at most a third of a period")
    func reserve() {
        var pacer = FramePacer(refreshRate: 60)
        for frame in 0..<200 {
            let (began, cost) = (at(Double(frame) * 40), Duration.milliseconds(frame % 4 == 0 ? 6 : 2))
            pacer.didSwap(began: began, swapCalled: began + cost, returned: began + cost, visibleAt: began + cost)
        }
        #expect(pacer.lead > .milliseconds(5.8) && pacer.lead <= .milliseconds(6))
    }

    @Test("Time spent holding a frame does not count as drawing")
    func held() {
        var pacer = FramePacer(refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(
                began: began, held: .milliseconds(5), swapCalled: began + .milliseconds(7),
                returned: began + .milliseconds(8), visibleAt: began + .milliseconds(8))
        }
        #expect(abs((pacer.lead - .milliseconds(3)).inMilliseconds) < 0.1)
    }

    @Test("A frame ready early is swapped when it is due, less the cost of a swap")
    func swapTime() throws {
        var pacer = FramePacer(refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(
                began: began, swapCalled: began + .milliseconds(2), returned: began + .milliseconds(3),
                visibleAt: began + .milliseconds(3))
        }
        let due = at(6000)
        let swap = try #require(pacer.swapTime(frameDue: due, framesBy: due, visibleAt: due, now: at(5995)))
        #expect(abs((due - swap - .milliseconds(1)).inMilliseconds) < 0.01)
        #expect(pacer.swapTime(frameDue: due, framesBy: due, visibleAt: due, now: due) == nil, "late: at once")
        #expect(
            pacer.swapTime(frameDue: due, framesBy: at(5999), visibleAt: due, now: at(5995)) == nil,
            "it is not this draw's")
        #expect(
            pacer.swapTime(frameDue: HostTime(nanoseconds: 0), framesBy: due, visibleAt: due, now: at(5995)) == nil,
            "untimed")
        #expect(pacer.swapTime(frameDue: nil, framesBy: due, visibleAt: due, now: at(5995)) == nil)
    }

    @Test("Wrong screen content is redrawn at once")
    func redraw() {
        let pacer = FramePacer(refreshRate: 60)
        for due in [nil, at(500)] {
            guard case .draw = plan(pacer, at: at(0), frameDue: due, needsRedraw: true) else {
                Issue.record("it slept")
                continue
            }
        }
    }

    @Test("An overdue frame is drawn at once")
    func overdue() {
        var pacer = FramePacer(refreshRate: 60)
        pacer.didSwap(began: at(0), swapCalled: at(3), returned: at(4), visibleAt: at(4))
        for due in [HostTime(nanoseconds: 0), at(90)] {
            guard case .draw(let visible, let frames) = plan(pacer, at: at(100), frameDue: due) else {
                Issue.record("it slept")
                continue
            }
            #expect(visible > at(100))
            #expect(frames >= visible)
        }
    }

    @Test(
        "An unknown or invalid refresh rate counts as 60 Hz", arguments: [nil, 0, -5, .nan, .infinity])
    func unknownRate(rate: Double?) {
        var pacer = FramePacer(refreshRate: rate)
        #expect(abs(pacer.period.inMilliseconds - 16.667) < 0.001)
        pacer.setRefreshRate(120)
        #expect(abs(pacer.period.inMilliseconds - 8.333) < 0.001)
    }

    @Test("Only frames sent when they were planned to be tell how early that must be")
    func latch() {
        var pacer = FramePacer(refreshRate: 100)
        for refresh in 0..<40 as Range<Int64> { pacer.observe(.init(count: refresh, time: at(Double(refresh) * 10))) }
        /// A frame sent so long before refresh 41, in milliseconds, which it missed.
        func miss(early: Double, shownAt time: Double = 420) {
            pacer.didShow(at: .init(count: 42, time: at(time)), sent: at(410 - early))
        }
        for _ in 0..<20 { miss(early: 1) }
        // A report of another display.
        for _ in 0..<20 { miss(early: 4, shownAt: 450) }
        #expect(pacer.latch.advance == 0)
        for _ in 0..<4 { miss(early: 4) }
        #expect(pacer.latch.advance == LatchEstimator.step)
        pacer.isVariable = true
        #expect(pacer.latch.advance == 0)
        for _ in 0..<20 { miss(early: 4) }
        #expect(pacer.latch.advance == 0)
    }

    @Test("With a variable refresh rate frames are shown at their time, and the clock does not count")
    func variable() throws {
        var pacer = FramePacer(refreshRate: 60)
        for refresh in 0..<40 as Range<Int64> { pacer.observe(.init(count: refresh, time: at(Double(refresh) * 10))) }
        #expect(abs(pacer.period.inMilliseconds - 10) < 0.1)
        let due = at(447)
        guard case .sleep(let clocked?) = plan(pacer, at: at(400), frameDue: due) else {
            Issue.record("the frame is far")
            return
        }
        pacer.isVariable = true
        #expect(abs(pacer.period.inMilliseconds - 16.667) < 0.001)
        let start = due - pacer.lead
        #expect(clocked != start && plan(pacer, at: at(400), frameDue: due) == .sleep(until: start))
        guard case .draw(let visible, _) = plan(pacer, at: start, frameDue: due) else {
            Issue.record("it is time to draw")
            return
        }
        #expect(visible == due && pacer.visibleTime(sent: start) == nil)
        #expect(pacer.swapTime(frameDue: due, framesBy: due, visibleAt: due, now: start) == due)
        #expect(pacer.lateStart.time(due) == due + LateStart.lateness)
    }

    @Test("A new refresh rate moves the next ticks, starting from the last swap")
    func otherRate() {
        var pacer = FramePacer(refreshRate: 50)
        pacer.didSwap(began: at(0), swapCalled: at(0), returned: at(0), visibleAt: at(0))
        pacer.setRefreshRate(100)
        guard case .sleep(let until?) = plan(pacer, at: at(1), isAnimating: true, wake: at(500)) else {
            Issue.record("it drew at once")
            return
        }
        // Where no display is waited for, what moves is drawn a period after the last swap, less what drawing takes.
        #expect(until > at(5) && until <= at(10))
    }

    @Test("A refresh rate that changes constantly stops nothing")
    func restlessRate() {
        var pacer = FramePacer(refreshRate: 60)
        for (frame, rate) in [24.0, 240, 59.94, 1, 1e9, .nan, 144, -1, 30].enumerated() {
            pacer.setRefreshRate(rate)
            #expect(pacer.period > .zero)
            let began = at(Double(frame) * 40)
            pacer.didSwap(
                began: began, swapCalled: began + .milliseconds(3), returned: began + .milliseconds(4),
                visibleAt: began + .milliseconds(4))
            guard case .draw(let visible, let framesBy) = plan(pacer, at: at(Double(frame) * 40 + 5), needsRedraw: true)
            else {
                Issue.record("it slept at \(rate) Hz")
                continue
            }
            #expect(visible > at(Double(frame) * 40 + 5) && framesBy >= visible)
        }
    }

    // MARK: - With a display's clock

    /// A pacer that knows a display of 60 Hz, one of whose refreshes is at 0 ms.
    private func clocked() -> FramePacer {
        var pacer = FramePacer(refreshRate: 144)
        for refresh in -31...0 {
            pacer.observe(.init(count: Int64(100 + refresh), time: at(Double(refresh) * 1000 / 60)))
        }
        return pacer
    }

    /// The refresh after 0 ms that a plan draws for, or 0 where it sleeps.
    private func refresh(_ plan: FramePacer.Plan) -> Int {
        guard case .draw(let visible, _) = plan else { return 0 }
        return Int(((visible - at(0)).inSeconds * 60).rounded())
    }

    @Test("The measured period takes precedence over what the window system reports")
    func measuredPeriod() {
        var pacer = clocked()
        #expect(abs(pacer.period.inMilliseconds - 1000 / 60.0) < 0.001)
        pacer.setRefreshRate(30)
        #expect(abs(pacer.period.inMilliseconds - 1000 / 60.0) < 0.001)
        pacer.resetClock()
        #expect(abs(pacer.period.inMilliseconds - 1000 / 30.0) < 0.001)
    }

    @Test("A draw targets the next refresh it can reach, and starts its cost and a margin before it")
    func beginsForRefresh() {
        let pacer = clocked()
        // The margin is a quarter of a period; a draw is thought to take 4 ms at first.
        guard case .sleep(let until?) = plan(pacer, at: at(1), isAnimating: true) else {
            Issue.record("the draw began at once")
            return
        }
        #expect(abs((until - at(16.667 - 4.167 - 4)).inMilliseconds) < 0.01)
        #expect(refresh(plan(pacer, at: until, isAnimating: true)) == 1)
        #expect(
            refresh(plan(pacer, at: at(12), isAnimating: true)) == 0, "too late for the first, too early for the second"
        )
    }

    @Test("There is one draw per refresh, however often something changes")
    func onePerRefresh() {
        var pacer = clocked()
        let visible = at(16.667)
        pacer.didSwap(began: at(9), swapCalled: at(11), returned: at(11), visibleAt: visible)
        for time in stride(from: 11.0, to: 20, by: 0.5) {
            #expect(refresh(plan(pacer, at: at(time), needsRedraw: true)) == 0)
        }
        #expect(refresh(plan(pacer, at: at(27), needsRedraw: true)) == 2)
    }

    @Test("A frame drawn early is swapped after the preceding refresh, so that it is not shown too soon")
    func swapsAfterRefreshBefore() throws {
        let pacer = clocked()
        let visible = at(2 * 16.667)
        let swap = try #require(
            pacer.swapTime(frameDue: nil, framesBy: visible, visibleAt: visible, now: at(14)))
        #expect(swap > at(16.667) && swap < at(16.667 + 6))
        #expect(pacer.swapTime(frameDue: nil, framesBy: visible, visibleAt: visible, now: at(25)) == nil)
    }

    @Test("A frame is shown at the refresh nearest to its time")
    func nearestRefresh() {
        let pacer = clocked()
        for (due, expected) in [(16.7, 1), (20, 1), (24.5, 1), (25.5, 2), (33, 2), (41, 2)] {
            var now = at(1)
            var shown = 0
            for _ in 0..<4 where shown == 0 {
                let next = plan(pacer, at: now, frameDue: at(due))
                shown = refresh(next)
                if case .sleep(let until?) = next { now = until }
            }
            #expect(shown == expected, "due at \(due) ms")
        }
    }

    @Test("A frame due halfway between two refreshes goes to the same side as the one before")
    func hysteresis() {
        for side in [0.47, -0.47] {
            var cadence = FrameCadence()
            let period = Duration.milliseconds(10)
            cadence.didChoose(due: at(100 + 10 * side), at: at(100), period: period)
            for jitter in [-0.05, 0.04, 0.02, -0.03, 0.08] {
                let fraction = 0.5 + jitter
                #expect((fraction < cadence.threshold) == (side > 0), "due \(fraction) of a period after a refresh")
                cadence.didChoose(
                    due: at(200 + 10 * (side > 0 ? fraction : fraction - 1)), at: at(200), period: period)
            }
        }
    }
}
