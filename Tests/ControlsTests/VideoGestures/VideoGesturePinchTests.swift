import GlissadeGestures
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Pinching the video") @MainActor struct VideoGesturePinchTests {
    private let harness = VideoGestureHarness()

    /// Two fingers, 200 points apart, of which the second goes so far on.
    private func pinch(by distance: Double) {
        harness.press(400, pointer: 1)
        harness.wait(20)
        harness.press(600, pointer: 2)
        harness.move(600 + distance, 250, pointer: 2)
    }

    private func letGo() {
        harness.release(0, pointer: 2)
        harness.release(0, pointer: 1)
    }

    @Test(
        "Spreading two fingers fills the window, pinching them fits it, and anything between does nothing",
        arguments: [
            (20.0, "pinch 1.1", "fill"), (19, "pinch 1.095", "nothing"), (-18, "pinch 0.91", "nothing"),
            (-20, "pinch 0.9", "fit"), (600, "pinch 4.0", "fill"),
        ])
    func fitOrFill(distance: Double, changed: String, result: String) {
        pinch(by: distance)
        letGo()
        #expect(harness.took() == ["pinch", changed, "pinched \(result)"])
        #expect(harness.asked.count == 1)
        #expect(harness.works())
    }

    @Test("Both fingers count, and either may be lifted first")
    func bothFingers() {
        pinch(by: 0)
        harness.move(300, 250, pointer: 1)
        harness.release(300, pointer: 1)
        harness.release(600, pointer: 2)
        #expect(harness.took() == ["pinch", "pinch 1.0", "pinch 1.5", "pinched fill"])
        #expect(harness.works())
    }

    @Test("Two fingers are neither a click, a drag nor a long press")
    func nothingElse() {
        pinch(by: 0)
        harness.move(400, 100, pointer: 1)
        harness.wait(1000)
        letGo()
        harness.wait(1000)
        #expect(harness.took().allSatisfy { $0.hasPrefix("pinch") })
    }

    @Test("A second finger during a drag or a long press is ignored")
    func duringDrag() {
        harness.press(800, 300, pointer: 1)
        harness.move(800, 252, pointer: 1)
        harness.press(300, pointer: 2)
        harness.move(300, 100, pointer: 2)
        harness.release(300, 100, pointer: 2)
        harness.release(800, 252, pointer: 1)
        #expect(harness.took() == ["volume began", "volume 0.1", "volume ended"])
        harness.press(800, pointer: 1)
        harness.wait(600)
        harness.press(300, pointer: 2)
        harness.move(100, 100, pointer: 2)
        harness.release(800, pointer: 1)
        harness.release(300, pointer: 2)
        #expect(harness.took() == ["fast", "normal"])
        #expect(!harness.asked.contains { $0.hasPrefix("pinch") })
    }

    @Test("Losing a finger, Escape or a lock ends a pinch without effect")
    func lost() {
        for end in [
            {
                harness.send(.cancelled, 0, 0, pointer: 2); return
            },
            {
                harness.send(.cancelled, 0, 0, pointer: 1); return
            },
            { harness.escape() }, { harness.gestures.isLocked = true }, { harness.gestures.disabled = [.pinch] },
        ] as [() -> Void] {
            pinch(by: 300)
            _ = harness.took()
            end()
            #expect(harness.took() == ["pinched nothing"])
            letGo()
            harness.gestures.isLocked = false
            harness.gestures.disabled = []
            #expect(harness.took().isEmpty)
        }
        #expect(harness.works())
    }

    @Test("With the gesture disabled or refused, two fingers do nothing")
    func off() {
        harness.gestures.disabled = [.pinch]
        pinch(by: 100)
        letGo()
        harness.wait(500)
        #expect(!harness.took().contains { $0.hasPrefix("pinch") })
        harness.gestures.disabled = []
        harness.vetoes = [.pinch]
        pinch(by: 100)
        letGo()
        harness.wait(500)
        #expect(harness.took().isEmpty)
        #expect(harness.works())
    }

    // MARK: - Dragging with two fingers

    /// Both fingers go up so far, from 250, one after the other.
    private func dragUp(by distance: Double) {
        pinch(by: 0)
        for step in stride(from: 4.0, through: distance, by: 4) {
            harness.move(400, 250 - step, pointer: 1)
            harness.move(600, 250 - step, pointer: 2)
        }
    }

    @Test("Two fingers that move up or down together change the volume, in either half, and the pinch has no effect")
    func volume() {
        dragUp(by: 48)
        letGo()
        let trace = harness.took().filter { !$0.hasPrefix("pinch 1") && !$0.hasPrefix("pinch 0") }
        #expect(trace.first == "pinch" && trace.dropFirst().prefix(2) == ["pinched nothing", "volume began"])
        #expect(trace.suffix(2) == ["volume 0.1", "volume ended"])
        #expect(harness.works())
    }

    @Test("Once a pinch is clear it never becomes a drag, nor a drag a pinch")
    func decided() {
        pinch(by: 30)
        for y in stride(from: 250.0, through: 100, by: -10) {
            harness.move(400, y, pointer: 1)
            harness.move(630, y, pointer: 2)
        }
        letGo()
        #expect(harness.took().allSatisfy { $0.hasPrefix("pinch") })
        dragUp(by: 16)
        _ = harness.took()
        harness.move(900, 234, pointer: 2)
        letGo()
        #expect(harness.took() == ["volume ended"])
    }

    @Test("A drag with two fingers is cancelled if a finger is lost, and does nothing if the gesture is off or refused")
    func volumeEnding() {
        for pointer in [1, 2] {
            dragUp(by: 40)
            harness.send(.cancelled, 0, 0, pointer: pointer)
            #expect(harness.took().last == "volume cancelled")
            letGo()
        }
        dragUp(by: 40)
        harness.gestures.disabled = [.volumeDrag]
        #expect(harness.took().last == "volume cancelled")
        letGo()
        dragUp(by: 40)
        letGo()
        harness.gestures.disabled = [.pinch]
        dragUp(by: 40)
        letGo()
        #expect(harness.took().last == "volume ended")
        harness.gestures.disabled = []
        harness.vetoes = [.volumeDrag]
        dragUp(by: 40)
        letGo()
        #expect(!harness.took().contains { $0.hasPrefix("volume") })
    }
}
