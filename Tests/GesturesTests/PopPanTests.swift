import GlissadeGeometry
import Testing

@testable import GlissadeGestures
@testable import GlissadeNavigation

@Suite("Pop pan recognizer") struct PopPanTests {
    private let harness = GestureHarness()
    private let page = Page()
    private let pop: PopPanRecognizer
    private let element: Element

    init() {
        pop = PopPanRecognizer(context: page)
        element = harness.element("page", [pop])
    }

    /// Whether a drag from `x` to the right by 50 px makes a pop.
    private func pops(from x: Double = 500, by travel: (Double, Double) = (50, 0), at ms: Double = 0) -> Bool {
        _ = harness.took()
        harness.drag(from: (x, 100), to: (x + travel.0, 100 + travel.1), at: ms)
        pop.settleEnded()
        return harness.took() == ["pop began", "pop changed", "pop ended"]
    }

    @Test("A drag to the right from anywhere on the page pops it")
    func anywhere() {
        #expect(pops(from: 1))
        #expect(pops(from: 999))
        #expect(pop.direction == .pop)
    }

    /// What closes the pop at the press, and lets it through again.
    nonisolated private static let closed: [(String, @Sendable (Page) -> Void)] = [
        ("the page is the root", { $0.isRoot = true }),
        ("pops are closed for all pages", { $0.arePopsDisabled = true }),
        ("pops are closed for this one", { $0.isPopDisabled = true }),
        ("the press lies right of popRange", { $0.popRange = 500 }),
        ("popRange is 0", { $0.popRange = 0 }),
        ("popRange is not a number", { $0.popRange = .nan }),
        ("the press lies in a blind rectangle", { $0.blindRect = Rect(x: 490, y: 90, width: 20, height: 20) }),
    ]

    @Test(
        "If popping is disabled the pop pan fails at once, and the event reaches the view beneath",
        arguments: closed.indices)
    func closedAtPress(index: Int) {
        Self.closed[index].1(page)
        harness.press(500, 100)
        #expect(harness.took() == ["pop failed", "page pressed"], "\(Self.closed[index].0)")
        harness.move(600, 100, at: 10)
        harness.release(600, 100, at: 20)
        #expect(harness.took() == ["page moved", "page released"])
    }

    @Test("The pop pan fails if the page's shouldBeginPop returns false, which is asked once, at the beginning")
    func shouldBeginPop() {
        page.begins = false
        harness.press(500, 100)
        #expect(page.timesAsked == 0)
        harness.move(540, 100, at: 10)
        harness.move(580, 100, at: 20)
        harness.release(580, 100, at: 30)
        #expect(page.timesAsked == 1)
        #expect(harness.took() == ["pop failed", "page pressed", "page moved", "page moved", "page released"])
    }

    @Test(
        "The pop pan fails if the motion at its beginning is not to the right or more vertical than horizontal",
        arguments: [(-50.0, 0.0, false), (0, 50, false), (30, 31, false), (30, -31, false), (30, 30, true)])
    func motion(x: Double, y: Double, isPop: Bool) {
        #expect(pops(by: (x, y)) == isPop)
    }

    @Test("The pop range is measured from the left edge of the pages, and a press within it can pop")
    func popRange() {
        page.containerFrame = Rect(x: 200, y: 0, width: 800, height: 600)
        page.popRange = 100
        #expect(pops(from: 299, at: 0))
        #expect(!pops(from: 300, at: 100))
    }

    @Test("An element may exclude itself from page pops, without affecting its own recognizers")
    func blindElement() {
        let bar = Element("bar", harness: harness)
        bar.excludesPagePan = true
        harness.elements.insert(bar, at: 0)
        harness.drag(from: (500, 100), to: (550, 100))
        #expect(harness.took() == ["pop failed", "bar pressed", "bar moved", "bar released"])
        bar.excludesPagePan = false
        #expect(pops(at: 100))
        element.excludesPagePan = true
        #expect(pops(at: 200), "an element is no blind area to its own recognizers")
    }

    @Test("Without a trailing page a drag to the left is not handled")
    func leftward() {
        harness.drag(from: (500, 100), to: (400, 100))
        #expect(harness.took() == ["pop failed", "page pressed", "page moved", "page released"])
    }

    @Test("With a trailing page a drag to the left pushes it, even if popping is disabled")
    func push() {
        page.hasTrailingPage = true
        page.isRoot = true
        harness.drag(from: (500, 100), to: (400, 100))
        #expect(harness.took() == ["pop began", "pop changed", "pop ended"])
        #expect(pop.direction == .push)
        pop.settleEnded()
        #expect(!pops(at: 100))
        #expect(page.timesAsked == 0)
    }

    @Test("A push of the trailing page starts only if the page itself allows it")
    func refusedPush() {
        page.hasTrailingPage = true
        page.pushes = false
        harness.drag(from: (500, 100), to: (400, 100))
        #expect(harness.took() == ["pop failed", "page pressed", "page moved", "page released"])
        #expect(pops(at: 100))
    }

    // MARK: - The edge

    @Test("In edge mode only the left 50 px pop, and a page may change the mode while it is shown")
    func edgeOnly() {
        page.popMode = .edge
        #expect(pops(from: 49, at: 0))
        #expect(!pops(from: 50, at: 100))
        page.popMode = .full
        #expect(pops(from: 50, at: 200))
        page.popMode = .edge
        #expect(!pops(from: 50, at: 300))
    }

    @Test("In edge mode the pop wins over every other recognizer at the edge, and cancels it")
    func edgeWins() {
        page.popMode = .edge
        let scrolling = Scrolling()
        scrolling.isAtLeftEnd = false
        let row = Element("row", harness: harness)
        row.add(PanRecognizer(name: "pan"))
        row.add(ScrollPanRecognizer(container: scrolling))
        let early = PanRecognizer(name: "early")
        early.minimumTravel = 2
        row.add(early)
        harness.elements.insert(row, at: 0)
        harness.press(10, 100)
        harness.move(14, 100, at: 10)
        harness.move(30, 100, at: 20)
        #expect(
            harness.took() == [
                "early began", "early changed", "pan cancelled", "scroll cancelled", "early cancelled", "pop began",
            ])
    }

    @Test("In edge mode a trailing page is pushed from the right edge")
    func pushEdge() {
        page.popMode = .edge
        page.hasTrailingPage = true
        harness.drag(from: (960, 100), to: (900, 100))
        #expect(harness.took().first == "pop began" && pop.direction == .push)
        harness.drag(from: (900, 100), to: (850, 100), at: 100)
        #expect(harness.took().first == "pop failed")
        harness.drag(from: (30, 100), to: (10, 100), at: 200)
        #expect(harness.took().first == "pop failed")
    }

    // MARK: - Other recognizers

    @Test("Any other pan recognizer wins over the pop, even one that begins later", arguments: [8.0, 30])
    func otherPans(travel: Double) {
        let pan = PanRecognizer(axes: .horizontal)
        pan.minimumTravel = travel
        element.add(pan)
        harness.press(500, 100)
        harness.move(520, 100, at: 10)
        harness.move(550, 100, at: 20)
        let took = harness.took()
        #expect(took.contains("pan began") && took.contains("pop failed") && !took.contains("pop began"))
        harness.release(550, 100, at: 30)
    }

    @Test("A vertical pan that fails leaves the drag to the pop")
    func verticalPan() {
        element.add(PanRecognizer(axes: .vertical))
        harness.drag(from: (500, 100), to: (550, 100))
        #expect(harness.took() == ["pan failed", "pop began", "pop changed", "pop ended"])
    }

    @Test("Of nested pages the inner one pops")
    func nestedPops() {
        let inner = Element("inner", harness: harness)
        let other = Page()
        inner.add(PopPanRecognizer(context: other, name: "inner pop"))
        harness.elements.insert(inner, at: 0)
        harness.press(500, 100)
        harness.move(550, 100, at: 10)
        #expect(harness.took() == ["inner pop began", "pop failed"])
        harness.release(550, 100, at: 20)
        other.isRoot = true
        harness.press(500, 100, at: 100)
        harness.move(550, 100, at: 110)
        #expect(harness.took().suffix(2) == ["inner pop failed", "pop began"])
    }

    // MARK: - Taking hold

    @Test("A press anywhere on a moving page catches it at once, whichever way it moves")
    func takingHold() {
        page.settlingDirection = .push
        page.isRoot = true
        page.blindRect = page.containerFrame
        element.add(PanRecognizer())
        element.add(TapRecognizer())
        harness.press(900, 100)
        #expect(harness.took() == ["pan cancelled", "tap cancelled", "pop began"])
        #expect(pop.isCatching && pop.direction == .push && pop.translation == .zero)
        harness.move(898, 150, at: 10)
        #expect(pop.translation == Point(x: -2, y: 50))
        harness.release(898, 150, at: 20)
        #expect(harness.took() == ["pop changed", "pop changed", "pop ended"])
        page.settlingDirection = nil
        harness.press(900, 100, at: 100)
        #expect(!pop.isCatching)
    }

    @Test("Without a page the pop pan fails")
    func noContext() {
        pop.context = nil
        #expect(!pops())
    }
}
