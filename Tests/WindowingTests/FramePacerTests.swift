import Testing
import Time

@testable import Presentation

/// The pacer is told the time, so each case is a table.
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

    @Test("nothing to show and nothing to come: sleep until something happens", arguments: [true, false])
    func idle(isBlocking: Bool) {
        var pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        #expect(plan(pacer, at: at(0)) == .sleep(until: nil))
        pacer.didSwap(began: at(0), swapCalled: at(3), returned: at(4))
        #expect(plan(pacer, at: at(5)) == .sleep(until: nil))
        #expect(plan(pacer, at: at(5000)) == .sleep(until: nil))
    }

    @Test("a wake-up that was asked for ends the sleep, unless a frame does before", arguments: [true, false])
    func wake(isBlocking: Bool) {
        let pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        #expect(plan(pacer, at: at(0), wake: at(70)) == .sleep(until: at(70)))
        #expect(plan(pacer, at: at(0), frameDue: at(500), wake: at(70)) == .sleep(until: at(70)))
        guard case .sleep(let until?) = plan(pacer, at: at(0), frameDue: at(50), wake: at(70)) else {
            Issue.record("the frame is far")
            return
        }
        #expect(until <= at(50))
    }

    @Test("where swaps do not wait, a draw begins by its lead before the frame is due")
    func lead() {
        let pacer = FramePacer(swapBlocks: false, refreshRate: 60)
        let due = at(40)
        #expect(plan(pacer, at: at(0), frameDue: due) == .sleep(until: due - pacer.lead))
        guard case .draw(let visible, let frames) = plan(pacer, at: due - pacer.lead, frameDue: due) else {
            Issue.record("it is time to draw")
            return
        }
        #expect(visible == due)
        #expect(frames >= due)
    }

    @Test("the lead follows what drawing takes, and one hiccup does not make it jump")
    func leadFollows() {
        var pacer = FramePacer(swapBlocks: false, refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(began: began, swapCalled: began + .milliseconds(9), returned: began + .milliseconds(10))
        }
        #expect(abs((pacer.lead - .milliseconds(10)).inMilliseconds) < 0.1)
        pacer.didSwap(began: at(5000), swapCalled: at(5400), returned: at(5500))
        #expect(pacer.lead < .milliseconds(25))
    }

    @Test("the lead has a reserve for draws that take longer than others, of a third of a period at most")
    func reserve() {
        var pacer = FramePacer(swapBlocks: false, refreshRate: 60)
        for frame in 0..<200 {
            let (began, cost) = (at(Double(frame) * 40), Duration.milliseconds(frame % 4 == 0 ? 6 : 2))
            pacer.didSwap(began: began, swapCalled: began + cost, returned: began + cost)
        }
        #expect(pacer.lead > .milliseconds(5.8) && pacer.lead <= .milliseconds(6))
    }

    @Test("the time for which a frame was held is none that drawing takes")
    func held() {
        var pacer = FramePacer(swapBlocks: false, refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(
                began: began, held: .milliseconds(5), swapCalled: began + .milliseconds(7),
                returned: began + .milliseconds(8))
        }
        #expect(abs((pacer.lead - .milliseconds(3)).inMilliseconds) < 0.1)
    }

    @Test("what is ready before it is due is swapped when it is, less what a swap takes")
    func swapTime() throws {
        var pacer = FramePacer(swapBlocks: false, refreshRate: 60)
        for frame in 0..<100 {
            let began = at(Double(frame) * 40)
            pacer.didSwap(began: began, swapCalled: began + .milliseconds(2), returned: began + .milliseconds(3))
        }
        let due = at(6000)
        let swap = try #require(pacer.swapTime(frameDue: due, framesBy: due, now: at(5995)))
        #expect(abs((due - swap - .milliseconds(1)).inMilliseconds) < 0.01)
        #expect(pacer.swapTime(frameDue: due, framesBy: due, now: due) == nil, "late: at once")
        #expect(pacer.swapTime(frameDue: due, framesBy: at(5999), now: at(5995)) == nil, "it is not this draw's")
        #expect(pacer.swapTime(frameDue: HostTime(nanoseconds: 0), framesBy: due, now: at(5995)) == nil, "untimed")
        #expect(pacer.swapTime(frameDue: nil, framesBy: due, now: at(5995)) == nil)
        let blocking = FramePacer(swapBlocks: true, refreshRate: 60)
        #expect(blocking.swapTime(frameDue: due, framesBy: due, now: at(5995)) == nil, "the display holds it")
    }

    @Test("what is wrong on screen is drawn at once", arguments: [true, false])
    func redraw(isBlocking: Bool) {
        let pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        for due in [nil, at(500)] {
            guard case .draw = plan(pacer, at: at(0), frameDue: due, needsRedraw: true) else {
                Issue.record("it slept")
                continue
            }
        }
    }

    @Test("a frame that is overdue is drawn at once", arguments: [true, false])
    func overdue(isBlocking: Bool) {
        var pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        pacer.didSwap(began: at(0), swapCalled: at(3), returned: at(4))
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
        "a draw for a frame that counts as due takes that frame, though its due time is a little past the refresh")
    func slack() {
        var pacer = FramePacer(swapBlocks: true, refreshRate: 50)
        pacer.didSwap(began: at(0), swapCalled: at(3), returned: at(20))
        // Seen at 40 ms; a quarter of a period after that is 45.
        guard case .draw(let visible, let frames) = plan(pacer, at: at(21), frameDue: at(44)) else {
            Issue.record("it slept")
            return
        }
        #expect(visible == at(40))
        #expect(frames >= at(44))
        #expect(plan(pacer, at: at(21), frameDue: at(46)) == .sleep(until: at(40)))
    }

    @Test(
        "a refresh rate that nobody knows, or that makes no sense, is 60 Hz", arguments: [nil, 0, -5, .nan, .infinity])
    func unknownRate(rate: Double?) {
        var pacer = FramePacer(swapBlocks: nil, refreshRate: rate)
        #expect(abs(pacer.period.inMilliseconds - 16.667) < 0.001)
        pacer.setRefreshRate(120)
        #expect(abs(pacer.period.inMilliseconds - 8.333) < 0.001)
    }

    @Test("another refresh rate moves the ticks that come, from the last swap on", arguments: [true, false])
    func otherRate(isBlocking: Bool) {
        var pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 50)
        pacer.didSwap(began: at(0), swapCalled: at(0), returned: at(0))
        #expect(visible(pacer, at: at(21)) == (isBlocking ? at(40) : nil))
        pacer.setRefreshRate(100)
        #expect(visible(pacer, at: at(21)) == (isBlocking ? at(30) : nil))
        guard case .sleep(let until?) = plan(pacer, at: at(1), isAnimating: !isBlocking, wake: at(500)) else {
            Issue.record("it drew at once")
            return
        }
        // Where no display is waited for, what moves is drawn a period after the last swap, less what drawing takes.
        #expect(isBlocking ? until == at(500) : until > at(5) && until <= at(10))
    }

    /// The refresh that a draw at `now` would be seen at; nil where that is no refresh.
    private func visible(_ pacer: FramePacer, at now: HostTime) -> HostTime? {
        guard pacer.isBlocking, case .draw(let visible, _) = plan(pacer, at: now, needsRedraw: true) else { return nil }
        return visible
    }

    @Test("a rate that changes all the time stops nothing", arguments: [true, false])
    func restlessRate(isBlocking: Bool) {
        var pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        for (frame, rate) in [24.0, 240, 59.94, 1, 1e9, .nan, 144, -1, 30].enumerated() {
            pacer.setRefreshRate(rate)
            #expect(pacer.period > .zero)
            let began = at(Double(frame) * 40)
            pacer.didSwap(began: began, swapCalled: began + .milliseconds(3), returned: began + .milliseconds(4))
            guard case .draw(let visible, let framesBy) = plan(pacer, at: at(Double(frame) * 40 + 5), needsRedraw: true)
            else {
                Issue.record("it slept at \(rate) Hz")
                continue
            }
            #expect(visible > at(Double(frame) * 40 + 5) && framesBy >= visible)
        }
    }

    @Test("quick swaps teach it that they do not wait, and slow ones that they do again")
    func learning() {
        var pacer = FramePacer(swapBlocks: nil, refreshRate: 60)
        #expect(pacer.isBlocking)
        func swap(_ frame: Int, takes: Duration) {
            let called = at(Double(frame) * 20)
            pacer.didSwap(began: called - .milliseconds(2), swapCalled: called, returned: called + takes)
        }
        for frame in 1..<FramePacer.decisiveSwaps { swap(frame, takes: .microseconds(100)) }
        #expect(pacer.isBlocking, "one swap short of a decision")
        swap(50, takes: .milliseconds(6))
        for frame in 51..<51 + FramePacer.decisiveSwaps { swap(frame, takes: .microseconds(100)) }
        #expect(!pacer.isBlocking)
        swap(100, takes: .milliseconds(5))
        #expect(!pacer.isBlocking, "a slow machine is not a display")
        swap(101, takes: .milliseconds(15))
        #expect(pacer.isBlocking)
    }

    @Test("where it was told, it does not learn", arguments: [true, false])
    func told(isBlocking: Bool) {
        var pacer = FramePacer(swapBlocks: isBlocking, refreshRate: 60)
        for frame in 0..<40 {
            let began = at(Double(frame) * 20)
            let takes = Duration.microseconds(isBlocking ? 10 : 15_000)
            pacer.didSwap(began: began, swapCalled: began, returned: began + takes)
        }
        #expect(pacer.isBlocking == isBlocking)
    }
}
