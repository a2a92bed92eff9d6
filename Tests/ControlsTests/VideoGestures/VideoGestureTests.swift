import GlissadeGeometry
import GlissadeGestures
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Video gestures: clicks, presses and drags") @MainActor struct VideoGestureTests {
    private let harness = VideoGestureHarness()

    // MARK: - Clicks

    @Test("A click shows or hides the controls once it can no longer become a double click")
    func click() {
        harness.click(500)
        harness.wait(299)
        #expect(harness.took().isEmpty)
        harness.wait(1)
        #expect(harness.took() == ["click"])
        #expect(harness.asked == ["click 500,250"])
    }

    @Test("A double click toggles fullscreen and is no click")
    func doubleClick() {
        harness.doubleClick(500)
        harness.wait(1000)
        #expect(harness.took() == ["double click"])
        #expect(harness.asked == ["double-click 500,250"])
    }

    @Test(
        "A double click on the left or right quarter skips 10 s back or forward",
        arguments: [
            (0.0, "skip -10"), (249, "skip -10"), (250, "double click"), (749, "double click"), (750, "skip 10"),
            (999, "skip 10"),
        ])
    func quarters(x: Double, result: String) {
        harness.doubleClick(x)
        harness.wait(1000)
        #expect(harness.took() == [result])
    }

    @Test("The quarters are those of the video's frame, wherever it is")
    func quartersOfFrame() {
        harness.gestures.frame = Rect(x: 400, y: 0, width: 200, height: 100)
        for (x, result) in [(449.0, "skip -10"), (450, "double click"), (550, "skip 10")] {
            harness.doubleClick(x)
            harness.wait(1000)
            #expect(harness.took() == [result])
        }
    }

    @Test(
        "Each further click in the same quarter skips another 10 s, while a late one or one elsewhere is a click")
    func repeatedSkips() {
        harness.doubleClick(900)
        for _ in 1...2 {
            harness.wait(300)
            harness.click(800, 100)
        }
        #expect(harness.took() == ["skip 10", "skip 10", "skip 10"])
        #expect(harness.asked == ["double-click-right 900,250"], "all of it is one gesture")
        harness.wait(200)
        harness.click(500)
        harness.wait(1000)
        #expect(harness.took() == ["click"])
        harness.doubleClick(100)
        harness.wait(501)
        harness.click(100)
        harness.wait(400)
        #expect(harness.took() == ["skip -10", "click"])
    }

    @Test("A click does not wait where a double click would do nothing")
    func clickAtOnce() {
        harness.gestures.disabled = [.doubleClick]
        harness.click(500)
        #expect(harness.took() == ["click"])
        harness.click(900)
        #expect(harness.took().isEmpty)
        harness.wait(400)
        #expect(harness.took() == ["click"])
    }

    @Test("A quarter whose double click is disabled acts like the middle")
    func quarterLikeMiddle() {
        harness.gestures.disabled = [.doubleClickLeft]
        harness.doubleClick(100)
        harness.wait(400)
        harness.doubleClick(900)
        harness.wait(1000)
        #expect(harness.took() == ["double click", "skip 10"])
    }

    // MARK: - Long press

    @Test("A long press plays at double speed until it is released")
    func longPress() {
        harness.press(300)
        harness.wait(499)
        #expect(harness.took().isEmpty)
        harness.wait(1)
        #expect(harness.took() == ["fast"])
        harness.move(600, 100)
        harness.wait(5000)
        #expect(harness.took().isEmpty, "what it became is decided: it is no drag any more")
        harness.release(600, 100)
        #expect(harness.took() == ["normal"])
        #expect(harness.asked == ["long-press 300,250"])
    }

    @Test("A long press ends when the pointer is lost")
    func lostLongPress() {
        for end in [
            {
                harness.send(.cancelled, 300, 250); return
            }, { harness.escape() }, { harness.gestures.isLocked = true },
            { harness.arbiter.cancelAll(now: harness.now) }, { harness.gestures.disabled = [.longPress] },
            { harness.gestures.cancel() },
        ] as [() -> Void] {
            harness.press(300)
            harness.wait(600)
            #expect(harness.took() == ["fast"])
            end()
            #expect(harness.took() == ["normal"])
            harness.release(300)
            harness.gestures.isLocked = false
            harness.gestures.disabled = []
            #expect(harness.took().isEmpty)
        }
        #expect(harness.works())
    }

    // MARK: - Level drags

    @Test("A vertical drag changes the brightness in the left half and the volume in the right, upwards for more")
    func halves() {
        harness.press(499, 300)
        harness.move(499, 292)
        harness.move(499, 252)
        harness.release(499, 252)
        #expect(harness.took() == ["brightness began", "brightness 0.1", "brightness ended"])
        harness.press(500, 100)
        harness.move(500, 308)
        harness.release(500, 348)
        #expect(harness.took() == ["volume began", "volume -0.5", "volume -0.6", "volume ended"])
        #expect(harness.asked == ["brightness-drag 499,300", "volume-drag 500,100"])
    }

    @Test("A level drag starts at the current level, without the distance that told it from a press")
    func noJump() {
        harness.press(800, 300)
        harness.move(800, 293)
        #expect(harness.took().isEmpty)
        harness.move(800, 292)
        #expect(harness.took() == ["volume began"])
        harness.move(800, 293)
        #expect(harness.took() == ["volume -0.003"])
        harness.move(800, 292)
        #expect(harness.took() == ["volume 0.0"])
        harness.release(800, 292)
    }

    @Test("A drag over the span, by default 0.8 of the height, covers the whole range and may exceed it")
    func span() {
        harness.gestures.frame.size.height = 1000
        harness.press(800, 900)
        harness.move(800, 92)
        #expect(harness.took() == ["volume began", "volume 1.0"])
        harness.move(800, -308)
        harness.release(800, -308)
        #expect(harness.took() == ["volume 1.5", "volume ended"])
        harness.gestures.dragSpan = 0.5
        harness.press(800, 900)
        harness.move(800, 392)
        harness.release(800, 392)
        #expect(harness.took() == ["volume began", "volume 1.0", "volume ended"])
    }

    @Test("What a drag does is decided once, at its beginning, by its main direction and position")
    func decidedOnce() {
        harness.press(450, 300)
        harness.move(455, 288)
        harness.move(900, 288)
        harness.move(900, 248)
        harness.release(900, 248)
        #expect(harness.took() == ["brightness began", "brightness 0.01", "brightness 0.11", "brightness ended"])
        #expect(harness.asked == ["brightness-drag 450,300"])
        harness.press(450, 300)
        harness.move(458, 292)
        harness.move(458, 100)
        harness.release(458, 100)
        #expect(harness.took().isEmpty, "as much across as upright is across, and the page's")
    }

    @Test("A drag is neither a click nor a long press nor part of a double click")
    func onlyDrag() {
        harness.click(500)
        harness.wait(100)
        harness.press(500)
        harness.move(500, 200)
        harness.wait(1000)
        harness.release(500, 200)
        harness.wait(1000)
        #expect(harness.took().filter { !$0.hasPrefix("volume") } == ["click"])
    }

    @Test("Losing the pointer cancels a level drag, and the level goes back")
    func lostDrag() {
        harness.press(800, 300)
        harness.move(800, 200)
        _ = harness.took()
        harness.escape()
        #expect(harness.took() == ["volume cancelled"])
        harness.move(800, 100)
        harness.release(800, 100)
        #expect(harness.took().isEmpty)
        #expect(harness.works())
    }

    @Test("Resizing the window during a drag changes no level")
    func resized() {
        harness.press(800, 300)
        harness.move(800, 292)
        _ = harness.took()
        harness.gestures.frame = Rect(x: 0, y: 0, width: 100, height: 10)
        harness.send(.moved, 800, 292)
        #expect(harness.took().isEmpty)
        harness.move(800, 252)
        harness.release(800, 252)
        #expect(harness.took() == ["volume 0.1", "volume ended"])
    }
}
