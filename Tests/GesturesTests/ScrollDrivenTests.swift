import GlissadeGeometry
import Testing

@testable import GlissadeGestures
@testable import GlissadeInput
@testable import GlissadeNavigation

@Suite("Panning by scroll events") struct ScrollDrivenTests {
    private let harness = GestureHarness()
    private let pan = PanRecognizer(axes: .horizontal)
    private let row: Element
    private let page: Element

    init() {
        row = harness.element("row")
        page = harness.element("page", [pan])
    }

    @Test("A sideways scroll drives a pan by 40 points per notch, to the right for positive deltas")
    func across() {
        harness.scroll(0.5, 0, at: 0)
        #expect(harness.took() == ["pan began"])
        #expect(pan.translation == Point(x: 20, y: 0) && pan.isScrolling)
        harness.scroll(-1, 0.1, at: 16)
        #expect(pan.translation == Point(x: -20, y: 4))
        #expect(pan.pressLocation == Point(x: 300, y: 100))
        #expect(harness.arbiter.isTracking)
        #expect(harness.pathsAsked == 1)
        #expect(page.scrolls.isEmpty && row.scrolls.isEmpty)
    }

    @Test("A scroll-driven pan ends when no scroll event has come for 0.1 s")
    func end() {
        harness.scroll(1, 0, at: 0)
        harness.scroll(1, 0, at: 50)
        #expect(harness.arbiter.nextDeadline == harness.time(150))
        harness.wait(until: 149)
        #expect(pan.isActive)
        harness.wait(until: 150)
        #expect(harness.took() == ["pan began", "pan changed", "pan ended"])
        #expect(pan.state == .possible && !harness.arbiter.isTracking && harness.arbiter.nextDeadline == nil)
        harness.scroll(1, 0, at: 151)
        #expect(pan.translation.x == 40, "the next one starts over")
    }

    @Test("A scroll event after that pause ends the pan as well")
    func lateEvent() {
        harness.scroll(1, 0, at: 0)
        harness.scroll(1, 0, at: 500)
        #expect(harness.took() == ["pan began", "pan ended", "pan began"])
    }

    @Test("A scroll-driven pan reports the velocity of its last event")
    func velocity() {
        var velocity = Point.zero
        pan.onChange = { if ($0 as? PanRecognizer)?.state == .ended { velocity = pan.velocity } }
        for step in 0...10 { harness.scroll(0.25, 0, at: Double(step) * 10) }
        harness.wait(until: 1000)
        #expect(abs(velocity.x - 1000) < 1e-9)
    }

    @Test("A single scroll event has no velocity, and velocities are limited")
    func velocityLimits() {
        harness.scroll(1, 0, at: 0)
        #expect(pan.velocity == .zero)
        harness.scroll(30, -30, at: 1)
        #expect(abs(PanRecognizer.length(pan.velocity) - PanRecognizer.maximumScrollSpeed) < 1e-6)
        #expect(pan.velocity.x > 0 && pan.velocity.y < 0)
    }

    @Test("A vertical scroll goes to the elements from the innermost outwards until one handles it")
    func vertical() {
        page.takesScroll = true
        harness.scroll(0.1, -1, at: 0)
        #expect(harness.took() == ["row scroll", "page scroll", "pan failed"])
        row.takesScroll = true
        harness.scroll(5, 0, at: 16)
        #expect(harness.took() == ["row scroll"], "its direction is decided once")
        #expect(harness.arbiter.nextDeadline == nil)
        #expect(!harness.arbiter.isTracking)
    }

    @Test("A sideways scroll that no pan takes goes to the elements, including the events held back")
    func acrossToElements() {
        pan.axes = .vertical
        harness.scroll(0.1, 0, at: 0)
        #expect(harness.took().isEmpty)
        harness.scroll(0.15, 0, at: 10)
        #expect(harness.took() == ["pan failed", "row scroll", "page scroll", "row scroll", "page scroll"])
        #expect(row.scrolls.map(\.deltaX) == [0.1, 0.15])
    }

    @Test("Vertical scroll events drive a pan that accepts them if no element handles them")
    func verticalPan() {
        pan.axes = .vertical
        harness.scroll(0, 1, at: 0)
        #expect(harness.took() == ["row scroll", "page scroll", "pan began"])
        #expect(pan.translation == Point(x: 0, y: 40))
        harness.scroll(0, 1, at: 10)
        #expect(harness.took() == ["pan changed"])
    }

    @Test("A scroll too small to have a direction goes to the elements when it is over")
    func small() {
        harness.scroll(0.05, 0.04, at: 0)
        #expect(harness.took().isEmpty)
        harness.wait(until: 100)
        #expect(harness.took() == ["pan failed", "row scroll", "page scroll"])
    }

    @Test("Without a pan that follows scrolls, elements get them at once")
    func notDriven() {
        pan.drivenByScroll = false
        harness.scroll(0.01, 0, at: 0)
        #expect(harness.took() == ["row scroll", "page scroll"])
        #expect(pan.state == .possible)
    }

    @Test("Scrolls do not involve taps and long presses, and a click before one is a single click")
    func taps() {
        let tap = TapRecognizer()
        let double = TapRecognizer(count: 2)
        tap.requireFailure(of: double)
        page.add(tap)
        page.add(double)
        page.add(LongPressRecognizer())
        harness.click(300, 100, at: 0)
        _ = harness.took()
        harness.scroll(0.01, 0, at: 100)
        #expect(harness.took() == ["double tap failed", "tap recognized"])
        harness.scroll(1, 0, at: 110)
        #expect(harness.took() == ["pan began"])
    }

    @Test("During a press scrolls are not handled, and a press ends a scroll and is handled")
    func pressAndScroll() {
        harness.press(300, 100)
        #expect(!harness.scroll(1, 0, at: 10))
        harness.release(300, 100, at: 20)
        harness.scroll(1, 0, at: 100)
        _ = harness.took()
        harness.press(300, 100, at: 110)
        #expect(harness.took() == ["pan ended"])
        harness.move(340, 100, at: 120)
        #expect(harness.took() == ["pan began"])
        #expect(!pan.isScrolling)
    }

    @Test("After a scroll-driven pan is cancelled, the rest of the scroll is not handled")
    func cancelled() {
        harness.scroll(1, 0, at: 0)
        harness.arbiter.handle(.key(KeyEvent(key: .escape, time: harness.time(5)))) { _ in [] }
        harness.scroll(1, 0, at: 10)
        harness.scroll(1, 0, at: 90)
        #expect(harness.took() == ["pan began", "pan cancelled"])
        harness.scroll(1, 0, at: 200)
        #expect(harness.took() == ["pan began"])
    }

    @Test("The pop pan has the same rules for scrolls as for drags")
    func pop() {
        let context = Page()
        let pop = PopPanRecognizer(context: context)
        page.recognizers.removeAll()
        page.add(pop)
        harness.scroll(1, 0.2, at: 0)
        #expect(harness.took() == ["pop began"])
        harness.wait(until: 200)
        pop.settleEnded()
        context.blindRect = Rect(x: 290, y: 90, width: 20, height: 20)
        harness.scroll(1, 0, at: 300)
        #expect(harness.took() == ["pop ended", "pop failed", "row scroll", "page scroll"])
        harness.wait(until: 1000)
        harness.scroll(1, 0, at: 1000, x: 100)
        #expect(harness.took() == ["pop began"])
        harness.wait(until: 2000)
        context.settlingDirection = .pop
        _ = harness.took()
        harness.scroll(0.01, 0, at: 2000)
        #expect(harness.took() == ["pop began", "pop changed"], "it takes hold of a page that settles")
    }
}
