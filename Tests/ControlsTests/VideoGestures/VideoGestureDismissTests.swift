import GlissadeGestures
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Dismissing a fullscreen video by a drag") @MainActor struct VideoGestureDismissTests {
    private let harness = VideoGestureHarness()

    init() { harness.gestures.canDismiss = { true } }

    /// Down from there, at rest when it is let go.
    private func drag(_ x: Double, by dy: Double = 100) {
        harness.press(x, 200)
        harness.move(x, 200 + dy)
        harness.wait(200)
        harness.release(x, 200 + dy)
    }

    @Test("On a fullscreen video a downward drag in the middle third reports its distance and release velocity")
    func dismiss() {
        harness.press(500, 100)
        harness.move(502, 120)
        #expect(harness.gestures.isActive)
        harness.move(490, 140)
        harness.move(480, 160)
        harness.release(480, 160)
        let lines = harness.took()
        #expect(
            lines.dropLast() == [
                "dismiss began", "dismiss 2.0,20.0", "dismiss -10.0,40.0", "dismiss -20.0,60.0", "dismiss -20.0,60.0",
            ])
        #expect(lines.last!.hasPrefix("dismiss ended -") && lines.last!.hasSuffix(",2000.0"))
        #expect(harness.asked == ["dismiss-drag 500,100"] && !harness.gestures.isActive)
    }

    @Test(
        "The left and right thirds keep brightness and volume",
        arguments: [
            (333.0, "brightness"), (334, "dismiss"), (666, "dismiss"), (667, "volume"), (0, "brightness"),
            (999, "volume"),
        ])
    func thirds(x: Double, kind: String) {
        drag(x)
        let lines = harness.took()
        #expect(lines.first == "\(kind) began" && lines.allSatisfy { $0.hasPrefix(kind) })
    }

    @Test("An upward drag in the middle third changes a level as in the halves")
    func upwards() {
        drag(490, by: -100)
        drag(510, by: -100)
        let lines = harness.took()
        #expect(lines.first == "brightness began" && lines.contains("volume began"))
        #expect(!lines.contains { $0.hasPrefix("dismiss") })
    }

    @Test("A drag dismisses only if canDismiss allows it, which it does not by default")
    func onlyThere() {
        harness.gestures.canDismiss = { false }
        drag(510)
        harness.gestures.canDismiss = nil
        drag(510)
        #expect(harness.took().allSatisfy { $0.hasPrefix("volume") })
        #expect(VideoGestures().canDismiss == nil)
    }

    @Test("What a drag does is decided once, at its beginning, wherever the pointer goes later")
    func decidedOnce() {
        harness.press(500, 200)
        harness.move(501, 212)
        harness.gestures.canDismiss = { false }
        harness.move(900, 20)
        harness.wait(200)
        harness.release(900, 20)
        #expect(
            harness.took() == [
                "dismiss began", "dismiss 1.0,12.0", "dismiss 400.0,-180.0", "dismiss 400.0,-180.0",
                "dismiss ended 0.0,0.0",
            ])
        harness.press(500, 200)
        harness.move(500, 190)
        harness.gestures.canDismiss = { true }
        harness.move(500, 400)
        harness.release(500, 400)
        #expect(harness.took().allSatisfy { $0.hasPrefix("volume") })
    }

    @Test("A drag that is more horizontal than vertical is left to the page")
    func across() {
        harness.press(500, 200)
        harness.move(512, 210)
        harness.move(500, 400)
        harness.release(500, 400)
        #expect(harness.took().isEmpty)
    }

    @Test("With the gesture disabled the middle third acts like the halves, and disabling it midway cancels it")
    func disabled() {
        harness.gestures.disabled = [.dismissDrag]
        drag(510)
        #expect(harness.took().first == "volume began")
        harness.gestures.disabled = []
        harness.press(510, 200)
        harness.move(510, 250)
        _ = harness.took()
        harness.gestures.disabled = [.dismissDrag]
        #expect(harness.took() == ["dismiss cancelled"])
        harness.move(510, 300)
        harness.release(510, 300)
        #expect(harness.took().isEmpty)
    }

    @Test("Dismissing works with the level drags disabled, and then an upward drag does nothing")
    func withoutLevels() {
        harness.gestures.disabled = [.brightnessDrag, .volumeDrag]
        drag(510)
        #expect(harness.took().first == "dismiss began")
        drag(510, by: -100)
        #expect(harness.took().isEmpty)
    }

    @Test("A dismiss drag refused by shouldTrigger becomes no other gesture")
    func vetoed() {
        harness.vetoes = [.dismissDrag]
        drag(510)
        #expect(harness.took().isEmpty && harness.asked == ["dismiss-drag 510,200"])
    }

    @Test("Losing the pointer, locking or changing the video cancels the drag once, and the next one works")
    func cancelled() {
        for end in [
            {
                harness.send(.cancelled, 500, 250); return
            }, { harness.escape() }, { harness.gestures.isLocked = true },
            { harness.gestures.cancel() }, { harness.arbiter.cancelAll(now: harness.now) },
        ] as [() -> Void] {
            harness.press(500, 200)
            harness.move(500, 250)
            #expect(harness.took() == ["dismiss began", "dismiss 0.0,50.0"])
            end()
            #expect(harness.took() == ["dismiss cancelled"])
            harness.release(500, 250)
            harness.gestures.isLocked = false
        }
        #expect(harness.took().isEmpty && harness.works())
    }

    @Test("A handler may end the drag as it begins, and then hears no more of it")
    func endedAtOnce() {
        var heard: [VideoGestures.DismissDrag] = []
        harness.gestures.onDismissDrag = { [unowned harness] drag, _ in
            heard.append(drag)
            if drag == .began { harness.gestures.cancel() }
        }
        drag(500)
        #expect(heard == [.began, .cancelled])
    }
}
