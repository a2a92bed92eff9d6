import Testing
import GlissadeTime

@testable import GlissadeGestures

@Suite("Tap and long press recognizers") struct TapTests {
    private let harness = GestureHarness()
    private let tap = TapRecognizer()
    private let double = TapRecognizer(count: 2)
    private let long = LongPressRecognizer()

    @Test("A tap goes from possible to recognized, and back to possible when every pointer is up")
    func tapStates() {
        _ = harness.element("page", [tap])
        var states: [GestureRecognizer.State] = []
        tap.onChange = { states.append($0.state) }
        harness.click(10, 10, at: 0)
        #expect(states == [.recognized])
        #expect(tap.state == .possible)
        #expect(harness.took().isEmpty)
    }

    @Test(
        "A tap takes less than 0.3 s and moves less than 8 px",
        arguments: [(7.9, 299.0, true), (8, 100, false), (0, 300, false), (-5.6, 299, true)])
    func tapLimits(travel: Double, ms: Double, isTap: Bool) {
        _ = harness.element("page", [tap])
        harness.press(10, 10)
        harness.release(10, 10 + travel, at: ms)
        let expected = isTap ? ["tap recognized"] : ["tap failed", "page pressed", "page released"]
        #expect(harness.took() == expected)
    }

    @Test("A pointer that moves away and returns is no tap")
    func awayAndBack() {
        _ = harness.element("page", [tap])
        harness.press(10, 10)
        harness.move(30, 10, at: 10)
        harness.move(10, 10, at: 20)
        harness.release(10, 10, at: 30)
        #expect(harness.took() == ["tap failed", "page pressed", "page moved", "page moved", "page released"])
    }

    @Test(
        "A double tap's presses are at most 0.3 s and 24 px apart",
        arguments: [(24.0, 299.0, true), (25, 100, false), (0, 300, false), (0, 20, true)])
    func doubleLimits(distance: Double, pause: Double, isDouble: Bool) {
        _ = harness.element("page", [double])
        harness.click(10, 10, at: 0)
        harness.click(10 + distance, 10, at: 50 + pause)
        harness.wait(until: 5000)
        #expect(harness.took().contains("double tap recognized") == isDouble)
        #expect(double.state == .possible)
    }

    @Test("A press too far away for a double tap can be the first of the next")
    func restart() {
        _ = harness.element("page", [double])
        harness.click(10, 10, at: 0)
        harness.click(200, 10, at: 100)
        harness.click(200, 10, at: 200)
        #expect(
            harness.took() == [
                "double tap failed", "page pressed", "page released", "double tap recognized",
            ])
    }

    @Test("A single tap that requires the double tap's failure waits for it and comes once")
    func singleWaits() {
        _ = harness.element("page", [tap, double])
        tap.requireFailure(of: double)
        harness.click(10, 10, at: 0)
        #expect(harness.took().isEmpty)
        #expect(harness.arbiter.nextDeadline == harness.time(350))
        harness.wait(until: 349)
        #expect(harness.took().isEmpty)
        harness.wait(until: 350)
        #expect(harness.took() == ["double tap failed", "tap recognized"])
        #expect(tap.state == .possible && double.state == .possible)
        #expect(harness.arbiter.nextDeadline == nil)
        harness.click(10, 10, at: 1000)
        harness.click(12, 10, at: 1150)
        harness.wait(until: 5000)
        #expect(harness.took() == ["double tap recognized", "tap failed"])
    }

    @Test("A tap followed by a drag is recognized as a tap and a drag")
    func tapThenDrag() {
        let pan = PanRecognizer()
        _ = harness.element("page", [tap, double, pan])
        tap.requireFailure(of: double)
        harness.click(10, 10, at: 0)
        _ = harness.took()
        harness.press(10, 10, at: 100)
        harness.move(50, 10, at: 150)
        harness.release(50, 10, at: 160)
        #expect(harness.took() == ["double tap failed", "tap recognized", "pan began", "pan changed", "pan ended"])
    }

    @Test("A series of clicks gives double clicks, and a remaining one is single")
    func manyClicks() {
        _ = harness.element("page", [tap, double])
        tap.requireFailure(of: double)
        for click in 0..<5 { harness.click(10, 10, at: Double(click) * 100) }
        harness.wait(until: 5000)
        let pair = ["double tap recognized", "tap failed"]
        #expect(harness.took() == pair + pair + ["double tap failed", "tap recognized"])
        #expect(harness.arbiter.members.isEmpty)
    }

    @Test("A click elsewhere first decides the click before it, in order")
    func elsewhere() {
        let row = harness.element("row", [double])
        harness.click(10, 10, at: 0)
        #expect(harness.took().isEmpty)
        harness.elements = []
        _ = harness.element("page", [tap])
        harness.press(10, 10, at: 100)
        #expect(harness.took() == ["double tap failed", "row pressed", "row released"])
        harness.release(10, 10, at: 120)
        #expect(harness.took() == ["tap recognized"])
        #expect(row.events.count == 2)
    }

    @Test("A click waits for at most one more: a third click decides the first")
    func chain() {
        let row = harness.element("row", [double])
        let outer = TapRecognizer(count: 2, name: "outer")
        double.requireFailure(of: outer)
        harness.click(10, 10, at: 0)
        _ = harness.element("page", [outer])
        harness.click(10, 10, at: 100)
        #expect(harness.took().isEmpty)
        harness.press(10, 10, at: 200)
        #expect(harness.took() == ["outer failed", "double tap recognized"])
        harness.release(10, 10, at: 220)
        harness.wait(until: 5000)
        #expect(harness.took() == ["double tap failed", "outer failed", "row pressed", "row released"])
        #expect(row.events.count == 2)
    }

    @Test("A tap recognizer can count one or two taps", arguments: [(-3, 1), (0, 1), (1, 1), (2, 2), (9, 2)])
    func counts(asked: Int, count: Int) {
        #expect(TapRecognizer(count: asked).count == count)
    }

    @Test("Without waiting, the first tap is recognized at once and the second only as a double tap")
    func singleAndDouble() {
        _ = harness.element("page", [tap, double])
        harness.click(10, 10, at: 0)
        #expect(harness.took() == ["tap recognized"])
        harness.click(10, 10, at: 100)
        #expect(harness.took() == ["double tap recognized", "tap failed"])
    }

    @Test("A long press begins after 0.5 s and ends on release")
    func longPress() {
        _ = harness.element("page", [long])
        harness.press(10, 10)
        #expect(harness.arbiter.nextDeadline == harness.time(500))
        harness.move(17, 10, at: 100)
        harness.wait(until: 499)
        #expect(harness.took().isEmpty)
        harness.wait(until: 500)
        #expect(harness.took() == ["long press began"])
        #expect(harness.arbiter.nextDeadline == nil)
        harness.move(300, 10, at: 600)
        harness.release(300, 10, at: 700)
        #expect(harness.took() == ["long press changed", "long press ended"])
        #expect(long.state == .possible)
    }

    @Test("A long press fails if it moves by 8 px or is released before its time")
    func noLongPress() {
        _ = harness.element("page", [long])
        harness.press(10, 10)
        harness.move(18, 10, at: 499)
        harness.wait(until: 600)
        harness.release(18, 10, at: 700)
        #expect(harness.took() == ["long press failed", "page pressed", "page moved", "page released"])
        harness.click(10, 10, at: 1000)
        #expect(harness.took() == ["long press failed", "page pressed", "page released"])
    }

    @Test("A late event decides the same as advancing the time would have")
    func lateAdvance() {
        _ = harness.element("page", [long, tap])
        harness.press(10, 10)
        harness.release(10, 10, at: 800)
        #expect(harness.took() == ["tap failed", "long press began", "long press ended"])
    }
}
