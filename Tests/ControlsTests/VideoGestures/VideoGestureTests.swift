import Geometry
import Gestures
import Testing
import Time

@testable import Controls

@Suite("What a hand does on the video: clicks, presses, drags") @MainActor struct VideoGestureTests {
    private let harness = VideoGestureHarness()

    // MARK: - Clicks

    @Test("Click: shows or hides the controls, once it is known to be no double click")
    func click() {
        harness.click(500)
        harness.wait(299)
        #expect(harness.took().isEmpty)
        harness.wait(1)
        #expect(harness.took() == ["click"])
        #expect(harness.asked == ["click 500,250"])
    }

    @Test("Double click: fullscreen, and no click")
    func doubleClick() {
        harness.doubleClick(500)
        harness.wait(1000)
        #expect(harness.took() == ["double click"])
        #expect(harness.asked == ["double-click 500,250"])
    }

    @Test(
        "Double click on the outer quarters: 10 s back or on",
        arguments: [
            (0.0, "skip -10"), (249, "skip -10"), (250, "double click"), (749, "double click"), (750, "skip 10"),
            (999, "skip 10"),
        ])
    func quarters(x: Double, result: String) {
        harness.doubleClick(x)
        harness.wait(1000)
        #expect(harness.took() == [result])
    }

    @Test("The quarters are the frame's, wherever that is")
    func quartersOfFrame() {
        harness.gestures.frame = Rect(x: 400, y: 0, width: 200, height: 100)
        for (x, result) in [(449.0, "skip -10"), (450, "double click"), (550, "skip 10")] {
            harness.doubleClick(x)
            harness.wait(1000)
            #expect(harness.took() == [result])
        }
    }

    @Test(
        "Each further click in the quarter within the time continues by 10 s; a late one, or one elsewhere, is a click")
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

    @Test("Where no double click would be anything, a click does not wait")
    func clickAtOnce() {
        harness.gestures.disabled = [.doubleClick]
        harness.click(500)
        #expect(harness.took() == ["click"])
        harness.click(900)
        #expect(harness.took().isEmpty)
        harness.wait(400)
        #expect(harness.took() == ["click"])
    }

    @Test("A quarter whose own double click is turned off is like the middle")
    func quarterLikeMiddle() {
        harness.gestures.disabled = [.doubleClickLeft]
        harness.doubleClick(100)
        harness.wait(400)
        harness.doubleClick(900)
        harness.wait(1000)
        #expect(harness.took() == ["double click", "skip 10"])
    }

    // MARK: - Long press

    @Test("Long press: double speed until it is let go of")
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

    @Test("A long press that is lost ends, too")
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

    @Test("Vertical drag in the left half: picture brightness; in the right half: volume; upwards is more")
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

    @Test("A level starts where it was: the travel that tells a drag from a press does not count")
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

    @Test("A drag over the span, 0.8 of the height unless set, is the whole range, and it is not limited there")
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

    @Test("Which one a drag becomes is decided once, at its begin, by its main direction and place")
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

    @Test("A drag is no click, no long press, and nothing of a double click")
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

    @Test("A level drag that is lost is cancelled: the level goes back")
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

    @Test("A window that changes its size under a drag changes no level")
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
