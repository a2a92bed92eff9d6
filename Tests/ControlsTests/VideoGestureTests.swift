import Geometry
import Gestures
import Testing
import Time

@testable import Controls

@Suite("What a hand does on the video: clicks, presses, drags") @MainActor struct VideoGestureTests {
    private let hand = VideoHand()

    // MARK: - Clicks

    @Test("Click: shows or hides the controls, once it is known to be no double click")
    func click() {
        hand.click(500)
        hand.wait(299)
        #expect(hand.took().isEmpty)
        hand.wait(1)
        #expect(hand.took() == ["click"])
        #expect(hand.asked == ["click 500,250"])
    }

    @Test("Double click: fullscreen, and no click")
    func doubleClick() {
        hand.doubleClick(500)
        hand.wait(1000)
        #expect(hand.took() == ["double click"])
        #expect(hand.asked == ["double-click 500,250"])
    }

    @Test(
        "Double click on the outer quarters: 10 s back or on",
        arguments: [
            (0.0, "skip -10"), (249, "skip -10"), (250, "double click"), (749, "double click"), (750, "skip 10"),
            (999, "skip 10"),
        ])
    func quarters(x: Double, result: String) {
        hand.doubleClick(x)
        hand.wait(1000)
        #expect(hand.took() == [result])
    }

    @Test("The quarters are the frame's, wherever that is")
    func quartersOfFrame() {
        hand.gestures.frame = Rect(x: 400, y: 0, width: 200, height: 100)
        for (x, result) in [(449.0, "skip -10"), (450, "double click"), (550, "skip 10")] {
            hand.doubleClick(x)
            hand.wait(1000)
            #expect(hand.took() == [result])
        }
    }

    @Test(
        "Each further click in the quarter within the time continues by 10 s; a late one, or one elsewhere, is a click")
    func repeatedSkips() {
        hand.doubleClick(900)
        for _ in 1...2 {
            hand.wait(300)
            hand.click(800, 100)
        }
        #expect(hand.took() == ["skip 10", "skip 10", "skip 10"])
        #expect(hand.asked == ["double-click-right 900,250"], "all of it is one gesture")
        hand.wait(200)
        hand.click(500)
        hand.wait(1000)
        #expect(hand.took() == ["click"])
        hand.doubleClick(100)
        hand.wait(501)
        hand.click(100)
        hand.wait(400)
        #expect(hand.took() == ["skip -10", "click"])
    }

    @Test("Where no double click would be anything, a click does not wait")
    func clickAtOnce() {
        hand.gestures.disabled = [.doubleClick]
        hand.click(500)
        #expect(hand.took() == ["click"])
        hand.click(900)
        #expect(hand.took().isEmpty)
        hand.wait(400)
        #expect(hand.took() == ["click"])
    }

    @Test("A quarter whose own double click is turned off is like the middle")
    func quarterLikeMiddle() {
        hand.gestures.disabled = [.doubleClickLeft]
        hand.doubleClick(100)
        hand.wait(400)
        hand.doubleClick(900)
        hand.wait(1000)
        #expect(hand.took() == ["double click", "skip 10"])
    }

    // MARK: - Long press

    @Test("Long press: double speed until it is let go of")
    func longPress() {
        hand.press(300)
        hand.wait(499)
        #expect(hand.took().isEmpty)
        hand.wait(1)
        #expect(hand.took() == ["fast"])
        hand.move(600, 100)
        hand.wait(5000)
        #expect(hand.took().isEmpty, "what it became is decided: it is no drag any more")
        hand.release(600, 100)
        #expect(hand.took() == ["normal"])
        #expect(hand.asked == ["long-press 300,250"])
    }

    @Test("A long press that is lost ends, too")
    func lostLongPress() {
        for end in [
            {
                hand.send(.cancelled, 300, 250); return
            }, { hand.escape() }, { hand.gestures.isLocked = true },
            { hand.arbiter.cancelAll(now: hand.now) }, { hand.gestures.disabled = [.longPress] },
            { hand.gestures.cancel() },
        ] as [() -> Void] {
            hand.press(300)
            hand.wait(600)
            #expect(hand.took() == ["fast"])
            end()
            #expect(hand.took() == ["normal"])
            hand.release(300)
            hand.gestures.isLocked = false
            hand.gestures.disabled = []
            #expect(hand.took().isEmpty)
        }
        #expect(hand.works())
    }

    // MARK: - Level drags

    @Test("Vertical drag in the left half: picture brightness; in the right half: volume; upwards is more")
    func halves() {
        hand.press(499, 300)
        hand.move(499, 292)
        hand.move(499, 252)
        hand.release(499, 252)
        #expect(hand.took() == ["brightness began", "brightness 0.1", "brightness ended"])
        hand.press(500, 100)
        hand.move(500, 308)
        hand.release(500, 348)
        #expect(hand.took() == ["volume began", "volume -0.5", "volume -0.6", "volume ended"])
        #expect(hand.asked == ["brightness-drag 499,300", "volume-drag 500,100"])
    }

    @Test("A level starts where it was: the travel that tells a drag from a press does not count")
    func noJump() {
        hand.press(800, 300)
        hand.move(800, 293)
        #expect(hand.took().isEmpty)
        hand.move(800, 292)
        #expect(hand.took() == ["volume began"])
        hand.move(800, 293)
        #expect(hand.took() == ["volume -0.003"])
        hand.move(800, 292)
        #expect(hand.took() == ["volume 0.0"])
        hand.release(800, 292)
    }

    @Test("A drag over the span, 0.8 of the height unless set, is the whole range, and it is not limited there")
    func span() {
        hand.gestures.frame.size.height = 1000
        hand.press(800, 900)
        hand.move(800, 92)
        #expect(hand.took() == ["volume began", "volume 1.0"])
        hand.move(800, -308)
        hand.release(800, -308)
        #expect(hand.took() == ["volume 1.5", "volume ended"])
        hand.gestures.dragSpan = 0.5
        hand.press(800, 900)
        hand.move(800, 392)
        hand.release(800, 392)
        #expect(hand.took() == ["volume began", "volume 1.0", "volume ended"])
    }

    @Test("Which one a drag becomes is decided once, at its begin, by its main direction and place")
    func decidedOnce() {
        hand.press(450, 300)
        hand.move(455, 288)
        hand.move(900, 288)
        hand.move(900, 248)
        hand.release(900, 248)
        #expect(hand.took() == ["brightness began", "brightness 0.01", "brightness 0.11", "brightness ended"])
        #expect(hand.asked == ["brightness-drag 450,300"])
        hand.press(450, 300)
        hand.move(458, 292)
        hand.move(458, 100)
        hand.release(458, 100)
        #expect(hand.took().isEmpty, "as much across as upright is across, and the page's")
    }

    @Test("A drag is no click, no long press, and nothing of a double click")
    func onlyDrag() {
        hand.click(500)
        hand.wait(100)
        hand.press(500)
        hand.move(500, 200)
        hand.wait(1000)
        hand.release(500, 200)
        hand.wait(1000)
        #expect(hand.took().filter { !$0.hasPrefix("volume") } == ["click"])
    }

    @Test("A level drag that is lost is cancelled: the level goes back")
    func lostDrag() {
        hand.press(800, 300)
        hand.move(800, 200)
        _ = hand.took()
        hand.escape()
        #expect(hand.took() == ["volume cancelled"])
        hand.move(800, 100)
        hand.release(800, 100)
        #expect(hand.took().isEmpty)
        #expect(hand.works())
    }

    @Test("A window that changes its size under a drag changes no level")
    func resized() {
        hand.press(800, 300)
        hand.move(800, 292)
        _ = hand.took()
        hand.gestures.frame = Rect(x: 0, y: 0, width: 100, height: 10)
        hand.send(.moved, 800, 292)
        #expect(hand.took().isEmpty)
        hand.move(800, 252)
        hand.release(800, 252)
        #expect(hand.took() == ["volume 0.1", "volume ended"])
    }
}
