import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Who gets a press on a page") @MainActor struct PopPanRuleTests {
    private let harness = NavigationHarness()
    private let page: RecordingPage
    private let user: SimulatedUser

    init() throws {
        page = try harness.pushed()
        user = SimulatedUser(harness)
    }

    private func part(_ frame: Rect = Rect(x: 0, y: 0, width: 1000, height: 500), on page: RecordingPage? = nil) -> Part
    {
        Part(frame, on: page ?? self.page)
    }

    /// Whether a drag of 100 points to the right, from `x`, moves the page.
    private func pops(from x: Double = 500, _ y: Double = 250) -> Bool {
        user.press(x, y)
        user.move(x + 20, y)
        user.move(x + 100, y)
        let moves = harness.stack.isHeld
        user.rest()
        harness.settle()
        return moves
    }

    enum Closed: CaseIterable { case all, page, range, none, area }

    @Test(
        "If popping is disabled the pop pan fails at once, and the view beneath gets the press",
        arguments: Closed.allCases)
    func closed(_ closed: Closed) {
        let part = part()
        switch closed {
        case .all: harness.stack.arePopsDisabled = true
        case .page: page.popPolicy.isDisabled = true
        case .range: page.popPolicy.range = 499
        case .none: page.popPolicy.range = 0
        case .area: page.popPolicy.gestureExclusionRects = [Rect(x: 480, y: 240, width: 40, height: 20)]
        }
        user.press(500)
        #expect(part.heard == [.pressed])
        user.move(700)
        user.release()
        #expect(part.heard == [.pressed, .moved, .released])
        #expect(page.log.isEmpty)
    }

    @Test("Disabling pops for a page, its range or an area leaves them enabled elsewhere")
    func open() {
        page.popPolicy.range = 501
        #expect(pops())
        page.popPolicy.range = nil
        page.popPolicy.gestureExclusionRects = [Rect(x: 480, y: 240, width: 40, height: 20)]
        #expect(pops(from: 500, 270))
        #expect(!pops(from: 500, 250))
    }

    @Test("The pop pan fails at once on the root page")
    func root() {
        harness.stack.pop(animated: false, now: harness.now)
        let part = part(on: harness.root)
        user.press(500)
        #expect(part.heard == [.pressed])
        user.move(700)
        #expect(!harness.stack.isTransitioning)
    }

    @Test("An element that excludes itself from page pops keeps its drags")
    func blindElement() {
        let bar = part(Rect(x: 0, y: 400, width: 1000, height: 50))
        bar.excludesPagePan = true
        #expect(!pops(from: 500, 420))
        #expect(bar.heard == [.pressed, .moved, .moved, .released])
        #expect(pops(from: 500, 380))
    }

    @Test("If the page's shouldBeginPop returns false, the view beneath gets the drag")
    func refused() {
        let part = part()
        page.pops = false
        user.press(500)
        #expect(part.heard.isEmpty)
        user.move(520)
        #expect(part.heard == [.pressed, .moved])
        #expect(!harness.stack.isTransitioning)
    }

    @Test(
        "A drag that starts leftwards or more vertical than horizontal is no pop",
        arguments: [(-20.0, 0.0), (10, 11), (10, -11), (0, 20)])
    func direction(x: Double, y: Double) {
        let part = part()
        user.press(500)
        user.move(by: x, y)
        #expect(part.heard == [.pressed, .moved])
        user.move(by: 300)
        #expect(!harness.stack.isTransitioning)
    }

    @Test("Once a pop has begun, the view beneath gets nothing of the drag")
    func taken() {
        let part = part()
        user.press(500)
        user.move(by: 5)
        user.move(by: 20)
        user.move(by: 20)
        #expect(harness.stack.progress == 0.045)
        user.rest()
        #expect(part.heard.isEmpty)
    }

    // MARK: - Modes

    @Test("In edge mode only a drag from the left 50 px pops the page")
    func edge() {
        page.popPolicy.mode = .edge
        #expect(pops(from: 49))
        #expect(!pops(from: 50))
    }

    @Test("At the edge the pop cancels every other recognizer, while in full mode another pan wins")
    func edgeWins() {
        let part = part()
        let pan = PanRecognizer(name: "other")
        var states: [GestureRecognizer.State] = []
        pan.onChange = { states.append($0.state) }
        part.recognizers = [pan]
        #expect(!pops(from: 30))
        #expect(states.first == .began)
        states = []
        page.popPolicy.mode = .edge
        #expect(pops(from: 30))
        #expect(states == [.cancelled])
    }

    @Test("A page may change its pop mode while it is shown")
    func switching() {
        #expect(pops())
        page.popPolicy.mode = .edge
        #expect(!pops())
        page.popPolicy.mode = .full
        #expect(pops())
    }

    // MARK: - Content that scrolls sideways

    private func sideways() -> (Sideways, ScrollPanRecognizer) {
        let part = part()
        let container = Sideways()
        let pan = ScrollPanRecognizer(container: container)
        part.recognizers = [pan]
        page.parts.append(container)
        return (container, pan)
    }

    enum Keeps: CaseIterable { case notAtEnd, decelerating, laterPage }

    @Test(
        "Content that is not at its left end, still decelerating or not on its first page keeps the drag",
        arguments: Keeps.allCases)
    func keeps(_ keeps: Keeps) {
        let (container, pan) = sideways()
        switch keeps {
        case .notAtEnd: container.isAtLeftEnd = false
        case .decelerating: container.isDecelerating = true
        case .laterPage: (container.isPaged, container.showsFirstPage) = (true, false)
        }
        user.press(500)
        user.move(by: 20)
        #expect(pan.isActive)
        user.move(by: 200)
        #expect(!harness.stack.isTransitioning)
        user.release()
    }

    @Test("Horizontal content keeps a leftward drag on a page")
    func leftwards() {
        let (_, pan) = sideways()
        user.press(500)
        user.move(by: -20)
        #expect(pan.isActive && !harness.stack.isTransitioning)
        user.release()
    }

    @Test("At its left end horizontal content loses a rightward drag to the pop and is cancelled, not failed")
    func atEnd() {
        let (container, pan) = sideways()
        var states: [GestureRecognizer.State] = []
        pan.onChange = { states.append($0.state) }
        user.press(500)
        user.move(by: 20)
        #expect(harness.stack.isHeld)
        #expect(states == [.cancelled])
        #expect(!container.isScrollEnabled)
        container.contentOffset = .zero
        user.rest()
        #expect(!container.isScrollEnabled)
        harness.settle()
        #expect(container.isScrollEnabled)
        #expect(container.contentOffset == Point(x: 40, y: 0))
    }

    // MARK: - A bound page

    @Test("A leftward drag pulls the trailing page in, and without one it is not handled")
    func trailingPage() {
        let details = RecordingPage("details")
        let part = part()
        page.trailingPage = { details }
        user.press(800)
        user.move(by: -20)
        user.move(by: -380)
        #expect(harness.stack.progress == 0.6)
        user.rest()
        harness.settle()
        #expect(harness.stack.top === details)
        #expect(part.heard.isEmpty)
    }

    @Test("If the trailing page turns out to be missing nothing moves, and content keeps scrolling")
    func noBoundPage() {
        let (container, _) = sideways()
        container.axis = .vertical
        page.scrollContainers = [container]
        page.trailingPage = { nil }
        user.press(800)
        user.move(by: -20)
        user.move(by: -300)
        #expect(!harness.stack.isTransitioning)
        #expect(container.isScrollEnabled)
        user.release()
        #expect(pops())
    }
}
