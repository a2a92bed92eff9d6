import Geometry
import Testing

@testable import Gestures
@testable import Input
@testable import Navigation

@Suite("Scrolling drives pans") struct ScrollDrivenTests {
    private let hand = Hand()
    private let pan = PanRecognizer(axes: .horizontal)
    private let row: Element
    private let page: Element

    init() {
        row = hand.element("row")
        page = hand.element("page", [pan])
    }

    @Test("A scroll across drives the pan: 40 points a notch, counted from the first event, to the right for positive")
    func across() {
        hand.scroll(0.5, 0, at: 0)
        #expect(hand.took() == ["pan began"])
        #expect(pan.translation == Point(x: 20, y: 0) && pan.isScrolling)
        hand.scroll(-1, 0.1, at: 16)
        #expect(pan.translation == Point(x: -20, y: 4))
        #expect(pan.pressLocation == Point(x: 300, y: 100))
        #expect(hand.arbiter.isTracking)
        #expect(hand.pathsAsked == 1)
        #expect(page.scrolls.isEmpty && row.scrolls.isEmpty)
    }

    @Test("It ends when no scroll has come for 0.1 s")
    func end() {
        hand.scroll(1, 0, at: 0)
        hand.scroll(1, 0, at: 50)
        #expect(hand.arbiter.nextDeadline == hand.time(150))
        hand.wait(until: 149)
        #expect(pan.isActive)
        hand.wait(until: 150)
        #expect(hand.took() == ["pan began", "pan changed", "pan ended"])
        #expect(pan.state == .possible && !hand.arbiter.isTracking && hand.arbiter.nextDeadline == nil)
        hand.scroll(1, 0, at: 151)
        #expect(pan.translation.x == 40, "the next one begins anew")
    }

    @Test("An event after that time ends it as well")
    func lateEvent() {
        hand.scroll(1, 0, at: 0)
        hand.scroll(1, 0, at: 500)
        #expect(hand.took() == ["pan began", "pan ended", "pan began"])
    }

    @Test("It reports its velocity like any other, as of its last event")
    func velocity() {
        var velocity = Point.zero
        pan.onChange = { if ($0 as? PanRecognizer)?.state == .ended { velocity = pan.velocity } }
        for step in 0...10 { hand.scroll(0.25, 0, at: Double(step) * 10) }
        hand.wait(until: 1000)
        #expect(abs(velocity.x - 1000) < 1e-9)
    }

    @Test("One event has no velocity, and no scroll has more than the limit")
    func velocityLimits() {
        hand.scroll(1, 0, at: 0)
        #expect(pan.velocity == .zero)
        hand.scroll(30, -30, at: 1)
        #expect(abs(PanRecognizer.length(pan.velocity) - PanRecognizer.maximumScrollSpeed) < 1e-6)
        #expect(pan.velocity.x > 0 && pan.velocity.y < 0)
    }

    @Test("A scroll up or down goes to the elements, from the innermost outwards until one takes it")
    func vertical() {
        page.takesScroll = true
        hand.scroll(0.1, -1, at: 0)
        #expect(hand.took() == ["row scroll", "page scroll", "pan failed"])
        row.takesScroll = true
        hand.scroll(5, 0, at: 16)
        #expect(hand.took() == ["row scroll"], "its direction is decided once")
        #expect(hand.arbiter.nextDeadline == nil)
        #expect(!hand.arbiter.isTracking)
    }

    @Test("What no pan takes across goes to the elements, with all that was held")
    func acrossToElements() {
        pan.axes = .vertical
        hand.scroll(0.1, 0, at: 0)
        #expect(hand.took().isEmpty)
        hand.scroll(0.15, 0, at: 10)
        #expect(hand.took() == ["pan failed", "row scroll", "page scroll", "row scroll", "page scroll"])
        #expect(row.scrolls.map(\.deltaX) == [0.1, 0.15])
    }

    @Test("Vertical scroll events drive a pan that wants them where no element does")
    func verticalPan() {
        pan.axes = .vertical
        hand.scroll(0, 1, at: 0)
        #expect(hand.took() == ["row scroll", "page scroll", "pan began"])
        #expect(pan.translation == Point(x: 0, y: 40))
        hand.scroll(0, 1, at: 10)
        #expect(hand.took() == ["pan changed"])
    }

    @Test("A scroll too small to tell its direction goes to the elements when it is over")
    func small() {
        hand.scroll(0.05, 0.04, at: 0)
        #expect(hand.took().isEmpty)
        hand.wait(until: 100)
        #expect(hand.took() == ["pan failed", "row scroll", "page scroll"])
    }

    @Test("Where no pan follows scrolls, elements get them at once")
    func notDriven() {
        pan.drivenByScroll = false
        hand.scroll(0.01, 0, at: 0)
        #expect(hand.took() == ["row scroll", "page scroll"])
        #expect(pan.state == .possible)
    }

    @Test("Taps and long presses take no part in scrolls; a click before one is a single click")
    func taps() {
        let tap = TapRecognizer()
        let double = TapRecognizer(count: 2)
        tap.requireFailure(of: double)
        page.add(tap)
        page.add(double)
        page.add(LongPressRecognizer())
        hand.click(300, 100, at: 0)
        _ = hand.took()
        hand.scroll(0.01, 0, at: 100)
        #expect(hand.took() == ["double tap failed", "tap recognized"])
        hand.scroll(1, 0, at: 110)
        #expect(hand.took() == ["pan began"])
    }

    @Test("While something is pressed, scrolls are nobody's; a press ends a scroll and is heard")
    func pressAndScroll() {
        hand.press(300, 100)
        #expect(!hand.scroll(1, 0, at: 10))
        hand.release(300, 100, at: 20)
        hand.scroll(1, 0, at: 100)
        _ = hand.took()
        hand.press(300, 100, at: 110)
        #expect(hand.took() == ["pan ended"])
        hand.move(340, 100, at: 120)
        #expect(hand.took() == ["pan began"])
        #expect(!pan.isScrolling)
    }

    @Test("Cancelled, the rest of the scroll is nobody's")
    func cancelled() {
        hand.scroll(1, 0, at: 0)
        hand.arbiter.handle(.key(KeyEvent(key: .escape, time: hand.time(5)))) { _ in [] }
        hand.scroll(1, 0, at: 10)
        hand.scroll(1, 0, at: 90)
        #expect(hand.took() == ["pan began", "pan cancelled"])
        hand.scroll(1, 0, at: 200)
        #expect(hand.took() == ["pan began"])
    }

    @Test("The pop pan's rules hold for scrolls as they do for drags")
    func pop() {
        let context = Page()
        let pop = PopPanRecognizer(context: context)
        page.recognizers.removeAll()
        page.add(pop)
        hand.scroll(1, 0.2, at: 0)
        #expect(hand.took() == ["pop began"])
        hand.wait(until: 200)
        pop.settleEnded()
        context.blindRect = Rect(x: 290, y: 90, width: 20, height: 20)
        hand.scroll(1, 0, at: 300)
        #expect(hand.took() == ["pop ended", "pop failed", "row scroll", "page scroll"])
        hand.wait(until: 1000)
        hand.scroll(1, 0, at: 1000, x: 100)
        #expect(hand.took() == ["pop began"])
        hand.wait(until: 2000)
        context.settlingDirection = .pop
        _ = hand.took()
        hand.scroll(0.01, 0, at: 2000)
        #expect(hand.took() == ["pop began", "pop changed"], "it takes hold of a page that settles")
    }
}
