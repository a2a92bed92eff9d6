import Gestures
import Testing
import Time

@testable import Controls

@Suite("A drag down that dismisses a video") @MainActor struct VideoGestureDismissTests {
    private let hand = VideoHand()

    init() { hand.gestures.canDismiss = { true } }

    /// Down from there, at rest when it is let go.
    private func drag(_ x: Double, by dy: Double = 100) {
        hand.press(x, 200)
        hand.move(x, 200 + dy)
        hand.wait(200)
        hand.release(x, 200 + dy)
    }

    @Test("On a fullscreen video a drag down in the middle third tells how far it is, and how fast it was let go of")
    func dismiss() {
        hand.press(500, 100)
        hand.move(502, 120)
        #expect(hand.gestures.isActive)
        hand.move(490, 140)
        hand.move(480, 160)
        hand.release(480, 160)
        let lines = hand.took()
        #expect(
            lines.dropLast() == [
                "dismiss began", "dismiss 2.0,20.0", "dismiss -10.0,40.0", "dismiss -20.0,60.0", "dismiss -20.0,60.0",
            ])
        #expect(lines.last!.hasPrefix("dismiss ended -") && lines.last!.hasSuffix(",2000.0"))
        #expect(hand.asked == ["dismiss-drag 500,100"] && !hand.gestures.isActive)
    }

    @Test(
        "Left and right thirds keep brightness and volume",
        arguments: [
            (333.0, "brightness"), (334, "dismiss"), (666, "dismiss"), (667, "volume"), (0, "brightness"),
            (999, "volume"),
        ])
    func thirds(x: Double, kind: String) {
        drag(x)
        let lines = hand.took()
        #expect(lines.first == "\(kind) began" && lines.allSatisfy { $0.hasPrefix(kind) })
    }

    @Test("Only down: upwards the middle third is like the halves")
    func upwards() {
        drag(490, by: -100)
        drag(510, by: -100)
        let lines = hand.took()
        #expect(lines.first == "brightness began" && lines.contains("volume began"))
        #expect(!lines.contains { $0.hasPrefix("dismiss") })
    }

    @Test("Only where canDismiss says so, which it does not by default")
    func onlyThere() {
        hand.gestures.canDismiss = { false }
        drag(510)
        hand.gestures.canDismiss = nil
        drag(510)
        #expect(hand.took().allSatisfy { $0.hasPrefix("volume") })
        #expect(VideoGestures().canDismiss == nil)
    }

    @Test("Decided once, at its begin: what it has become it stays, wherever the user goes")
    func decidedOnce() {
        hand.press(500, 200)
        hand.move(501, 212)
        hand.gestures.canDismiss = { false }
        hand.move(900, 20)
        hand.wait(200)
        hand.release(900, 20)
        #expect(
            hand.took() == [
                "dismiss began", "dismiss 1.0,12.0", "dismiss 400.0,-180.0", "dismiss 400.0,-180.0",
                "dismiss ended 0.0,0.0",
            ])
        hand.press(500, 200)
        hand.move(500, 190)
        hand.gestures.canDismiss = { true }
        hand.move(500, 400)
        hand.release(500, 400)
        #expect(hand.took().allSatisfy { $0.hasPrefix("volume") })
    }

    @Test("More across than down is the page's")
    func across() {
        hand.press(500, 200)
        hand.move(512, 210)
        hand.move(500, 400)
        hand.release(500, 400)
        #expect(hand.took().isEmpty)
    }

    @Test("Turned off, the middle is like the halves; turned off on the way, it is cancelled")
    func disabled() {
        hand.gestures.disabled = [.dismissDrag]
        drag(510)
        #expect(hand.took().first == "volume began")
        hand.gestures.disabled = []
        hand.press(510, 200)
        hand.move(510, 250)
        _ = hand.took()
        hand.gestures.disabled = [.dismissDrag]
        #expect(hand.took() == ["dismiss cancelled"])
        hand.move(510, 300)
        hand.release(510, 300)
        #expect(hand.took().isEmpty)
    }

    @Test("It does not need the levels: with those turned off it still dismisses, and upwards is nothing")
    func withoutLevels() {
        hand.gestures.disabled = [.brightnessDrag, .volumeDrag]
        drag(510)
        #expect(hand.took().first == "dismiss began")
        drag(510, by: -100)
        #expect(hand.took().isEmpty)
    }

    @Test("A shouldTrigger that says no makes it nothing else")
    func vetoed() {
        hand.vetoes = [.dismissDrag]
        drag(510)
        #expect(hand.took().isEmpty && hand.asked == ["dismiss-drag 510,200"])
    }

    @Test("Lost, locked, or with another film, it is cancelled, once, and the next one works")
    func cancelled() {
        for end in [
            {
                hand.send(.cancelled, 500, 250); return
            }, { hand.escape() }, { hand.gestures.isLocked = true },
            { hand.gestures.cancel() }, { hand.arbiter.cancelAll(now: hand.now) },
        ] as [() -> Void] {
            hand.press(500, 200)
            hand.move(500, 250)
            #expect(hand.took() == ["dismiss began", "dismiss 0.0,50.0"])
            end()
            #expect(hand.took() == ["dismiss cancelled"])
            hand.release(500, 250)
            hand.gestures.isLocked = false
        }
        #expect(hand.took().isEmpty && hand.works())
    }

    @Test("Who hears that it began may end it: nothing more comes")
    func endedAtOnce() {
        var heard: [VideoGestures.DismissDrag] = []
        hand.gestures.onDismissDrag = { [unowned hand] drag, _ in
            heard.append(drag)
            if drag == .began { hand.gestures.cancel() }
        }
        drag(500)
        #expect(heard == [.began, .cancelled])
    }
}
