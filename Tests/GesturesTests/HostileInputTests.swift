import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeGestures
@testable import GlissadeInput
@testable import GlissadeNavigation

@Suite("Hostile gesture input") struct HostileInputTests {
    private let harness = GestureHarness()
    private let pan = PanRecognizer()
    private let tap = TapRecognizer()
    private let element: Element

    init() { element = harness.element("page", [pan, tap]) }

    /// Whether a drag works as if nothing had been.
    private func works(at ms: Double = 100_000) -> Bool {
        _ = harness.took()
        harness.drag(from: (100, 100), to: (150, 100), at: ms)
        let arbiter = harness.arbiter
        return harness.took() == ["tap failed", "pan began", "pan changed", "pan ended"] && arbiter.members.isEmpty
            && arbiter.pointers.entries.isEmpty && !arbiter.isTracking && arbiter.nextDeadline == nil
    }

    @Test("Releases and moves without a press are ignored")
    func withoutPress() {
        harness.release(10, 10, at: 0)
        harness.move(50, 10, at: 10)
        harness.send(.cancelled, 10, 10, at: 20)
        harness.send(.released, 10, 10, at: 30, button: .other(9), pointer: 5)
        #expect(harness.took().isEmpty)
        #expect(works())
    }

    @Test("A press whose release was lost is cancelled by the next press")
    func lostRelease() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        harness.press(100, 100, at: 1000)
        #expect(harness.took() == ["tap failed", "pan began", "pan cancelled"])
        harness.move(150, 100, at: 1010)
        harness.release(150, 100, at: 1020)
        #expect(works())
    }

    @Test("Events at non-finite positions are ignored, but a release always counts")
    func notFinite() {
        harness.press(.nan, 100)
        #expect(!harness.arbiter.isTracking)
        harness.press(100, 100)
        harness.move(.infinity, 100, at: 10)
        harness.move(1e300, 100, at: 11)
        harness.move(150, 100, at: 20)
        harness.move(.nan, .nan, at: 30)
        #expect(pan.translation == Point(x: 50, y: 0))
        harness.release(.nan, .nan, at: 40)
        #expect(pan.translation == Point(x: 50, y: 0))
        #expect(works())
        harness.scroll(.nan, 0, at: 200_000)
        harness.scroll(0, -.infinity, at: 200_001)
        harness.scroll(1, 0, at: 200_002, x: .nan)
        #expect(harness.took().isEmpty)
        for step in 0..<100 { harness.scroll(1e300, 0, at: 200_003 + Double(step)) }
        #expect(pan.translation.x.isFinite && pan.velocity.x.isFinite)
        harness.wait(until: 300_000)
        #expect(works(at: 300_000))
    }

    @Test("Time that runs backwards is taken to stand still")
    func backwards() {
        harness.press(100, 100, at: 1000)
        harness.move(150, 100, at: 900)
        harness.move(200, 100, at: 500)
        #expect(pan.time == harness.time(1000))
        #expect(pan.velocity.x.isFinite)
        harness.release(200, 100, at: 10)
        #expect(works(at: 0))
    }

    @Test("Extreme times neither trap nor leave a gesture stuck", arguments: [Int64.min, -1, .max])
    func extremeTimes(nanoseconds: Int64) {
        let double = TapRecognizer(count: 2)
        element.add(double)
        for phase in [PointerEvent.Phase.pressed, .moved, .released] {
            let event = PointerEvent(
                phase: phase, position: Point(x: 100, y: 100), button: .primary,
                time: HostTime(nanoseconds: nanoseconds))
            harness.arbiter.handle(.pointer(event)) { _ in [element] }
        }
        harness.arbiter.advance(to: HostTime(nanoseconds: .max))
        harness.arbiter.cancelAll(now: harness.time(0))
        element.recognizers.removeLast()
        #expect(works())
    }

    @Test("Ten thousand moves in one frame are kept in order without growing memory")
    func manyMoves() {
        harness.press(100, 100)
        for step in 0..<10_000 { harness.move(100 + Double(step % 7), 100, at: 1) }
        #expect(harness.arbiter.current.events.count <= PendingEvents.capacity)
        harness.release(103, 100, at: 2)
        #expect(harness.took() == ["pan failed", "tap recognized"])
        element.recognizers.removeLast()
        harness.press(100, 100, at: 10)
        for step in 0..<10_000 { harness.move(100 + Double(step % 7), 100, at: 11) }
        harness.release(103, 100, at: 12)
        #expect(element.events.count <= PendingEvents.capacity + 1)
        #expect(element.events.first?.phase == .pressed && element.events.last?.phase == .released)
        #expect(element.events.dropLast().last?.position.x == 100 + Double(9_999 % 7))
        harness.press(100, 100, at: 20)
        for step in 0..<10_000 { harness.move(100 + Double(step), 100, at: 21) }
        #expect(pan.translation.x == 9_999 && pan.velocity.x.isFinite)
    }

    @Test("Scrolls that never show a direction keep their distance without growing memory")
    func manyScrolls() {
        for step in 0..<10_000 { harness.scroll(step % 2 == 0 ? 0.1 : -0.1, 0, at: Double(step) / 1000) }
        harness.scroll(0.1, 0, at: 11)
        #expect((harness.arbiter.scroll?.held.count ?? 0) <= ScrollSequence.capacity)
        harness.wait(until: 1000)
        #expect(abs(element.scrolls.reduce(0) { $0 + $1.deltaX } - 0.1) < 1e-6)
    }

    @Test("Presses of ever more buttons and fingers neither grow memory nor block")
    func manyPointers() {
        for pointer in 0..<1000 { harness.send(.pressed, 100, 100, at: 0, button: .primary, pointer: pointer) }
        #expect(harness.arbiter.pointers.entries.count <= PointerState.capacity)
        harness.arbiter.cancelAll(now: harness.time(1))
        #expect(works())
    }

    @Test("A recognizer disabled during a gesture is cancelled, and the element gets what no other recognizer takes")
    func disabled() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        pan.isEnabled = false
        #expect(harness.took() == ["tap failed", "pan began", "pan cancelled"])
        harness.release(150, 100, at: 20)
        harness.press(100, 100, at: 100)
        tap.isEnabled = false
        #expect(harness.took() == ["tap failed", "page pressed"])
        harness.release(100, 100, at: 110)
        pan.isEnabled = true
        tap.isEnabled = true
        #expect(works())
    }

    @Test("A recognizer removed from its element during a gesture is cancelled")
    func removed() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        element.recognizers.removeAll()
        harness.move(160, 100, at: 20)
        #expect(harness.took().last == "pan cancelled")
        harness.release(160, 100, at: 30)
        element.recognizers = [pan, tap]
        #expect(works())
    }

    @Test("An element that is released during a gesture takes its recognizers with it")
    func elementGone() {
        let pan = PanRecognizer(name: "guest")
        do {
            let guest = Element("guest", harness: harness)
            guest.add(pan)
            harness.elements = [guest]
            harness.press(100, 100)
            harness.move(150, 100, at: 10)
            #expect(harness.took() == ["guest began"])
            harness.elements = []
        }
        harness.move(160, 100, at: 20)
        #expect(harness.took() == ["guest cancelled"])
        harness.release(160, 100, at: 30)
        harness.elements = [element]
        #expect(works())
    }

    @Test("Passing time starts no gesture on an element that is gone")
    func elementGoneBeforeLongPress() {
        let long = LongPressRecognizer(name: "guest")
        do {
            let guest = Element("guest", harness: harness)
            guest.add(long)
            harness.elements = [guest]
            harness.press(100, 100)
            harness.elements = []
        }
        harness.wait(until: 1000)
        #expect(harness.took() == ["guest failed"])
        harness.release(100, 100, at: 1010)
        harness.elements = [element]
        #expect(works())
    }

    @Test("A callback may cancel all gestures or disable its own recognizer", arguments: [true, false])
    func callbacks(cancels: Bool) {
        let harness = harness
        pan.onChange = { recognizer in
            harness.trace.append("pan \(recognizer.state)")
            guard recognizer.state == .began else { return }
            if cancels { harness.arbiter.cancelAll(now: harness.time(10)) } else { recognizer.isEnabled = false }
        }
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        harness.move(160, 100, at: 20)
        harness.release(160, 100, at: 30)
        #expect(harness.took().filter { $0.hasPrefix("pan") } == ["pan began", "pan cancelled"])
        pan.onChange = { harness.trace.append("pan \($0.state)") }
        pan.isEnabled = true
        #expect(works())
    }

    @Test("Cancelling all ends a gesture at once, from any state, and may be repeated")
    func cancelAll() {
        harness.arbiter.cancelAll(now: harness.time(0))
        harness.press(100, 100)
        harness.arbiter.cancelAll(now: harness.time(1))
        #expect(harness.took() == ["pan failed", "tap failed"])
        harness.press(100, 100, at: 2)
        harness.move(150, 100, at: 3)
        harness.arbiter.cancelAll(now: harness.time(4))
        harness.arbiter.cancelAll(now: harness.time(4))
        harness.move(180, 100, at: 5)
        harness.release(180, 100, at: 6)
        #expect(harness.took().suffix(1) == ["pan cancelled"])
        #expect(works())
    }

    @Test("After any sequence of input the next gesture works and no state is left")
    func noise() {
        element.add(TapRecognizer(count: 2))
        element.add(LongPressRecognizer())
        element.add(PopPanRecognizer(context: nil))
        element.add(PinchRecognizer())
        element.add(WheelPanRecognizer(modifiers: []))
        var state: UInt64 = 7
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        var ms = 0.0
        let phases: [PointerEvent.Phase] = [.pressed, .moved, .released, .entered, .left, .cancelled]
        let buttons: [PointerEvent.Button?] = [.primary, .secondary, nil]
        for _ in 0..<20_000 {
            ms += Double(random(60)) - 5
            let (x, y) = (Double(random(300)), Double(random(300)))
            switch random(10) {
            case 0: harness.scroll(Double(random(9)) - 4, Double(random(5)) - 2, at: ms)
            case 1: harness.wait(until: ms)
            default:
                harness.send(
                    phases[Int(random(6))], x, y, at: ms, button: buttons[Int(random(3))], pointer: Int(random(3)))
            }
            #expect(harness.arbiter.members.count <= 7 && harness.arbiter.pointers.entries.count <= 9)
        }
        var open = 0
        for event in element.events {
            if event.phase == .pressed { open += 1 }
            if event.phase == .released || event.phase == .cancelled { open -= 1 }
            #expect(open >= 0)
        }
        harness.arbiter.cancelAll(now: harness.time(ms))
        element.recognizers = [pan, tap]
        #expect(works(at: ms + 1000))
    }
}
