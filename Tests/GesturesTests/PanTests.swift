import GlissadeGeometry
import Testing

@testable import GlissadeGestures
@testable import GlissadeInput

@Suite("Pan recognizer") struct PanTests {
    private let harness = GestureHarness()
    private let pan = PanRecognizer()
    private let element: Element

    init() { element = harness.element("page", [pan]) }

    @Test("A pan goes from possible through began, changed and ended back to possible when every pointer is up")
    func states() {
        harness.press(100, 100)
        #expect(pan.state == .possible)
        harness.move(109, 100, at: 10)
        #expect(pan.state == .began)
        harness.move(120, 100, at: 20)
        harness.move(130, 100, at: 30)
        #expect(pan.state == .changed)
        harness.release(130, 100, at: 40)
        #expect(harness.took() == ["pan began", "pan changed", "pan changed", "pan changed", "pan ended"])
        #expect(pan.state == .possible)
    }

    @Test("A pan begins after 8 px of travel in any direction", arguments: [(8.0, 0.0), (0, -8), (-5.7, 5.7)])
    func travel(x: Double, y: Double) {
        harness.press(100, 100)
        harness.move(100 + x * 0.98, 100 + y * 0.98, at: 10)
        #expect(pan.state == .possible)
        harness.move(100 + x, 100 + y, at: 20)
        #expect(pan.state == .began)
    }

    @Test("A pan that needs no travel begins with the press, whatever its direction")
    func noTravel() {
        pan.minimumTravel = 0
        pan.axes = .vertical
        harness.press(100, 100)
        #expect(pan.state == .began && pan.translation == .zero)
        harness.move(150, 100, at: 10)
        harness.release(150, 100, at: 20)
        #expect(harness.took() == ["pan began", "pan changed", "pan changed", "pan ended"])
    }

    @Test("A pan's translation is measured from the press")
    func translation() {
        harness.press(100, 50)
        harness.move(130, 45, at: 10)
        #expect(pan.translation == Point(x: 30, y: -5))
        #expect(pan.pressLocation == Point(x: 100, y: 50))
        #expect(pan.location == Point(x: 130, y: 45))
    }

    @Test("A pan's velocity is that of the last 100 ms")
    func velocity() {
        var velocity = Point.zero
        pan.onChange = { if ($0 as? PanRecognizer)?.state == .ended { velocity = pan.velocity } }
        harness.press(0, 0)
        for step in 1...20 { harness.move(Double(step) * 50, 0, at: Double(step) * 10) }
        for step in 1...20 { harness.move(1000 + Double(step) * 2, 0, at: 200 + Double(step) * 10) }
        harness.release(1040, 0, at: 400)
        #expect(abs(velocity.x - 200) < 1e-9)
        #expect(velocity.y == 0)
        #expect(abs(pan.velocity.x - 200) < 1e-9, "it can be read afterwards")
    }

    @Test("A pointer that has rested for 100 ms has no velocity")
    func standing() {
        harness.press(0, 0)
        for step in 1...10 { harness.move(Double(step) * 50, 0, at: Double(step) * 10) }
        harness.release(500, 0, at: 200)
        #expect(pan.velocity == .zero)
    }

    @Test("A flick without intermediate moves begins and ends with its release")
    func flick() {
        harness.press(0, 0)
        harness.release(200, 0, at: 40)
        #expect(harness.took() == ["pan began", "pan ended"])
        #expect(pan.translation.x == 200)
    }

    @Test(
        "A pan restricted to one axis fails if the motion is along the other",
        arguments: [(PanRecognizer.Axes.horizontal, 20.0, 5.0), (.vertical, 5, -20)])
    func axes(axes: PanRecognizer.Axes, x: Double, y: Double) {
        pan.axes = axes
        harness.drag(from: (100, 100), to: (100 + x, 100 + y))
        #expect(harness.took().first == "pan began")
        harness.drag(from: (100, 100), to: (100 + y, 100 + x), at: 1000)
        #expect(harness.took() == ["pan failed", "page pressed", "page moved", "page released"])
    }

    @Test("A diagonal motion counts as horizontal")
    func diagonal() {
        pan.axes = .vertical
        let across = PanRecognizer(axes: .horizontal, name: "across")
        element.add(across)
        harness.drag(from: (0, 0), to: (10, 10))
        #expect(harness.took() == ["pan failed", "across began", "across changed", "across ended"])
    }

    @Test("A failed pan becomes possible again only when every pointer is up")
    func failedStays() {
        pan.axes = .horizontal
        harness.press(100, 100)
        harness.move(100, 120, at: 10)
        #expect(pan.state == .failed)
        harness.move(300, 120, at: 20)
        #expect(pan.state == .failed)
        harness.send(.pressed, 300, 120, at: 25, button: .secondary)
        harness.release(300, 120, at: 30)
        #expect(pan.state == .failed)
        harness.send(.released, 300, 120, at: 40, button: .secondary)
        #expect(pan.state == .possible)
    }

    @Test("An ended pan becomes possible again only when every pointer is up, and no press before that starts another")
    func endedStays() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        harness.send(.pressed, 150, 100, at: 20, button: .secondary)
        harness.move(160, 100, at: 30)
        #expect(pan.state == .changed && pan.translation.x == 60)
        harness.release(160, 100, at: 40)
        #expect(pan.state == .ended)
        harness.press(160, 100, at: 50)
        harness.move(260, 100, at: 60)
        harness.release(260, 100, at: 70)
        #expect(pan.state == .ended)
        harness.send(.released, 260, 100, at: 80, button: .secondary)
        #expect(pan.state == .possible)
        #expect(harness.pathsAsked == 1)
        #expect(element.events.isEmpty)
    }

    @Test("A second finger neither moves, starts nor ends a pan")
    func secondPointer() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        harness.send(.pressed, 400, 300, at: 20, button: .primary, pointer: 1)
        harness.send(.moved, 500, 300, at: 30, pointer: 1)
        #expect(pan.translation == Point(x: 50, y: 0))
        harness.send(.released, 500, 300, at: 40, button: .primary, pointer: 1)
        #expect(pan.state == .began)
        harness.release(150, 100, at: 50)
        #expect(pan.state == .possible)
    }

    @Test("Only the primary button drags, and the element gets presses of other buttons")
    func secondaryButton() {
        harness.send(.pressed, 100, 100, at: 0, button: .secondary)
        harness.move(200, 100, at: 10)
        harness.send(.released, 200, 100, at: 20, button: .secondary)
        #expect(harness.took() == ["page pressed", "page moved", "page released"])
        #expect(!harness.arbiter.isTracking)
    }

    @Test("The arbiter is busy while any button or finger is down, and until a scroll is over")
    func busy() {
        #expect(!harness.arbiter.isBusy)
        harness.press(100, 100)
        harness.send(.pressed, 400, 300, at: 20, button: .primary, pointer: 1)
        harness.release(100, 100, at: 30)
        #expect(harness.arbiter.isBusy)
        harness.send(.released, 400, 300, at: 40, button: .primary, pointer: 1)
        #expect(!harness.arbiter.isBusy)
        harness.send(.pressed, 100, 100, at: 50, button: .secondary)
        #expect(harness.arbiter.isBusy)
        harness.send(.released, 100, 100, at: 60, button: .secondary)
        harness.scroll(0, 1, at: 100)
        #expect(harness.arbiter.isBusy)
        harness.arbiter.advance(to: harness.time(1000))
        #expect(!harness.arbiter.isBusy)
        harness.press(100, 100, at: 1100)
        harness.arbiter.cancelAll(now: harness.time(1200))
        #expect(!harness.arbiter.isBusy)
    }

    @Test("A pan continues when the pointer leaves the window, and is cancelled when the pointer is lost")
    func leaving() {
        harness.press(100, 100)
        harness.move(150, 100, at: 10)
        harness.send(.left, 1500, 100, at: 20)
        harness.move(1600, 100, at: 30)
        #expect(pan.state == .changed)
        #expect(harness.arbiter.isTracking)
        harness.send(.cancelled, 1600, 100, at: 40, button: .primary)
        #expect(harness.took() == ["pan began", "pan changed", "pan cancelled"])
        #expect(pan.state == .possible && !harness.arbiter.isTracking)
    }

    @Test("Escape cancels active recognizers and no others")
    func escape() {
        let escape = InputEvent.key(KeyEvent(key: .escape, time: harness.time(20)))
        harness.press(100, 100)
        #expect(!harness.arbiter.handle(escape) { _ in [] })
        harness.move(150, 100, at: 10)
        #expect(harness.arbiter.handle(escape) { _ in [] })
        harness.move(250, 100, at: 30)
        harness.release(250, 100, at: 40)
        #expect(harness.took() == ["pan began", "pan cancelled"])
        #expect(pan.state == .possible)
    }
}
