import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeGestures
@testable import GlissadeInput
@testable import GlissadeNavigation

@Suite("Pinch and wheel pan recognizers") struct PinchTests {
    private let harness = GestureHarness()
    private let pinch = PinchRecognizer()
    private let pan = PanRecognizer()
    private let element: Element

    init() {
        element = harness.element("element", [pinch, pan])
    }

    private func press(_ x: Double, _ y: Double, at ms: Double, pointer: Int) {
        harness.send(.pressed, x, y, at: ms, button: .primary, pointer: pointer)
    }

    private func release(_ x: Double, _ y: Double, at ms: Double, pointer: Int) {
        harness.send(.released, x, y, at: ms, button: .primary, pointer: pointer)
    }

    @Test("A pinch begins with the second finger, follows both, and ends when either is lifted")
    func pinching() {
        press(100, 100, at: 0, pointer: 4)
        #expect(harness.took().isEmpty)
        press(100, 200, at: 10, pointer: 9)
        #expect(harness.took() == ["pinch began"] && pinch.scale == 1)
        harness.send(.moved, 100, 300, at: 20, pointer: 9)
        #expect(pinch.scale == 2)
        harness.send(.moved, 100, 250, at: 30, pointer: 4)
        #expect(pinch.scale == 0.5)
        #expect(harness.took().filter { !$0.hasPrefix("pan") } == ["pinch changed", "pinch changed"])
        release(100, 300, at: 40, pointer: 9)
        #expect(harness.took() == ["pinch ended"] && pinch.scale == 0.5)
        harness.send(.moved, 300, 250, at: 50, pointer: 4)
        release(300, 250, at: 60, pointer: 4)
        #expect(!harness.took().contains { $0.hasPrefix("pan began") || $0.hasPrefix("pinch") })
        #expect(pinch.state == .possible && pan.state == .possible && element.events.isEmpty)
    }

    @Test("No other recognizer and no element gets a second finger")
    func othersUnmoved() {
        element.recognizers = [pinch]
        let beneath = Element("other", harness: harness)
        harness.elements.append(beneath)
        press(100, 100, at: 0, pointer: 1)
        press(200, 100, at: 10, pointer: 2)
        harness.send(.moved, 300, 100, at: 20, pointer: 2)
        release(300, 100, at: 30, pointer: 2)
        release(100, 100, at: 40, pointer: 1)
        #expect(element.events.isEmpty && beneath.events.isEmpty)
    }

    @Test("A second finger does not disturb a drag in progress")
    func duringDrag() {
        press(100, 100, at: 0, pointer: 1)
        harness.send(.moved, 150, 100, at: 10, pointer: 1)
        press(400, 100, at: 20, pointer: 2)
        harness.send(.moved, 500, 100, at: 30, pointer: 2)
        #expect(pan.isActive && pan.translation.x == 50 && pinch.state == .failed)
        release(500, 100, at: 40, pointer: 2)
        release(150, 100, at: 50, pointer: 1)
        #expect(harness.took() == ["pan began", "pinch failed", "pan changed", "pan ended"])
    }

    @Test("Neither the mouse, another mouse button nor a third finger takes part in a pinch")
    func noFingers() {
        harness.press(100, 100)
        press(200, 100, at: 10, pointer: 1)
        harness.send(.pressed, 200, 100, at: 20, button: .secondary)
        #expect(pinch.state == .failed)
        release(200, 100, at: 30, pointer: 1)
        harness.send(.released, 200, 100, at: 30, button: .secondary)
        harness.release(100, 100, at: 40)
        press(100, 100, at: 1000, pointer: 1)
        harness.send(.pressed, 100, 100, at: 1000, button: .secondary, pointer: 1)
        #expect(pinch.state == .possible)
        press(100, 200, at: 1010, pointer: 2)
        press(100, 900, at: 1020, pointer: 3)
        harness.send(.moved, 100, 100, at: 1030, pointer: 3)
        #expect(pinch.isActive && pinch.scale == 1)
    }

    @Test("A pinch is cancelled when a finger is lost, and a finger refused by the delegate is ignored")
    func lostAndRefused() {
        for lost in [1, 2] {
            press(100, 100, at: 0, pointer: 1)
            press(100, 200, at: 10, pointer: 2)
            harness.send(.cancelled, 0, 0, at: 20, pointer: lost)
            #expect(harness.took().contains("pinch cancelled"))
            release(0, 0, at: 30, pointer: 3 - lost)
            #expect(pinch.state == .possible)
        }
        let asked = Asked()
        pinch.delegate = asked
        press(100, 100, at: 100, pointer: 1)
        asked.receives = false
        press(100, 200, at: 110, pointer: 2)
        #expect(pinch.state == .possible && asked.questions == ["receive", "receive"])
    }

    @Test("The scale stays positive and finite for fingers on one spot, far apart or at non-finite positions")
    func extremes() {
        press(100, 100, at: 0, pointer: 1)
        press(100, 100, at: 10, pointer: 2)
        for x in [100, 9e6, -9e6, .nan, .infinity, 100.0] {
            harness.send(.moved, x, x, at: 20, pointer: 2)
            #expect(pinch.scale.isFinite && pinch.scale > 0)
        }
        #expect(pinch.scale == 1)
        harness.send(.released, .nan, .nan, at: 30, button: .primary, pointer: 2)
        #expect(pinch.state == .ended)
    }

    // MARK: - The wheel with keys held

    @Test("Only sideways scrolls drive a wheel pan, and only if its modifier keys are held as they start")
    func wheelPan() {
        let wheel = WheelPanRecognizer(modifiers: .shift)
        element.recognizers = []
        element.add(wheel)
        func scroll(_ x: Double, _ y: Double, _ modifiers: Modifiers, at ms: Double) {
            let event = ScrollEvent(
                deltaX: x, deltaY: y, position: Point(x: 5, y: 5), modifiers: modifiers, time: harness.time(ms))
            harness.arbiter.handle(.scroll(event)) { _ in harness.elements }
        }
        scroll(1, 0, [.shift, .control], at: 0)
        scroll(1.5, 0, [], at: 10)
        #expect(harness.took() == ["wheel began", "wheel changed"] && wheel.notches == 2.5)
        harness.wait(until: 200)
        _ = harness.took()
        scroll(1, 0, [.control], at: 300)
        #expect(harness.took() == ["wheel failed", "element scroll"])
        harness.drag(from: (0, 0), to: (100, 0), at: 1000)
        #expect(!harness.took().contains("wheel began"))
    }

    @Test("A wheel pan takes precedence over the pop pan, which gets scrolls without the modifier keys")
    func wheelPanAndPop() {
        let context = Page()
        element.recognizers = []
        element.add(WheelPanRecognizer(modifiers: .shift))
        harness.element("stack", [PopPanRecognizer(context: context)]).takesScroll = false
        for (modifiers, winner) in [(Modifiers.shift, "wheel began"), ([], "pop began")] {
            let event = ScrollEvent(
                deltaX: 1, deltaY: 0, position: Point(x: 300, y: 100), modifiers: modifiers, time: harness.time(0))
            harness.arbiter.handle(.scroll(event)) { _ in harness.elements }
            #expect(harness.took().filter { $0.hasSuffix("began") } == [winner])
            harness.arbiter.cancelAll(now: harness.time(0))
        }
    }
}
