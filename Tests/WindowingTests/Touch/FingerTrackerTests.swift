import GlissadeGeometry
import GlissadeInput
import GlissadeTestSupport
import Testing

@testable import GlissadeWindowing

@Suite("Fingers and their numbers") struct FingerTrackerTests {
    private final class Harness {
        var tracker = FingerTracker()
        private var changes: [String] = []

        func send(
            _ phase: XInputEvent.TouchPhase, _ id: UInt32, device: UInt16 = 6, window: UInt32 = 1, x: Double = 10,
            isCancelled: Bool = false
        ) {
            let touch = XInputEvent.Touch(
                phase: phase, id: id, device: device, window: window, position: Point(x: x, y: 20), time: 0)
            tracker.handle(touch, isCancelled: isCancelled, note)
        }

        func note(_ change: FingerTracker.Change) {
            changes.append("\(change.phase) \(change.pointer) in \(change.window) at \(Int(change.position.x))")
        }

        func took() -> [String] {
            defer { changes = [] }
            return changes
        }
    }

    private let harness = Harness()

    @Test("A finger is pressed, moves and is released, with the lowest free number")
    func numbers() {
        harness.send(.began, 500)
        harness.send(.began, 501, x: 30)
        harness.send(.moved, 501, x: 31.5)
        harness.send(.ended, 500, x: 12)
        harness.send(.began, 502, x: 40)
        #expect(
            harness.took() == [
                "pressed 1 in 1 at 10", "pressed 2 in 1 at 30", "moved 2 in 1 at 31", "released 1 in 1 at 12",
                "pressed 1 in 1 at 40",
            ])
    }

    @Test("A finger that rests reports no moves")
    func resting() {
        harness.send(.began, 1)
        harness.send(.moved, 1)
        harness.send(.moved, 1)
        #expect(harness.took() == ["pressed 1 in 1 at 10"])
    }

    @Test("Of eleven fingers the last is ignored until it touches again, and unknown fingers always are")
    func eleven() {
        for id in 1...11 { harness.send(.began, UInt32(id)) }
        #expect(harness.took().count == FingerTracker.capacity && harness.tracker.count == 10)
        harness.send(.moved, 11, x: 99)
        harness.send(.ended, 3)
        harness.send(.moved, 11, x: 98)
        harness.send(.ended, 11)
        harness.send(.ended, 3)
        #expect(harness.took() == ["released 3 in 1 at 10"])
        harness.send(.began, 11)
        #expect(harness.took() == ["pressed 3 in 1 at 10"])
    }

    @Test("If a number is reused, the touch whose end was lost is cancelled first")
    func reused() {
        harness.send(.began, 1)
        harness.send(.began, 1, x: 50)
        // The same number on another screen is another finger.
        harness.send(.began, 1, device: 9, x: 70)
        #expect(
            harness.took() == [
                "pressed 1 in 1 at 10", "cancelled 1 in 1 at 10", "pressed 1 in 1 at 50", "pressed 2 in 1 at 70",
            ])
    }

    @Test("A lost device cancels its fingers, and a window's fingers can be cancelled; both are then unknown")
    func cancelled() {
        harness.send(.began, 1)
        harness.send(.began, 2, device: 7)
        harness.send(.began, 3, window: 2)
        _ = harness.took()
        harness.send(.ended, 1, x: 0, isCancelled: true)
        harness.tracker.cancelFingers(on: 7, harness.note)
        harness.tracker.cancelFingers(in: 2, harness.note)
        #expect(
            harness.took() == ["cancelled 1 in 1 at 10", "cancelled 2 in 1 at 10", "cancelled 3 in 2 at 10"])
        for id in 1...3 {
            harness.send(.moved, UInt32(id), device: id == 2 ? 7 : 6, x: 80)
            harness.send(.ended, UInt32(id), device: id == 2 ? 7 : 6)
        }
        #expect(harness.took().isEmpty && harness.tracker.count == 0)
    }

    @Test("Fingers in closed windows are forgotten")
    func closed() {
        for id in 1...10 { harness.send(.began, UInt32(id), window: UInt32(id % 2)) }
        harness.tracker.forgetFingers { $0 == 0 }
        #expect(harness.tracker.count == 5)
    }

    @Test("Whatever is reported, each finger is pressed before it moves and ends once")
    func law() {
        var generator = SeededGenerator(seed: 3)
        var down: Set<Int> = []
        func check(_ change: FingerTracker.Change) {
            switch change.phase {
            case .pressed: #expect(down.insert(change.pointer).inserted)
            case .moved: #expect(down.contains(change.pointer))
            default: #expect(down.remove(change.pointer) != nil)
            }
            #expect((1...FingerTracker.capacity).contains(change.pointer))
        }
        for _ in 0..<20_000 {
            let touch = XInputEvent.Touch(
                phase: [.began, .moved, .ended].randomElement(using: &generator)!,
                id: .random(in: 0...15, using: &generator), device: .random(in: 0...2, using: &generator),
                window: .random(in: 0...2, using: &generator),
                position: Point(x: .random(in: -9...9, using: &generator), y: 0), time: 0)
            harness.tracker.handle(touch, isCancelled: .random(using: &generator), check)
            if Int.random(in: 0..<50, using: &generator) == 0 {
                harness.tracker.cancelFingers(on: touch.device, check)
            }
            if Int.random(in: 0..<50, using: &generator) == 0 {
                harness.tracker.cancelFingers(in: touch.window, check)
            }
            #expect(harness.tracker.count == down.count)
        }
    }
}
