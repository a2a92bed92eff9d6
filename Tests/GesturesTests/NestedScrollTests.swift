import GlissadeGeometry
import Testing

@testable import GlissadeGestures
@testable import GlissadeNavigation

@Suite("Dragging pages with scrolling content") struct NestedScrollTests {
    private let harness = GestureHarness()
    private let page = Page()
    private let scrolling = Scrolling()
    private let pop: PopPanRecognizer
    private let scroll: ScrollPanRecognizer

    init() {
        pop = PopPanRecognizer(context: page)
        scroll = ScrollPanRecognizer(container: scrolling)
        _ = harness.element("content", [scroll])
        _ = harness.element("page", [pop])
    }

    private func winner(_ travel: Double = 50) -> String? {
        harness.drag(from: (500, 100), to: (500 + travel, 100))
        return harness.took().first { $0.hasSuffix("began") }
    }

    @Test("Horizontal content that is not at its left end keeps a drag to the right")
    func notAtEnd() {
        scrolling.isAtLeftEnd = false
        harness.drag(from: (500, 100), to: (550, 100))
        #expect(harness.took() == ["scroll began", "pop failed", "scroll changed", "scroll ended"])
    }

    @Test("Horizontal content that is still decelerating keeps the drag")
    func decelerating() {
        scrolling.isDecelerating = true
        #expect(winner() == "scroll began")
    }

    @Test("Horizontal content keeps a drag to the left")
    func leftwards() { #expect(winner(-50) == "scroll began") }

    @Test(
        "Content at its left end loses a drag to the right to the pop, and its recognizer is cancelled, not failed")
    func atEnd() {
        harness.drag(from: (500, 100), to: (550, 100))
        #expect(harness.took() == ["scroll cancelled", "pop began", "pop changed", "pop ended"])
    }

    @Test("Content at its left end loses the drag even if scrolling had begun")
    func atEndBegun() {
        scroll.minimumTravel = 2
        harness.press(500, 100)
        harness.move(504, 100, at: 10)
        harness.move(550, 100, at: 20)
        #expect(harness.took() == ["scroll began", "scroll changed", "scroll cancelled", "pop began"])
    }

    @Test("A paged container keeps the drag until its first page is shown")
    func paged() {
        scrolling.isPaged = true
        scrolling.showsFirstPage = false
        #expect(winner() == "scroll began")
        scrolling.showsFirstPage = true
        #expect(winner() == "pop began")
    }

    @Test("Vertical content takes no part in a drag to the right and keeps a vertical one")
    func vertical() {
        scrolling.axis = .vertical
        scrolling.isAtLeftEnd = false
        scrolling.isDecelerating = true
        #expect(winner() == "pop began")
        pop.settleEnded()
        harness.drag(from: (500, 100), to: (500, 160), at: 100)
        #expect(harness.took().first { $0.hasSuffix("began") } == "scroll began")
    }

    @Test("Content that refuses the drag leaves it to the pop")
    func unwilling() {
        scrolling.isAtLeftEnd = false
        scrolling.isScrollEnabled = false
        #expect(winner() == "pop began")
        #expect(!scrolling.isScrollEnabled)
        pop.settleEnded()
        #expect(!scrolling.isScrollEnabled, "it did not scroll before, nor does it after")
    }

    @Test("For a trailing page it is mirrored: content keeps a drag to the left until it shows its right end")
    func push() {
        page.hasTrailingPage = true
        #expect(winner(-50) == "scroll began")
        scrolling.isAtRightEnd = true
        scrolling.showsLastPage = true
        #expect(winner(-50) == "pop began")
        #expect(pop.direction == .push)
    }

    @Test(
        "From the start of a pop until it has settled the page's content does not scroll, then it does from the same offset"
    )
    func stilled() {
        let elsewhere = Scrolling()
        let off = Scrolling()
        off.isScrollEnabled = false
        page.scrollContainers = [scrolling, elsewhere, off]
        harness.press(500, 100)
        #expect(scrolling.isScrollEnabled)
        harness.move(550, 100, at: 10)
        #expect(!scrolling.isScrollEnabled && !elsewhere.isScrollEnabled)
        scrolling.contentOffset = Point(x: -20, y: 0)
        harness.release(550, 100, at: 20)
        #expect(!scrolling.isScrollEnabled)
        // A second hold, before the end of the settle.
        page.settlingDirection = .pop
        harness.press(550, 100, at: 100)
        harness.release(550, 100, at: 110)
        #expect(!scrolling.isScrollEnabled)
        pop.settleEnded()
        #expect(scrolling.isScrollEnabled && elsewhere.isScrollEnabled && !off.isScrollEnabled)
        #expect(scrolling.contentOffset == Point(x: 3, y: 70))
        #expect(elsewhere.contentOffset == Point(x: 3, y: 70))
        scrolling.isScrollEnabled = false
        pop.settleEnded()
        #expect(!scrolling.isScrollEnabled, "once is enough")
    }

    @Test("A pop recognizer that is removed lets the content scroll again")
    func released() {
        let harness = GestureHarness()
        let page = Page()
        do {
            let element = harness.element("page", [PopPanRecognizer(context: page)])
            page.scrollContainers = [scrolling]
            harness.press(500, 100)
            harness.move(550, 100, at: 10)
            #expect(!scrolling.isScrollEnabled)
            harness.elements.removeAll()
            element.recognizers.removeAll()
            harness.release(550, 100, at: 20)
        }
        #expect(scrolling.isScrollEnabled)
    }
}
