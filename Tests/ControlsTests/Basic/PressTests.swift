import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Pressing rows and buttons") @MainActor struct PressTests {
    private let numbers = NumberList(100)
    private let arbiter = GestureArbiter()

    private func send(_ event: PointerEvent, to element: any GestureTarget) {
        arbiter.handle(.pointer(event)) { _ in [element] }
    }

    private func event(
        _ phase: PointerEvent.Phase, _ y: Double, x: Double = 100, button: PointerEvent.Button = .primary
    ) -> PointerEvent {
        PointerEvent(phase: phase, position: Point(x: x, y: y), button: button, time: numbers.now)
    }

    @Test("A row is activated if it is pressed and released, and only then")
    func activation() {
        send(event(.pressed, 110), to: numbers.list)
        #expect(numbers.row(2)?.states.last == .pressed)
        #expect(numbers.activated.isEmpty)
        send(event(.released, 116), to: numbers.list)
        #expect(numbers.activated == [2])
        #expect(numbers.row(2)?.states.last == [])
        send(event(.pressed, 147), to: numbers.list)
        send(event(.released, 152), to: numbers.list)
        send(event(.pressed, 110), to: numbers.list)
        send(event(.released, 110, x: 2000), to: numbers.list)
        #expect(numbers.activated == [2])
    }

    @Test("A cancelled press, a release alone and other buttons activate nothing")
    func noActivation() {
        send(event(.pressed, 110), to: numbers.list)
        send(event(.cancelled, 110), to: numbers.list)
        send(event(.released, 110), to: numbers.list)
        send(event(.pressed, 110, button: .secondary), to: numbers.list)
        send(event(.released, 110, button: .secondary), to: numbers.list)
        #expect(numbers.activated.isEmpty)
    }

    @Test("A row that scrolled or reloaded under the pointer since the press is not activated")
    func changedBeneath() {
        send(event(.pressed, 110), to: numbers.list)
        numbers.list.jump(to: 50)
        send(event(.released, 110), to: numbers.list)
        send(event(.pressed, 110), to: numbers.list)
        numbers.list.reload()
        send(event(.released, 110), to: numbers.list)
        #expect(numbers.activated.isEmpty)
    }

    @Test("A press beneath the bar or beyond the last row hits no row")
    func outside() {
        numbers.list.insets = (top: 60, bottom: 0)
        send(event(.pressed, 50), to: numbers.list)
        send(event(.released, 50), to: numbers.list)
        numbers.rowCount = 3
        numbers.list.reload()
        send(event(.pressed, 300), to: numbers.list)
        send(event(.released, 300), to: numbers.list)
        #expect(numbers.activated.isEmpty)
    }

    @Test("A list takes vertical wheel scrolls, but no sideways ones, and none while scrolling is off")
    func wheel() {
        func scroll(_ x: Double, _ y: Double) -> Bool {
            numbers.list.receive(
                ScrollEvent(deltaX: x, deltaY: y, position: Point(x: 100, y: 100), time: numbers.now))
        }
        #expect(scroll(0, -1))
        #expect(!scroll(-1, 0))
        numbers.list.isScrollEnabled = false
        #expect(!scroll(0, -1))
    }

    @Test("A vertical drag scrolls and flings the list without activating a row")
    func drag() {
        let arbiter = GestureArbiter()
        func send(_ phase: PointerEvent.Phase, _ y: Double) {
            numbers.advance()
            let button: PointerEvent.Button? = phase == .moved ? nil : .primary
            let event = PointerEvent(
                phase: phase, position: Point(x: 100, y: y), button: button, time: numbers.now)
            arbiter.handle(.pointer(event)) { _ in [numbers.list] }
        }
        send(.pressed, 400)
        for y in stride(from: 390.0, through: 300, by: -10) { send(.moved, y) }
        #expect(numbers.list.scroll.offset == 100 && numbers.list.scroll.isHeld)
        send(.released, 300)
        #expect(numbers.list.scroll.isDecelerating)
        numbers.settle()
        #expect(numbers.list.scroll.offset > 300)
        #expect(numbers.activated.isEmpty)
    }

    // MARK: - Buttons

    private final class Clicks {
        var count = 0
    }

    private func button() -> (Button, Clicks) {
        let clicks = Clicks()
        let button = Button(.back, style: Button.Style(color: .white)) { clicks.count += 1 }
        button.layout(Rect(x: 10, y: 20, width: 40, height: 40))
        return (button, clicks)
    }

    @Test("A button acts once when it is released on it")
    func click() {
        let (button, clicks) = button()
        send(event(.pressed, 40, x: 30), to: button)
        #expect(button.isPressed && clicks.count == 0)
        send(event(.released, 59, x: 49), to: button)
        #expect(!button.isPressed && clicks.count == 1)
        send(event(.released, 40, x: 30), to: button)
        #expect(clicks.count == 1)
    }

    @Test(
        "A button does not act if released beside it, cancelled or pressed by another mouse button",
        arguments: [
            (60.0, PointerEvent.Phase.released, PointerEvent.Button.primary), (40, .cancelled, .primary),
            (40, .released, .secondary),
        ])
    func noClick(y: Double, phase: PointerEvent.Phase, with: PointerEvent.Button) {
        let (button, clicks) = button()
        send(event(.pressed, 40, x: 30, button: with), to: button)
        send(event(phase, y, x: 30, button: with), to: button)
        #expect(!button.isPressed && clicks.count == 0)
    }

    @Test("An icon button is round with its icon centered, whatever its rectangle")
    func shape() {
        let (button, _) = button()
        button.layout(Rect(x: 0, y: 0, width: 60, height: 40))
        #expect(button.layer.sublayers[0].frame == Rect(x: 10, y: 0, width: 40, height: 40))
        #expect(button.layer.sublayers[0].cornerRadius == 20)
        #expect(button.layer.sublayers[2].frame == Rect(x: 20, y: 10, width: 20, height: 20))
    }

    @Test("A button is hit where it is drawn, including its icon")
    func hit() {
        let (button, clicks) = button()
        let parent = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 200))
        parent.add(button.layer)
        parent.translation = Point(x: 100, y: 0)
        #expect(parent.hitTest(Point(x: 130, y: 40), at: .zero)?.owner === button)
        send(event(.pressed, 40, x: 130), to: button)
        send(event(.released, 40, x: 130), to: button)
        #expect(clicks.count == 1)
    }
}
