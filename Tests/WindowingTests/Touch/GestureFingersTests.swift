import GlissadeGeometry
import GlissadeInput
import Testing

@testable import GlissadeWindowing

@Suite("Gestures of touchpads as fingers") struct GestureFingersTests {
    private var fingers = GestureFingers()
    private var changes: [String] = []

    private mutating func send(
        _ kind: XInputEvent.Gesture.Kind, _ phase: XInputEvent.TouchPhase, isCancelled: Bool = false,
        device: UInt16 = 7, delta: Point = .zero, scale: Double = 1
    ) {
        let gesture = XInputEvent.Gesture(
            kind: kind, phase: phase, isCancelled: isCancelled, device: device, window: 1,
            position: Point(x: 200, y: 50), delta: delta, scale: scale, time: 0)
        var found: [String] = []
        fingers.handle(gesture) { found.append(Self.text($0)) }
        changes += found
    }

    private static func text(_ change: FingerTracker.Change) -> String {
        "\(change.phase) \(change.pointer) at \(change.position.x),\(change.position.y)"
    }

    private mutating func took() -> [String] {
        defer { changes = [] }
        return changes
    }

    @Test("A swipe is one finger that begins at the mouse and follows the distances")
    mutating func swipe() {
        send(.swipe, .began)
        send(.swipe, .moved, delta: Point(x: 10.5, y: -1))
        send(.swipe, .moved, delta: Point(x: 20, y: 0))
        send(.swipe, .ended)
        #expect(
            took() == [
                "pressed 11 at 200.0,50.0", "moved 11 at 210.5,49.0", "moved 11 at 230.5,49.0",
                "moved 11 at 230.5,49.0", "released 11 at 230.5,49.0",
            ])
    }

    @Test("A pinch is two fingers whose distance follows the scale")
    mutating func pinch() {
        send(.pinch, .began)
        send(.pinch, .moved, scale: 1.5)
        send(.pinch, .ended, scale: 2)
        #expect(
            took() == [
                "pressed 11 at 200.0,50.0", "pressed 12 at 300.0,50.0", "moved 12 at 350.0,50.0",
                "moved 12 at 400.0,50.0", "released 12 at 400.0,50.0", "released 11 at 200.0,50.0",
            ])
    }

    @Test("A cancelled, interrupted or lost gesture cancels its fingers, and later reports about it are ignored")
    mutating func cancelled() {
        send(.swipe, .began)
        send(.swipe, .ended, isCancelled: true, delta: Point(x: 99, y: 0))
        #expect(took().last == "cancelled 11 at 299.0,50.0")
        send(.swipe, .began)
        send(.pinch, .began)
        #expect(
            took().dropFirst() == [
                "cancelled 11 at 200.0,50.0", "pressed 11 at 200.0,50.0", "pressed 12 at 300.0,50.0",
            ])
        send(.swipe, .moved)
        send(.swipe, .ended)
        send(.pinch, .moved, device: 8)
        #expect(took().isEmpty)
        var found: [String] = []
        fingers.cancel(on: 8) { found.append(Self.text($0)) }
        fingers.cancel(in: 2) { found.append(Self.text($0)) }
        #expect(found.isEmpty)
        fingers.cancel(on: 7) { found.append(Self.text($0)) }
        #expect(found == ["cancelled 12 at 300.0,50.0", "cancelled 11 at 200.0,50.0"])
        send(.pinch, .moved)
        send(.pinch, .ended)
        #expect(took().isEmpty)
    }

    @Test("Scales and distances beyond reason are limited")
    mutating func limits() {
        send(.pinch, .began)
        for scale in [-5, 0, 32767.0] { send(.pinch, .moved, scale: scale) }
        #expect(
            took().dropFirst(2) == ["moved 12 at 201.0,50.0", "moved 12 at 201.0,50.0", "moved 12 at 10200.0,50.0"])
        send(.swipe, .began)
        for _ in 0..<100 { send(.swipe, .moved, delta: Point(x: 32767, y: -32768)) }
        #expect(took().last == "moved 11 at \(GestureFingers.farthest),\(-GestureFingers.farthest)")
    }
}
