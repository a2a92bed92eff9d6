import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// Sends pointer and scroll events to a stack through an arbiter, at the harness's times, with a frame after each.
@MainActor final class SimulatedUser {
    let harness: NavigationHarness
    let arbiter = GestureArbiter()
    private(set) var place = Point.zero

    var stack: NavigationStack { harness.stack }

    init(_ harness: NavigationHarness) { self.harness = harness }

    func frame(after milliseconds: Int = 10) {
        harness.wait(milliseconds)
        arbiter.advance(to: harness.now)
        _ = stack.advance(to: harness.now)
    }

    private func send(_ phase: PointerEvent.Phase, _ button: PointerEvent.Button?) {
        let event = PointerEvent(phase: phase, position: place, button: button, time: harness.now)
        arbiter.handle(.pointer(event)) { stack.elements(at: $0, now: harness.now) }
    }

    func press(_ x: Double, _ y: Double = 250, button: PointerEvent.Button = .primary) {
        place = Point(x: x, y: y)
        send(.pressed, button)
    }

    func move(_ x: Double, _ y: Double = 250) {
        frame()
        place = Point(x: x, y: y)
        send(.moved, nil)
        _ = stack.advance(to: harness.now)
    }

    /// Moved by so much, in one event.
    func move(by x: Double, _ y: Double = 0) { move(place.x + x, place.y + y) }

    func release(button: PointerEvent.Button = .primary) { send(.released, button) }
    func loseIt() { send(.cancelled, nil) }

    /// Let go of when it has rested so long that it has no speed.
    func rest() {
        frame(after: 150)
        release()
    }

    func click(_ x: Double, _ y: Double = 250) {
        press(x, y)
        frame(after: 30)
        release()
    }

    @discardableResult
    func scroll(
        _ x: Double, _ y: Double, at point: Point = Point(x: 500, y: 250), modifiers: Modifiers = []
    ) -> Bool {
        frame()
        let event = ScrollEvent(deltaX: x, deltaY: y, position: point, modifiers: modifiers, time: harness.now)
        return arbiter.handle(.scroll(event)) { stack.elements(at: $0, now: harness.now) }
    }

    @discardableResult func key(_ key: Key) -> Bool {
        arbiter.handle(.key(KeyEvent(key: key, time: harness.now))) { _ in [] }
    }
}

/// A part of a page that writes down what it gets.
@MainActor final class Part: @MainActor GestureTarget {
    let layer: Layer
    var recognizers: [GestureRecognizer] = []
    var excludesPagePan = false
    var targetOnMovingPage: (any GestureTarget)?
    private(set) var heard: [PointerEvent.Phase] = []
    private(set) var scrolls = 0

    init(_ frame: Rect, on page: RecordingPage) {
        layer = Layer(frame: frame)
        layer.owner = self
        page.layer.add(layer)
        page.parts.append(self)
    }

    func receive(_ event: PointerEvent) { heard.append(event.phase) }

    func receive(_ event: ScrollEvent) -> Bool {
        scrolls += 1
        return false
    }
}

/// A target without recognizers.
final class EmptyTarget: GestureTarget {
    let recognizers: [GestureRecognizer] = []
}

/// Content that scrolls sideways, as a test sets it up.
final class Sideways: ScrollContainer {
    var axis = PanRecognizer.Axes.horizontal
    var isAtLeftEnd = true
    var isDecelerating = false
    var isPaged = false
    var showsFirstPage = true
    var isScrollEnabled = true
    var contentOffset = Point(x: 40, y: 0)
}

/// A hundred rows of fifty points, which write down what is activated.
@MainActor final class Rows: ListSource {
    var rowCount = 100
    var activated: [Int] = []
    let list = ListView(rowHeight: 50)

    init(on page: Page) {
        list.source = self
        page.layer.add(list.layer)
        page.scrollContainers = [list]
        list.layout(Rect(x: 0, y: 0, width: NavigationHarness.width, height: 500))
    }

    func makeRow() -> ListRow { ListRow() }
    func configure(_ row: ListRow, at index: Int) {}
    func activate(_ index: Int, now: HostTime) { activated.append(index) }
}
