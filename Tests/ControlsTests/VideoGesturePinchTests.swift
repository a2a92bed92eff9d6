import Gestures
import Testing
import Time

@testable import Controls

@Suite("Two fingers on the video") @MainActor struct VideoGesturePinchTests {
    private let hand = VideoHand()

    /// Two fingers, 200 points apart, of which the second goes so far on.
    private func pinch(by distance: Double) {
        hand.press(400, pointer: 1)
        hand.wait(20)
        hand.press(600, pointer: 2)
        hand.move(600 + distance, 250, pointer: 2)
    }

    private func letGo() {
        hand.release(0, pointer: 2)
        hand.release(0, pointer: 1)
    }

    @Test(
        "Pinch: fills the window when the fingers go apart, fits when they come together, else nothing",
        arguments: [
            (20.0, "pinch 1.1", "fill"), (19, "pinch 1.095", "nothing"), (-18, "pinch 0.91", "nothing"),
            (-20, "pinch 0.9", "fit"), (600, "pinch 4.0", "fill"),
        ])
    func fitOrFill(distance: Double, changed: String, result: String) {
        pinch(by: distance)
        letGo()
        #expect(hand.took() == ["pinch", changed, "pinched \(result)"])
        #expect(hand.asked.count == 1)
        #expect(hand.works())
    }

    @Test("Both fingers count, and the first may go up first")
    func bothFingers() {
        pinch(by: 0)
        hand.move(300, 250, pointer: 1)
        hand.release(300, pointer: 1)
        hand.release(600, pointer: 2)
        #expect(hand.took() == ["pinch", "pinch 1.0", "pinch 1.5", "pinched fill"])
        #expect(hand.works())
    }

    @Test("Two fingers are neither a click, a drag nor a long press")
    func nothingElse() {
        pinch(by: 0)
        hand.move(400, 100, pointer: 1)
        hand.wait(1000)
        letGo()
        hand.wait(1000)
        #expect(hand.took().allSatisfy { $0.hasPrefix("pinch") })
    }

    @Test("A second finger in a drag or a long press is ignored")
    func duringDrag() {
        hand.press(800, 300, pointer: 1)
        hand.move(800, 252, pointer: 1)
        hand.press(300, pointer: 2)
        hand.move(300, 100, pointer: 2)
        hand.release(300, 100, pointer: 2)
        hand.release(800, 252, pointer: 1)
        #expect(hand.took() == ["volume began", "volume 0.1", "volume ended"])
        hand.press(800, pointer: 1)
        hand.wait(600)
        hand.press(300, pointer: 2)
        hand.move(100, 100, pointer: 2)
        hand.release(800, pointer: 1)
        hand.release(300, pointer: 2)
        #expect(hand.took() == ["fast", "normal"])
        #expect(!hand.asked.contains { $0.hasPrefix("pinch") })
    }

    @Test("A lost finger, Escape or a lock ends it with nothing")
    func lost() {
        for end in [
            {
                hand.send(.cancelled, 0, 0, pointer: 2); return
            },
            {
                hand.send(.cancelled, 0, 0, pointer: 1); return
            },
            { hand.escape() }, { hand.gestures.isLocked = true }, { hand.gestures.disabled = [.pinch] },
        ] as [() -> Void] {
            pinch(by: 300)
            _ = hand.took()
            end()
            #expect(hand.took() == ["pinched nothing"])
            letGo()
            hand.gestures.isLocked = false
            hand.gestures.disabled = []
            #expect(hand.took().isEmpty)
        }
        #expect(hand.works())
    }

    @Test("Turned off, or refused, two fingers are no pinch")
    func off() {
        hand.gestures.disabled = [.pinch]
        pinch(by: 100)
        letGo()
        hand.wait(500)
        #expect(!hand.took().contains { $0.hasPrefix("pinch") })
        hand.gestures.disabled = []
        hand.vetoes = [.pinch]
        pinch(by: 100)
        letGo()
        hand.wait(500)
        #expect(hand.took().isEmpty)
        #expect(hand.works())
    }
}
