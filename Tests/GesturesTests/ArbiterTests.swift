import Testing
import GlissadeTime

@testable import GlissadeGestures
@testable import GlissadeInput

@Suite("Gesture arbiter") struct ArbiterTests {
    private let harness = GestureHarness()

    /// Begins at the press, and says what it saw.
    private final class Watcher: GestureRecognizer {
        var harness: GestureHarness?
        override func pressed(_ event: PointerEvent) { harness?.trace.append("\(name) sees \(event.phase)") }
        override func released(_ event: PointerEvent) { fail() }
        override func moved(_ event: PointerEvent) {
            harness?.trace.append("\(name) sees \(event.phase)")
            fail()
        }
    }

    @Test("A recognizer sees an event before the element beneath it")
    func recognizersFirst() {
        let watcher = Watcher(name: "watcher")
        watcher.harness = harness
        _ = harness.element("page", [watcher])
        harness.press(10, 10)
        #expect(harness.took() == ["watcher sees pressed"])
        harness.move(11, 10, at: 10)
        #expect(harness.took() == ["watcher sees moved", "watcher failed", "page pressed", "page moved"])
        harness.move(12, 10, at: 20)
        harness.release(12, 10, at: 30)
        #expect(harness.took() == ["page moved", "page released"])
    }

    @Test("An element gets an event only if no recognizer is undecided or has won")
    func heldBack() {
        let element = harness.element("page", [PanRecognizer(axes: .horizontal), TapRecognizer()])
        harness.press(10, 10)
        harness.move(12, 14, at: 10)
        #expect(harness.took().isEmpty)
        harness.move(12, 40, at: 20)
        #expect(harness.took() == ["pan failed", "tap failed", "page pressed", "page moved", "page moved"])
        #expect(element.events.map(\.position.y) == [10, 14, 40])
        #expect(element.events.map(\.time) == [harness.time(0), harness.time(10), harness.time(20)])
        harness.release(12, 40, at: 30)
        harness.drag(from: (10, 10), to: (40, 10), at: 100)
        #expect(harness.took().filter { $0.hasPrefix("page") } == ["page released"])
    }

    @Test("A recognizer that never decides has failed when every pointer is up")
    func undecided() {
        _ = harness.element("page", [GestureRecognizer(name: "idle")])
        harness.press(10, 10)
        harness.move(300, 10, at: 2000)
        #expect(harness.took().isEmpty)
        harness.release(300, 10, at: 2010)
        #expect(harness.took() == ["idle failed", "page pressed", "page moved", "page released"])
    }

    @Test("A recognizer that is still active when every pointer is up is cancelled")
    func neverEnds() {
        final class Endless: GestureRecognizer {
            override func pressed(_ event: PointerEvent) { begin() }
        }
        _ = harness.element("page", [Endless(name: "endless")])
        harness.click(10, 10, at: 0)
        #expect(harness.took() == ["endless began", "endless cancelled"])
    }

    @Test("Without recognizers the innermost element, and only that, gets everything at once")
    func nothingDecides() {
        _ = harness.element("row")
        _ = harness.element("page")
        harness.drag(from: (10, 10), to: (40, 10))
        #expect(harness.took() == ["row pressed", "row moved", "row released"])
        #expect(harness.pathsAsked == 1)
    }

    @Test("An element that got a press and then loses it is told")
    func cancelledElement() {
        _ = harness.element("row")
        harness.press(10, 10)
        harness.arbiter.cancelAll(now: harness.time(10))
        harness.release(10, 10, at: 20)
        #expect(harness.took() == ["row pressed", "row cancelled"])
        harness.press(10, 10, at: 30)
        harness.send(.cancelled, 10, 10, at: 40, button: .primary)
        #expect(harness.took() == ["row pressed", "row cancelled"])
        harness.send(.pressed, 10, 10, at: 50, button: .middle)
        harness.arbiter.cancelAll(now: harness.time(60))
        #expect(harness.took() == ["row pressed", "row cancelled"])
    }

    @Test("If two recognizers begin at the same event, the inner one wins and the outer one fails")
    func innermost() {
        _ = harness.element("row", [PanRecognizer(name: "inner")])
        _ = harness.element("page", [PanRecognizer(name: "outer")])
        harness.drag(from: (10, 10), to: (40, 10))
        #expect(harness.took() == ["inner began", "outer failed", "inner changed", "inner ended"])
    }

    @Test("The delegate is asked shouldReceive at the press, then shouldBegin before a recognizer leaves possible")
    func delegateOrder() {
        let pan = PanRecognizer()
        let asked = Asked()
        pan.delegate = asked
        _ = harness.element("page", [pan])
        harness.press(10, 10)
        #expect(asked.questions == ["receive"])
        harness.move(12, 10, at: 10)
        #expect(asked.questions == ["receive"])
        harness.move(30, 10, at: 20)
        #expect(asked.questions == ["receive", "begin"])
        harness.move(40, 10, at: 30)
        harness.release(40, 10, at: 40)
        #expect(asked.questions == ["receive", "begin"])
    }

    @Test("The delegate is asked shouldRecognizeSimultaneously if another recognizer is active, and requiresFailure")
    func delegateOrderWithOthers() {
        let outer = PanRecognizer(name: "outer")
        let waiting = LongPressRecognizer()
        let asked = Asked()
        asked.isSimultaneous = true
        outer.delegate = asked
        _ = harness.element("row", [PanRecognizer(name: "inner")])
        _ = harness.element("page", [outer, waiting])
        waiting.maximumTravel = 1000
        harness.press(10, 10)
        harness.move(40, 10, at: 10)
        #expect(
            asked.questions == ["receive", "begin", "with inner", "failure of inner", "failure of long press"])
        #expect(harness.took() == ["inner began", "outer began"])
    }

    @Test("Each refusal of the delegate takes effect")
    func noes() {
        let pan = PanRecognizer()
        let asked = Asked()
        pan.delegate = asked
        _ = harness.element("page", [pan])
        asked.receives = false
        harness.drag(from: (10, 10), to: (40, 10))
        #expect(harness.took() == ["page pressed", "page moved", "page released"])
        asked.receives = true
        asked.begins = false
        harness.drag(from: (10, 10), to: (40, 10), at: 100)
        #expect(harness.took() == ["pan failed", "page pressed", "page moved", "page released"])
    }

    @Test("Two recognizers may be active together if either delegate agrees")
    func simultaneous() {
        let inner = PanRecognizer(name: "inner")
        let asked = Asked()
        asked.isSimultaneous = true
        inner.delegate = asked
        _ = harness.element("row", [inner])
        _ = harness.element("page", [PanRecognizer(name: "outer")])
        harness.drag(from: (10, 10), to: (40, 10))
        #expect(
            harness.took() == [
                "inner began", "outer began", "inner changed", "inner ended", "outer changed", "outer ended",
            ])
    }

    @Test("A recognizer that would cancel all others cancels none that a delegate lets share the gesture")
    func sharedWithOverAll() {
        let page = PanRecognizer(name: "page")
        page.cancelsOthers = true
        let tap = TapRecognizer(count: 1, name: "item")
        let asked = Asked()
        asked.isSimultaneous = true
        tap.delegate = asked
        tap.maximumTravel = 1000
        _ = harness.element("row", [tap, TapRecognizer(count: 1, name: "other")])
        _ = harness.element("page", [page])
        harness.press(10, 10)
        harness.move(40, 10, at: 10)
        #expect(harness.took() == ["other failed", "page began"])
        harness.release(40, 10, at: 20)
        #expect(harness.took() == ["page changed", "page ended", "item recognized"])
    }

    @Test("A recognizer that requires another's failure waits for it, and fails if the other wins")
    func failureRequired() {
        let inner = PanRecognizer(name: "inner")
        let outer = PanRecognizer(name: "outer")
        outer.minimumTravel = 20
        let asked = Asked()
        asked.waitsFor = outer
        inner.delegate = asked
        _ = harness.element("row", [inner])
        _ = harness.element("page", [outer])
        harness.press(10, 10)
        harness.move(25, 10, at: 10)
        #expect(harness.took().isEmpty)
        harness.move(35, 10, at: 20)
        #expect(harness.took() == ["outer began", "inner failed"])
        harness.release(35, 10, at: 30)
        _ = harness.took()
        harness.press(10, 10, at: 100)
        harness.move(25, 10, at: 110)
        harness.release(25, 10, at: 120)
        #expect(harness.took() == ["outer failed", "inner began", "inner ended"])
    }

    @Test("Two recognizers that wait for each other do not wait for ever")
    func circle() {
        let inner = PanRecognizer(name: "inner")
        let outer = PanRecognizer(name: "outer")
        inner.requireFailure(of: outer)
        outer.requireFailure(of: inner)
        _ = harness.element("row", [inner])
        _ = harness.element("page", [outer])
        harness.drag(from: (10, 10), to: (40, 10))
        #expect(harness.took().first == "inner began")
        #expect(inner.state == .possible && outer.state == .possible)
    }

    @Test("A recognizer that cancels others wins over an inner one and over an active one")
    func cancelsOthers() {
        let bar = PanRecognizer(axes: .horizontal, name: "bar")
        bar.cancelsOthers = true
        _ = harness.element("row", [PanRecognizer(name: "inner"), LongPressRecognizer()])
        _ = harness.element("page", [bar])
        harness.press(10, 10)
        harness.move(30, 10, at: 10)
        #expect(harness.took() == ["long press failed", "inner cancelled", "bar began"])
        harness.release(30, 10, at: 20)
        _ = harness.took()
        harness.press(10, 10, at: 100)
        harness.wait(until: 700)
        harness.move(30, 10, at: 710)
        #expect(
            harness.took() == [
                "long press began", "long press changed", "inner cancelled", "long press cancelled", "bar began",
            ])
    }

    @Test("A pan begins while a tap and a long press are still possible, and these then fail")
    func panTapLong() {
        _ = harness.element("page", [TapRecognizer(), LongPressRecognizer(), PanRecognizer()])
        harness.press(10, 10)
        harness.move(40, 10, at: 10)
        #expect(harness.took() == ["tap failed", "long press failed", "pan began"])
        harness.release(40, 10, at: 20)
        harness.press(10, 10, at: 100)
        harness.wait(until: 600)
        harness.move(40, 10, at: 700)
        #expect(harness.took().suffix(4) == ["tap failed", "long press began", "long press changed", "pan failed"])
    }

    @Test("Every state change can be logged with its time, and the end of a pan with its velocity")
    func log() {
        let pan = PanRecognizer()
        _ = harness.element("page", [pan])
        harness.press(10, 10)
        harness.move(40, 10, at: 12.5)
        harness.move(50, 10, at: 20)
        harness.move(60, 10, at: 30)
        harness.release(80, 20, at: 50)
        #expect(
            harness.log == [
                "1.012500 +0.012500 pan: possible → began",
                "1.020000 +0.020000 pan: began → changed",
                "1.050000 +0.050000 pan: changed → ended at 1400.0, 200.0",
                "1.050000 +0.050000 pan: ended → possible",
            ])
        #expect(GestureLog.seconds(-1_500_000) == "-0.001500")
        #expect(!GestureLog.seconds(.min).isEmpty)
    }

    @Test("An undecided recognizer is told once that another has begun, and may fail or go on")
    func toldOfOthers() {
        final class Watching: GestureRecognizer {
            var told: [String] = []
            var gives = false
            override func hasBegun(_ other: GestureRecognizer) {
                told.append(other.name)
                if gives { fail() }
            }
        }
        let harness = GestureHarness()
        let watching = Watching(name: "watching")
        _ = harness.element("element", [watching, PanRecognizer(axes: .horizontal)])
        harness.drag(from: (100, 100), to: (150, 100))
        #expect(watching.told == ["pan"])
        #expect(harness.took().contains("watching failed"))
        watching.gives = true
        harness.press(100, 100, at: 1000)
        harness.move(150, 100, at: 1050)
        #expect(watching.state == .failed && watching.told == ["pan", "pan"])
        harness.release(150, 100, at: 1100)
    }
}
