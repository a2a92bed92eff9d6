import Testing
import Time

@testable import Gestures

@Suite("Taps and long presses") struct TapTests {
    private let hand = Hand()
    private let tap = TapRecognizer()
    private let double = TapRecognizer(count: 2)
    private let long = LongPressRecognizer()

    @Test("Discrete: possible → recognized, and possible again when every pointer is up")
    func tapStates() {
        _ = hand.element("page", [tap])
        var states: [GestureRecognizer.State] = []
        tap.onChange = { states.append($0.state) }
        hand.click(10, 10, at: 0)
        #expect(states == [.recognized])
        #expect(tap.state == .possible)
        #expect(hand.took().isEmpty)
    }

    @Test(
        "Tap: less than 8 px and 0.3 s",
        arguments: [(7.9, 299.0, true), (8, 100, false), (0, 300, false), (-5.6, 299, true)])
    func tapLimits(travel: Double, ms: Double, isTap: Bool) {
        _ = hand.element("page", [tap])
        hand.press(10, 10)
        hand.release(10, 10 + travel, at: ms)
        let expected = isTap ? ["tap recognized"] : ["tap failed", "page pressed", "page released"]
        #expect(hand.took() == expected)
    }

    @Test("A tap that went away and came back is none")
    func awayAndBack() {
        _ = hand.element("page", [tap])
        hand.press(10, 10)
        hand.move(30, 10, at: 10)
        hand.move(10, 10, at: 20)
        hand.release(10, 10, at: 30)
        #expect(hand.took() == ["tap failed", "page pressed", "page moved", "page moved", "page released"])
    }

    @Test(
        "Double tap within 0.3 s and 24 px",
        arguments: [(24.0, 299.0, true), (25, 100, false), (0, 300, false), (0, 20, true)])
    func doubleLimits(distance: Double, pause: Double, isDouble: Bool) {
        _ = hand.element("page", [double])
        hand.click(10, 10, at: 0)
        hand.click(10 + distance, 10, at: 50 + pause)
        hand.wait(until: 5000)
        #expect(hand.took().contains("double tap recognized") == isDouble)
        #expect(double.state == .possible)
    }

    @Test("The press that comes too far off for a double tap is the first half of the next")
    func restart() {
        _ = hand.element("page", [double])
        hand.click(10, 10, at: 0)
        hand.click(200, 10, at: 100)
        hand.click(200, 10, at: 200)
        #expect(
            hand.took() == [
                "double tap failed", "page pressed", "page released", "double tap recognized",
            ])
    }

    @Test("A single tap that requires the double tap's failure waits for it, and comes once")
    func singleWaits() {
        _ = hand.element("page", [tap, double])
        tap.requireFailure(of: double)
        hand.click(10, 10, at: 0)
        #expect(hand.took().isEmpty)
        #expect(hand.arbiter.nextDeadline == hand.time(350))
        hand.wait(until: 349)
        #expect(hand.took().isEmpty)
        hand.wait(until: 350)
        #expect(hand.took() == ["double tap failed", "tap recognized"])
        #expect(tap.state == .possible && double.state == .possible)
        #expect(hand.arbiter.nextDeadline == nil)
        hand.click(10, 10, at: 1000)
        hand.click(12, 10, at: 1150)
        hand.wait(until: 5000)
        #expect(hand.took() == ["double tap recognized", "tap failed"])
    }

    @Test("A tap and a drag right after it are a tap and a drag")
    func tapThenDrag() {
        let pan = PanRecognizer()
        _ = hand.element("page", [tap, double, pan])
        tap.requireFailure(of: double)
        hand.click(10, 10, at: 0)
        _ = hand.took()
        hand.press(10, 10, at: 100)
        hand.move(50, 10, at: 150)
        hand.release(50, 10, at: 160)
        #expect(hand.took() == ["double tap failed", "tap recognized", "pan began", "pan changed", "pan ended"])
    }

    @Test("Clicks on and on are pairs, and each lone one is single")
    func manyClicks() {
        _ = hand.element("page", [tap, double])
        tap.requireFailure(of: double)
        for click in 0..<5 { hand.click(10, 10, at: Double(click) * 100) }
        hand.wait(until: 5000)
        let pair = ["double tap recognized", "tap failed"]
        #expect(hand.took() == pair + pair + ["double tap failed", "tap recognized"])
        #expect(hand.arbiter.members.isEmpty)
    }

    @Test("A click elsewhere decides about the one before it first, and in order")
    func elsewhere() {
        let row = hand.element("row", [double])
        hand.click(10, 10, at: 0)
        #expect(hand.took().isEmpty)
        hand.elements = []
        _ = hand.element("page", [tap])
        hand.press(10, 10, at: 100)
        #expect(hand.took() == ["double tap failed", "row pressed", "row released"])
        hand.release(10, 10, at: 120)
        #expect(hand.took() == ["tap recognized"])
        #expect(row.events.count == 2)
    }

    @Test("No click waits for more than the next one: a third decides about the first")
    func chain() {
        let row = hand.element("row", [double])
        let outer = TapRecognizer(count: 2, name: "outer")
        double.requireFailure(of: outer)
        hand.click(10, 10, at: 0)
        _ = hand.element("page", [outer])
        hand.click(10, 10, at: 100)
        #expect(hand.took().isEmpty)
        hand.press(10, 10, at: 200)
        #expect(hand.took() == ["outer failed", "double tap recognized"])
        hand.release(10, 10, at: 220)
        hand.wait(until: 5000)
        #expect(hand.took() == ["double tap failed", "outer failed", "row pressed", "row released"])
        #expect(row.events.count == 2)
    }

    @Test("A tap counts to 1 or 2", arguments: [(-3, 1), (0, 1), (1, 1), (2, 2), (9, 2)])
    func counts(asked: Int, count: Int) {
        #expect(TapRecognizer(count: asked).count == count)
    }

    @Test("Without that, the first tap comes at once, and the second click is the double tap alone")
    func singleAndDouble() {
        _ = hand.element("page", [tap, double])
        hand.click(10, 10, at: 0)
        #expect(hand.took() == ["tap recognized"])
        hand.click(10, 10, at: 100)
        #expect(hand.took() == ["double tap recognized", "tap failed"])
    }

    @Test("Long press 0.5 s: began then, ended when it is let go")
    func longPress() {
        _ = hand.element("page", [long])
        hand.press(10, 10)
        #expect(hand.arbiter.nextDeadline == hand.time(500))
        hand.move(17, 10, at: 100)
        hand.wait(until: 499)
        #expect(hand.took().isEmpty)
        hand.wait(until: 500)
        #expect(hand.took() == ["long press began"])
        #expect(hand.arbiter.nextDeadline == nil)
        hand.move(300, 10, at: 600)
        hand.release(300, 10, at: 700)
        #expect(hand.took() == ["long press changed", "long press ended"])
        #expect(long.state == .possible)
    }

    @Test("A long press that moves by 8 px before its time, or is let go, is none")
    func noLongPress() {
        _ = hand.element("page", [long])
        hand.press(10, 10)
        hand.move(18, 10, at: 499)
        hand.wait(until: 600)
        hand.release(18, 10, at: 700)
        #expect(hand.took() == ["long press failed", "page pressed", "page moved", "page released"])
        hand.click(10, 10, at: 1000)
        #expect(hand.took() == ["long press failed", "page pressed", "page released"])
    }

    @Test("An event after the time has come decides the same as a call of advance would have")
    func lateAdvance() {
        _ = hand.element("page", [long, tap])
        hand.press(10, 10)
        hand.release(10, 10, at: 800)
        #expect(hand.took() == ["tap failed", "long press began", "long press ended"])
    }
}
