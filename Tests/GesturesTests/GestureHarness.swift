import GlissadeGeometry
import GlissadeTime

@testable import GlissadeGestures
@testable import GlissadeInput
@testable import GlissadeNavigation

/// Sends presses, moves and scrolls to a few elements at times of its own, and logs what happens.
final class GestureHarness {
    /// What happened, in order: "pan began", "bar pressed".
    var trace: [String] = []
    var log: [String] = []
    private(set) lazy var arbiter = GestureArbiter(log: { [unowned self] in log.append($0) })
    /// Innermost first.
    var elements: [Element] = []
    var pathsAsked = 0

    func element(_ name: String = "element", _ recognizers: [GestureRecognizer] = []) -> Element {
        let element = Element(name, harness: self)
        elements.append(element)
        for recognizer in recognizers { element.add(recognizer) }
        return element
    }

    func time(_ ms: Double) -> HostTime { HostTime(nanoseconds: Int64(ms * 1e6) + 1_000_000_000) }

    @discardableResult func send(
        _ phase: PointerEvent.Phase, _ x: Double, _ y: Double, at ms: Double, button: PointerEvent.Button? = nil,
        pointer: Int = 0
    ) -> Bool {
        let event = PointerEvent(
            phase: phase, position: Point(x: x, y: y), button: button, time: time(ms), pointer: pointer)
        return arbiter.handle(.pointer(event), path: path)
    }

    func press(_ x: Double, _ y: Double, at ms: Double = 0) { send(.pressed, x, y, at: ms, button: .primary) }
    func move(_ x: Double, _ y: Double, at ms: Double) { send(.moved, x, y, at: ms) }
    func release(_ x: Double, _ y: Double, at ms: Double) { send(.released, x, y, at: ms, button: .primary) }

    /// Pressed, moved in one step, released.
    func drag(from: (Double, Double), to: (Double, Double), at ms: Double = 0) {
        press(from.0, from.1, at: ms)
        move(to.0, to.1, at: ms + 50)
        release(to.0, to.1, at: ms + 60)
    }

    func click(_ x: Double, _ y: Double, at ms: Double) {
        press(x, y, at: ms)
        release(x, y, at: ms + 50)
    }

    @discardableResult func scroll(
        _ deltaX: Double, _ deltaY: Double, at ms: Double, x: Double = 300, y: Double = 100, isPrecise: Bool = false,
        isEnd: Bool = false
    ) -> Bool {
        let event = ScrollEvent(
            deltaX: deltaX, deltaY: deltaY, position: Point(x: x, y: y), time: time(ms), isPrecise: isPrecise,
            isEnd: isEnd)
        return arbiter.handle(.scroll(event), path: path)
    }

    func wait(until ms: Double) { arbiter.advance(to: time(ms)) }

    private func path(_ point: Point) -> [any GestureTarget] {
        pathsAsked += 1
        return elements
    }

    /// What happened since the last call.
    func took() -> [String] {
        defer { trace.removeAll() }
        return trace
    }
}

/// Writes down what it gets.
final class Element: GestureTarget {
    let name: String
    var recognizers: [GestureRecognizer] = []
    var excludesPagePan = false
    var takesScroll = false
    private unowned let harness: GestureHarness
    private(set) var events: [PointerEvent] = []
    private(set) var scrolls: [ScrollEvent] = []

    init(_ name: String, harness: GestureHarness) {
        self.name = name
        self.harness = harness
    }

    func add(_ recognizer: GestureRecognizer) {
        recognizers.append(recognizer)
        recognizer.onChange = { [unowned harness] recognizer in
            harness.trace.append("\(recognizer.name) \(recognizer.state)")
        }
    }

    func receive(_ event: PointerEvent) {
        events.append(event)
        harness.trace.append("\(name) \(event.phase)")
    }

    func receive(_ event: ScrollEvent) -> Bool {
        scrolls.append(event)
        harness.trace.append("\(name) scroll")
        return takesScroll
    }
}

/// Answers, and writes down what it was asked.
final class Asked: GestureRecognizerDelegate {
    var questions: [String] = []
    var receives = true
    var begins = true
    var isSimultaneous = false
    var waitsFor: GestureRecognizer?

    func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool {
        questions.append("receive")
        return receives
    }

    func shouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        questions.append("begin")
        return begins
    }

    func shouldRecognizeSimultaneously(_ recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool {
        questions.append("with \(other.name)")
        return isSimultaneous
    }

    func requiresFailure(_ recognizer: GestureRecognizer, of other: GestureRecognizer) -> Bool {
        questions.append("failure of \(other.name)")
        return waitsFor === other
    }
}

/// Content that scrolls, as a test sets it up.
final class Scrolling: ScrollContainer {
    var axis = PanRecognizer.Axes.horizontal
    var isAtLeftEnd = true
    var isAtRightEnd = false
    var isDecelerating = false
    var isPaged = false
    var showsFirstPage = true
    var showsLastPage = false
    var isScrollEnabled = true
    var contentOffset = Point(x: 3, y: 70)
}

/// A page, as a test sets it up.
final class Page: PopPanDelegate {
    var containerFrame = Rect(x: 0, y: 0, width: 1000, height: 600)
    var popMode = PopPanRecognizer.Mode.full
    var isRoot = false
    var arePopsDisabled = false
    var isPopDisabled = false
    var begins = true
    var timesAsked = 0
    var popRange: Double?
    var blindRect: Rect?
    var hasTrailingPage = false
    var settlingDirection: PopPanRecognizer.Direction?
    var pushes = true
    var scrollContainers: [any ScrollContainer] = []

    func shouldBeginPush() -> Bool { pushes }

    func shouldBeginPop() -> Bool {
        timesAsked += 1
        return begins
    }

    func isGestureExcluded(at point: Point) -> Bool { blindRect?.contains(point) == true }
}
