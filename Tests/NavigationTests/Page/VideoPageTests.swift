import GlissadeControls
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

/// A page that is all video, with a trailing page.
@MainActor private final class VideoPage: Page {
    let gestures = VideoGestures()
    let bound = RecordingPage("details")
    var trace: [String] = []
    var asked: [VideoGesture: [Point]] = [:]
    var vetoes: Set<VideoGesture> = []

    override init(layer: Layer = Layer()) {
        super.init(layer: layer)
        layer.owner = gestures
        trailingPage = { [unowned self] in bound }
        gestures.shouldTrigger = { [unowned self] gesture, point in
            asked[gesture, default: []].append(point)
            return !vetoes.contains(gesture)
        }
        gestures.timeline = { (.seconds(100), .seconds(400)) }
        gestures.onClick = { [unowned self] _, _ in trace.append("click") }
        gestures.onLockedClick = { [unowned self] _, _ in trace.append("locked click") }
        gestures.onLongPress = { [unowned self] isHeld, _ in trace.append(isHeld ? "fast" : "normal") }
        gestures.onVolumeWheel = { [unowned self] _, _ in trace.append("wheel") }
        gestures.onSeek = { [unowned self] seek, _ in if case .began = seek { trace.append("seek") } }
        gestures.onPinch = { [unowned self] pinch, _ in if pinch == .began { trace.append("pinch") } }
        gestures.onLevelDrag = { [unowned self] level, drag, _ in if drag == .began { trace.append("\(level)") } }
    }

    override func layout(size: Size, insets: PageInsets) {
        gestures.frame = Rect(origin: .zero, size: size)
    }

    override func shouldBeginPop() -> Bool { gestures.allows(.popDrag, at: stack?.pressLocation ?? .zero) }
    override func shouldBeginTrailingPush() -> Bool {
        gestures.allows(.trailingDrag, at: stack?.pressLocation ?? .zero)
    }

    func took() -> [String] {
        defer { trace = [] }
        return trace
    }
}

@Suite("Page with a video") @MainActor struct VideoPageTests {
    private let harness = NavigationHarness()
    private let page = VideoPage()
    private let user: SimulatedUser

    init() throws {
        try harness.push(page)
        user = SimulatedUser(harness)
    }

    /// How far a drag has brought the upper of the two pages to the right, as a share of the width; nil where none moves.
    private func drag(by x: Double, _ y: Double, from: Double = 500) -> Double? {
        user.press(from)
        for _ in 1...10 { user.move(by: x / 10, y / 10) }
        defer { settle() }
        return harness.stack.progress
    }

    private func scroll(by x: Double, modifiers: Modifiers = []) -> Double? {
        for _ in 1...2 { user.scroll(x / 2, 0, modifiers: modifiers) }
        user.frame()
        defer { settle() }
        return harness.stack.progress
    }

    /// Whatever is held is given up, and the page is where it was.
    private func settle() {
        user.loseIt()
        harness.stack.cancelDrag(now: harness.now)
        user.frame(after: 300)
        harness.settle()
        user.frame(after: 600)
        page.gestures.advance(to: harness.now)
        #expect(harness.stack.top === page)
    }

    @Test("A drag to the right on the video pops the page")
    func right() {
        #expect(drag(by: 300, 100) == 0.3)
        #expect(page.took().isEmpty)
        #expect(page.asked == [.popDrag: [Point(x: 500, y: 250)]])
    }

    @Test("A drag to the left on the video pulls in the trailing page")
    func left() {
        #expect(drag(by: -300, 100) == 0.7)
        #expect(page.took().isEmpty)
        #expect(page.asked == [.trailingDrag: [Point(x: 500, y: 250)]])
    }

    @Test("A vertical drag changes a level and moves no page, wherever it goes later")
    func vertical() {
        #expect(drag(by: 50, 100, from: 200) == nil)
        #expect(drag(by: -50, -100, from: 700) == nil)
        #expect(page.took() == ["brightness", "volume"])
        user.press(300)
        user.move(by: 0, 20)
        user.move(by: 400)
        #expect(!harness.stack.isTransitioning)
        settle()
        #expect(page.took() == ["brightness"])
    }

    @Test("A horizontal drag stays horizontal, however far it goes up or down")
    func decidedOnce() {
        user.press(700)
        user.move(by: 20)
        user.move(by: 0, -200)
        #expect(harness.stack.progress == 0.02)
        settle()
        #expect(page.took().isEmpty)
    }

    @Test("While locked neither drags nor scrolls pop, push or change a level")
    func locked() {
        page.gestures.isLocked = true
        for (x, y) in [(300.0, 0.0), (-300, 0), (0, 100), (0, -100)] { #expect(drag(by: x, y) == nil) }
        #expect(scroll(by: 4) == nil && scroll(by: -4) == nil)
        user.click(500)
        user.frame(after: 500)
        #expect(page.took() == ["locked click"])
        #expect(page.asked.isEmpty && !harness.stack.isTransitioning)
        page.gestures.isLocked = false
        #expect(drag(by: 300, 0) == 0.3)
    }

    @Test("During a long press the page cannot be dragged aside")
    func longPress() {
        user.press(500)
        user.frame(after: 500)
        user.move(by: 300)
        #expect(!harness.stack.isTransitioning)
        settle()
        #expect(page.took() == ["fast", "normal"])
    }

    @Test("Each of the page's drags on the video can be disabled or refused on its own")
    func turnedOff() {
        for isRefused in [false, true] {
            page.gestures.disabled = isRefused ? [] : [.popDrag]
            page.vetoes = isRefused ? [.popDrag] : []
            #expect(drag(by: 300, 0) == nil && drag(by: -300, 0) == 0.7)
            page.gestures.disabled = isRefused ? [] : [.trailingDrag]
            page.vetoes = isRefused ? [.trailingDrag] : []
            #expect(drag(by: 300, 0) == 0.3 && drag(by: -300, 0) == nil)
        }
        #expect(page.took().isEmpty)
    }

    @Test("While locked the edge does not pop either, and a vertical drag beside it is the video's")
    func edge() {
        page.popPolicy.mode = .edge
        page.gestures.isLocked = true
        #expect(drag(by: 300, 0, from: 10) == nil)
        page.gestures.isLocked = false
        #expect(drag(by: 300, 0, from: 10) == 0.3)
        #expect(drag(by: 0, 100, from: 100) == nil)
        #expect(page.took() == ["brightness"])
    }

    // MARK: - Scrolls

    @Test("A sideways scroll moves the page or the trailing one, and the wheel moves neither")
    func scrolls() {
        #expect(scroll(by: 5) == 0.2)
        #expect(scroll(by: -5) == 0.8)
        user.scroll(0, 3)
        #expect(!harness.stack.isTransitioning)
        #expect(page.took() == ["wheel"])
    }

    @Test("A sideways scroll with Shift seeks and moves no page")
    func shift() {
        #expect(scroll(by: 5, modifiers: .shift) == nil)
        #expect(scroll(by: -5, modifiers: .shift) == nil)
        #expect(page.took() == ["seek", "seek"])
    }

    @Test("Where no page can move, a sideways scroll seeks")
    func whereNoPageGoes() {
        page.trailingPage = nil
        #expect(scroll(by: -5) == nil)
        page.popPolicy.isDisabled = true
        #expect(scroll(by: 5) == nil)
        page.popPolicy.isDisabled = false
        page.gestures.disabled = [.popDrag]
        #expect(scroll(by: 5) == nil)
        #expect(page.took() == ["seek", "seek", "seek"])
    }

    @Test("If sideways scrolls are assigned to the video they seek, and drags still pop")
    func videoScrolls() {
        page.gestures.sidewaysScroll = .video
        #expect(scroll(by: 5) == nil && scroll(by: -5) == nil)
        #expect(page.took() == ["seek", "seek"])
        #expect(drag(by: 300, 0) == 0.3)
        page.gestures.disabled = [.horizontalWheel]
        #expect(scroll(by: 5) == 0.2, "turned off, it leaves the scroll to the page")
        page.gestures.disabled = []
        page.gestures.sidewaysScroll = .page
        #expect(scroll(by: 5) == 0.2)
        #expect(page.took().isEmpty)
    }

    @Test("A refused seek is asked for once, and then the scroll moves the page")
    func refusedSeek() {
        page.vetoes = [.horizontalWheel]
        #expect(scroll(by: 5, modifiers: .shift) == 0.2)
        page.popPolicy.isDisabled = true
        #expect(scroll(by: 5, modifiers: .shift) == nil)
        #expect(page.asked[.horizontalWheel]?.count == 2)
        #expect(page.took().isEmpty)
    }

    @Test("Clicks and two fingers reach the video despite the pop pan")
    func clicksAndFingers() {
        user.click(500)
        user.frame(after: 400)
        func send(_ phase: PointerEvent.Phase, _ x: Double, _ finger: Int) {
            user.frame()
            let event = PointerEvent(
                phase: phase, position: Point(x: x, y: 250), button: phase == .moved ? nil : .primary,
                time: harness.now, pointer: finger)
            user.arbiter.handle(.pointer(event)) { harness.stack.elements(at: $0, now: harness.now) }
        }
        send(.pressed, 400, 1)
        send(.pressed, 600, 2)
        for x in [450.0, 550, 700] { send(.moved, x, 1) }
        #expect(!harness.stack.isTransitioning)
        send(.released, 600, 2)
        send(.released, 700, 1)
        #expect(page.took() == ["click", "pinch"])
        // And while the page moves, a second finger is nobody's.
        send(.pressed, 400, 1)
        send(.moved, 500, 1)
        send(.pressed, 600, 2)
        send(.moved, 900, 2)
        #expect(harness.stack.progress == 0.1)
        send(.released, 900, 2)
        #expect(harness.stack.isHeld)
        send(.released, 500, 1)
        settle()
        #expect(page.took().isEmpty)
    }
}
