import GlissadeAnimation
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeTime

@testable import GlissadeControls

/// Sends pointer, scroll and key events to the layers in a root of 800×600 points through an arbiter, at its own times.
@MainActor final class ControlHarness {
    let root = Layer(frame: Rect(x: 0, y: 0, width: 800, height: 600))
    let arbiter = GestureArbiter()
    var now = HostTime(nanoseconds: 1_000_000_000)
    private var hovered: [any HoverTarget] = []

    /// The elements at `point`, innermost first.
    func elements(at point: Point) -> [any GestureTarget] {
        root.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureTarget }
    }

    func wait(_ milliseconds: Int) { now = now + .milliseconds(milliseconds) }

    @discardableResult func send(
        _ phase: PointerEvent.Phase, _ x: Double, _ y: Double, button: PointerEvent.Button = .primary
    ) -> Bool {
        wait(5)
        let event = PointerEvent(
            phase: phase, position: Point(x: x, y: y), button: phase == .moved ? nil : button, time: now)
        return arbiter.handle(.pointer(event), path: elements)
    }

    func click(_ x: Double, _ y: Double) {
        send(.pressed, x, y)
        send(.released, x, y)
    }

    /// The pointer is there, without a button held.
    func hover(_ x: Double, _ y: Double) {
        wait(5)
        let point = Point(x: x, y: y)
        let found = elements(at: point).compactMap { $0 as? any HoverTarget }
        for old in hovered where !found.contains(where: { $0 === old }) { old.hover(nil, now: now) }
        for element in found { element.hover(point, now: now) }
        hovered = found
    }

    @discardableResult func scroll(_ deltaY: Double, _ x: Double, _ y: Double) -> Bool {
        wait(5)
        let event = ScrollEvent(deltaX: 0, deltaY: deltaY, position: Point(x: x, y: y), time: now)
        return arbiter.handle(.scroll(event), path: elements)
    }

    func key(_ key: Key, _ modifiers: Modifiers = [], isRepeat: Bool = false) -> KeyEvent {
        wait(5)
        return KeyEvent(key: key, modifiers: modifiers, isRepeat: isRepeat, time: now)
    }
}

extension Layer {
    /// How much of it is seen at `now`, by itself.
    func seen(at now: HostTime) -> Double { animatedOpacity.presentation(at: LocalTime(now)) }

    /// The colour that fills it; nil for any other content.
    var fill: Color? { if case .color(let color) = content { color } else { nil } }

    /// The text in it; nil for any other content.
    var text: String? { if case .text(let text) = content { text.string } else { nil } }
}
