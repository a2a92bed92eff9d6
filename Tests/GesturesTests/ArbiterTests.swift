import Testing
import Time

@testable import Gestures
@testable import Input

@Suite("Who wins") struct ArbiterTests {
    private let hand = Hand()

    /// Begins at the press, and says what it saw.
    private final class Watcher: GestureRecognizer {
        var hand: Hand?
        override func pressed(_ event: PointerEvent) { hand?.trace.append("\(name) sees \(event.phase)") }
        override func released(_ event: PointerEvent) { fail() }
        override func moved(_ event: PointerEvent) {
            hand?.trace.append("\(name) sees \(event.phase)")
            fail()
        }
    }

    @Test("A recognizer sees an event before the element beneath it does")
    func recognizersFirst() {
        let watcher = Watcher(name: "watcher")
        watcher.hand = hand
        _ = hand.element("page", [watcher])
        hand.press(10, 10)
        #expect(hand.took() == ["watcher sees pressed"])
        hand.move(11, 10, at: 10)
        #expect(hand.took() == ["watcher sees moved", "watcher failed", "page pressed", "page moved"])
        hand.move(12, 10, at: 20)
        hand.release(12, 10, at: 30)
        #expect(hand.took() == ["page moved", "page released"])
    }

    @Test("An element gets the event only if no recognizer is still deciding or has won")
    func heldBack() {
        let element = hand.element("page", [PanRecognizer(axes: .horizontal), TapRecognizer()])
        hand.press(10, 10)
        hand.move(12, 14, at: 10)
        #expect(hand.took().isEmpty)
        hand.move(12, 40, at: 20)
        #expect(hand.took() == ["pan failed", "tap failed", "page pressed", "page moved", "page moved"])
        #expect(element.events.map(\.position.y) == [10, 14, 40])
        #expect(element.events.map(\.time) == [hand.time(0), hand.time(10), hand.time(20)])
        hand.release(12, 40, at: 30)
        hand.drag(from: (10, 10), to: (40, 10), at: 100)
        #expect(hand.took().filter { $0.hasPrefix("page") } == ["page released"])
    }

    @Test("One that never makes up its mind has failed when every pointer is up")
    func undecided() {
        _ = hand.element("page", [GestureRecognizer(name: "idle")])
        hand.press(10, 10)
        hand.move(300, 10, at: 2000)
        #expect(hand.took().isEmpty)
        hand.release(300, 10, at: 2010)
        #expect(hand.took() == ["idle failed", "page pressed", "page moved", "page released"])
    }

    @Test("One that is still active when every pointer is up is cancelled")
    func neverEnds() {
        final class Endless: GestureRecognizer {
            override func pressed(_ event: PointerEvent) { begin() }
        }
        _ = hand.element("page", [Endless(name: "endless")])
        hand.click(10, 10, at: 0)
        #expect(hand.took() == ["endless began", "endless cancelled"])
    }

    @Test("An element without recognizers over it gets everything at once, and only the innermost does")
    func nothingDecides() {
        _ = hand.element("row")
        _ = hand.element("page")
        hand.drag(from: (10, 10), to: (40, 10))
        #expect(hand.took() == ["row pressed", "row moved", "row released"])
        #expect(hand.pathsAsked == 1)
    }

    @Test("An element that got a press and then loses it is told")
    func cancelledElement() {
        _ = hand.element("row")
        hand.press(10, 10)
        hand.arbiter.cancelAll(now: hand.time(10))
        hand.release(10, 10, at: 20)
        #expect(hand.took() == ["row pressed", "row cancelled"])
        hand.press(10, 10, at: 30)
        hand.send(.cancelled, 10, 10, at: 40, button: .primary)
        #expect(hand.took() == ["row pressed", "row cancelled"])
        hand.send(.pressed, 10, 10, at: 50, button: .middle)
        hand.arbiter.cancelAll(now: hand.time(60))
        #expect(hand.took() == ["row pressed", "row cancelled"])
    }

    @Test("Of two that begin at the same event, the inner one wins and the outer one fails")
    func innermost() {
        _ = hand.element("row", [PanRecognizer(name: "inner")])
        _ = hand.element("page", [PanRecognizer(name: "outer")])
        hand.drag(from: (10, 10), to: (40, 10))
        #expect(hand.took() == ["inner began", "outer failed", "inner changed", "inner ended"])
    }

    @Test("The delegate is asked, in this order: shouldReceive at the press, shouldBegin when it would leave possible")
    func delegateOrder() {
        let pan = PanRecognizer()
        let asked = Asked()
        pan.delegate = asked
        _ = hand.element("page", [pan])
        hand.press(10, 10)
        #expect(asked.questions == ["receive"])
        hand.move(12, 10, at: 10)
        #expect(asked.questions == ["receive"])
        hand.move(30, 10, at: 20)
        #expect(asked.questions == ["receive", "begin"])
        hand.move(40, 10, at: 30)
        hand.release(40, 10, at: 40)
        #expect(asked.questions == ["receive", "begin"])
    }

    @Test("Then shouldRecognizeSimultaneously when another is active, plus requiresFailure")
    func delegateOrderWithOthers() {
        let outer = PanRecognizer(name: "outer")
        let waiting = LongPressRecognizer()
        let asked = Asked()
        asked.isSimultaneous = true
        outer.delegate = asked
        _ = hand.element("row", [PanRecognizer(name: "inner")])
        _ = hand.element("page", [outer, waiting])
        waiting.maximumTravel = 1000
        hand.press(10, 10)
        hand.move(40, 10, at: 10)
        #expect(
            asked.questions == ["receive", "begin", "with inner", "failure of inner", "failure of long press"])
        #expect(hand.took() == ["inner began", "outer began"])
    }

    @Test("Each of the delegate's noes has its effect")
    func noes() {
        let pan = PanRecognizer()
        let asked = Asked()
        pan.delegate = asked
        _ = hand.element("page", [pan])
        asked.receives = false
        hand.drag(from: (10, 10), to: (40, 10))
        #expect(hand.took() == ["page pressed", "page moved", "page released"])
        asked.receives = true
        asked.begins = false
        hand.drag(from: (10, 10), to: (40, 10), at: 100)
        #expect(hand.took() == ["pan failed", "page pressed", "page moved", "page released"])
    }

    @Test("Either delegate's yes is enough for both to be active")
    func simultaneous() {
        let inner = PanRecognizer(name: "inner")
        let asked = Asked()
        asked.isSimultaneous = true
        inner.delegate = asked
        _ = hand.element("row", [inner])
        _ = hand.element("page", [PanRecognizer(name: "outer")])
        hand.drag(from: (10, 10), to: (40, 10))
        #expect(
            hand.took() == [
                "inner began", "outer began", "inner changed", "inner ended", "outer changed", "outer ended",
            ])
    }

    @Test("One that requires another's failure waits for it, and fails where that one wins")
    func failureRequired() {
        let inner = PanRecognizer(name: "inner")
        let outer = PanRecognizer(name: "outer")
        outer.minimumTravel = 20
        let asked = Asked()
        asked.waitsFor = outer
        inner.delegate = asked
        _ = hand.element("row", [inner])
        _ = hand.element("page", [outer])
        hand.press(10, 10)
        hand.move(25, 10, at: 10)
        #expect(hand.took().isEmpty)
        hand.move(35, 10, at: 20)
        #expect(hand.took() == ["outer began", "inner failed"])
        hand.release(35, 10, at: 30)
        _ = hand.took()
        hand.press(10, 10, at: 100)
        hand.move(25, 10, at: 110)
        hand.release(25, 10, at: 120)
        #expect(hand.took() == ["outer failed", "inner began", "inner ended"])
    }

    @Test("Two that wait for each other do not wait for ever")
    func circle() {
        let inner = PanRecognizer(name: "inner")
        let outer = PanRecognizer(name: "outer")
        inner.requireFailure(of: outer)
        outer.requireFailure(of: inner)
        _ = hand.element("row", [inner])
        _ = hand.element("page", [outer])
        hand.drag(from: (10, 10), to: (40, 10))
        #expect(hand.took().first == "inner began")
        #expect(inner.state == .possible && outer.state == .possible)
    }

    @Test("One that cancels others wins over an inner one, and over one that is active")
    func cancelsOthers() {
        let bar = PanRecognizer(axes: .horizontal, name: "bar")
        bar.cancelsOthers = true
        _ = hand.element("row", [PanRecognizer(name: "inner"), LongPressRecognizer()])
        _ = hand.element("page", [bar])
        hand.press(10, 10)
        hand.move(30, 10, at: 10)
        #expect(hand.took() == ["long press failed", "inner cancelled", "bar began"])
        hand.release(30, 10, at: 20)
        _ = hand.took()
        hand.press(10, 10, at: 100)
        hand.wait(until: 700)
        hand.move(30, 10, at: 710)
        #expect(
            hand.took() == [
                "long press began", "long press changed", "inner cancelled", "long press cancelled", "bar began",
            ])
    }

    @Test("A pan begins although a tap and a long press are still possible; these fail by themselves")
    func panTapLong() {
        _ = hand.element("page", [TapRecognizer(), LongPressRecognizer(), PanRecognizer()])
        hand.press(10, 10)
        hand.move(40, 10, at: 10)
        #expect(hand.took() == ["tap failed", "long press failed", "pan began"])
        hand.release(40, 10, at: 20)
        hand.press(10, 10, at: 100)
        hand.wait(until: 600)
        hand.move(40, 10, at: 700)
        #expect(hand.took().suffix(4) == ["tap failed", "long press began", "long press changed", "pan failed"])
    }

    @Test("Every state change can be logged with its time")
    func log() {
        let pan = PanRecognizer()
        _ = hand.element("page", [pan])
        hand.press(10, 10)
        hand.move(40, 10, at: 12.5)
        hand.move(50, 10, at: 20)
        hand.move(60, 10, at: 30)
        hand.release(60, 10, at: 250)
        #expect(
            hand.log == [
                "1.012500 +0.012500 pan: possible → began",
                "1.020000 +0.020000 pan: began → changed",
                "1.250000 +0.250000 pan: changed → ended",
                "1.250000 +0.250000 pan: ended → possible",
            ])
        #expect(GestureLog.seconds(-1_500_000) == "-0.001500")
        #expect(!GestureLog.seconds(.min).isEmpty)
    }

    @Test("One that is still deciding is told, once, that another has begun; it may fail, or continue as it was")
    func toldOfOthers() {
        final class Watching: GestureRecognizer {
            var told: [String] = []
            var gives = false
            override func hasBegun(_ other: GestureRecognizer) {
                told.append(other.name)
                if gives { fail() }
            }
        }
        let hand = Hand()
        let watching = Watching(name: "watching")
        _ = hand.element("element", [watching, PanRecognizer(axes: .horizontal)])
        hand.drag(from: (100, 100), to: (150, 100))
        #expect(watching.told == ["pan"])
        #expect(hand.took().contains("watching failed"))
        watching.gives = true
        hand.press(100, 100, at: 1000)
        hand.move(150, 100, at: 1050)
        #expect(watching.state == .failed && watching.told == ["pan", "pan"])
        hand.release(150, 100, at: 1100)
    }
}
