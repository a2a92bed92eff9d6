import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeTime

/// A window of 1200×500 points with an element beneath that wants every gesture; its input and its time.
@MainActor final class SliderHarness {
    let root = Layer(frame: Rect(x: 0, y: 0, width: 1200, height: 500))
    let arbiter = GestureArbiter()
    let beneath = Beneath()
    var now = HostTime(nanoseconds: 1_000_000_000)
    var place = Point.zero

    init() { root.owner = beneath }

    func wait(_ milliseconds: Double) {
        now = now + .nanoseconds(Int64(milliseconds * 1e6))
        arbiter.advance(to: now)
    }

    func path(_ point: Point) -> [any GestureTarget] {
        root.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureTarget }
    }

    func send(_ phase: PointerEvent.Phase, button: PointerEvent.Button? = nil, pointer: Int = 0) {
        let event = PointerEvent(phase: phase, position: place, button: button, time: now, pointer: pointer)
        arbiter.handle(.pointer(event), path: path)
    }

    func press(_ x: Double, _ y: Double = 250) {
        place = Point(x: x, y: y)
        send(.pressed, button: .primary)
    }

    func move(_ x: Double, _ y: Double = 250) {
        wait(10)
        place = Point(x: x, y: y)
        send(.moved)
    }

    func release() { send(.released, button: .primary) }

    func click(_ x: Double, _ y: Double = 250) {
        press(x, y)
        wait(30)
        release()
    }

    @discardableResult func scroll(_ deltaX: Double, _ deltaY: Double, at x: Double, _ y: Double = 250) -> Bool {
        wait(10)
        let event = ScrollEvent(deltaX: deltaX, deltaY: deltaY, position: Point(x: x, y: y), time: now)
        return arbiter.handle(.scroll(event), path: path)
    }
}

/// Wants every gesture, and logs what it gets.
@MainActor final class Beneath: @MainActor GestureTarget {
    let pan = PanRecognizer(axes: .any, name: "beneath")
    let tap = TapRecognizer(count: 1)
    let recognizers: [GestureRecognizer]
    private(set) var heard: [String] = []

    init() {
        recognizers = [pan, tap]
        pan.onChange = { [unowned self] in heard.append("pan \($0.state)") }
        tap.onChange = { [unowned self] in if $0.state == .recognized { heard.append("tap") } }
    }

    func receive(_ event: PointerEvent) { heard.append("\(event.phase)") }

    func receive(_ event: ScrollEvent) -> Bool {
        heard.append("scroll")
        return true
    }

    /// What it got since the last call.
    func took() -> [String] {
        defer { heard = [] }
        return heard
    }
}
