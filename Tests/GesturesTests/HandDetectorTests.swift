import Gestures
import Motion
import Testing

@Suite("What a hand does") struct HandDetectorTests {
    private func pointer(_ phase: PointerEvent.Phase, _ x: Double) -> InputEvent {
        .pointer(PointerEvent(phase: phase, position: Point(x: x, y: 1), time: HostTime(nanoseconds: 0)))
    }

    @Test("a pointer that a window opens under is no hand; one that moves, presses, or a key is")
    func signs() {
        // Where the server says that a pointer is, it has not gone.
        let inputs = [
            (pointer(.entered, 5), false), (pointer(.moved, 5), false), (pointer(.left, 7), false),
            (pointer(.moved, 8), true), (pointer(.moved, 8), false), (pointer(.pressed, 8), true),
            (pointer(.released, 8), false), (pointer(.moved, .nan), true),
            (.key(KeyEvent(key: .space, time: HostTime(nanoseconds: 0))), true),
        ]
        var detector = HandDetector()
        let found = inputs.map { detector.isHand($0.0) }
        #expect(found == inputs.map(\.1))
        var fresh = HandDetector()
        let first = fresh.isHand(pointer(.moved, 3))
        #expect(!first, "the first place is where it was")
    }
}
