import Geometry
import Input
import Layers
import Testing
import Time

@testable import Controls

@Suite("The progress bar under a hand") @MainActor struct ProgressBarHandTests {
    private let bench = BarBench()
    private var bar: ProgressBar { bench.bar }
    private var desk: Desk { bench.desk }

    // MARK: - Where it is hit

    @Test("The hit area is the bar plus 16 points on every side")
    func hitArea() {
        // The bar is 4 points high at rest: 100…1100 × 248…252.
        for (x, y) in [(84.0, 250.0), (1115.9, 250), (500, 232), (500, 267.9), (84, 232)] {
            desk.click(x, y)
            #expect(bench.took().count == 2 && desk.beneath.took() == ["pan cancelled"])
        }
        for (x, y) in [(83.9, 250.0), (1116, 250), (500, 231.9), (500, 268)] {
            desk.click(x, y)
            #expect(bench.took().isEmpty && desk.beneath.took().contains("tap"))
        }
    }

    @Test("The margin can be set, and growing under the pointer does not change what is hit")
    func margin() {
        bar.hitMargin = 30
        bar.style.grownBarHeight = 40
        bar.hover(Point(x: 500, y: 250), now: bench.now)
        bench.frame(after: 500)
        _ = bench.took()
        desk.click(500, 217)
        desk.click(500, 282)
        #expect(bench.took().isEmpty)
        desk.click(500, 218)
        #expect(bench.took() == ["began 0.4", "ended 0.4"])
    }

    @Test("The margin counts also outside of what the bar is in, clipped or not", arguments: [true, false])
    func outsideParent(isClipped: Bool) {
        let panel = Layer(frame: Rect(x: 100, y: 245, width: 1000, height: 10))
        panel.clipsToBounds = isClipped
        desk.root.add(panel)
        panel.add(bar.layer)
        bar.layout(Rect(x: 0, y: 0, width: 1000, height: 10))
        desk.click(600, 233)
        desk.click(90, 266)
        #expect(bench.took() == ["began 0.5", "ended 0.5", "began 0", "ended 0"])
    }

    // MARK: - The drag

    @Test("The thumb follows the user in the frame of the event")
    func follows() {
        desk.press(300)
        #expect(bar.isDragged && bar.shownValue == 0.2 && bench.thumbX == 200)
        #expect(bar.advance(to: bench.now))
        desk.move(301)
        #expect(bar.shownValue == 0.201 && bench.thumbX == 201 && bench.played.frame.size.width == 201)
        desk.move(850)
        #expect(bench.thumbX == 750)
        desk.release()
        #expect(bench.took() == ["began 0.2", "drag 0.201", "drag 0.75", "ended 0.75"])
        #expect(bar.value == 0.75 && !bar.isDragged)
    }

    @Test("Every change of the value is told, once, with the event's time; a move across the bar is none")
    func everyChange() {
        desk.press(300)
        for x in [310.0, 310, 320, 310] { desk.move(x) }
        desk.move(310, 400)
        desk.release()
        #expect(bench.took() == ["began 0.2", "drag 0.21", "drag 0.22", "drag 0.21", "ended 0.21"])
    }

    @Test("A click on the track jumps there: a drag that begins and ends at the same place")
    func click() {
        desk.click(700)
        #expect(bench.took() == ["began 0.6", "ended 0.6"])
        #expect(bar.value == 0.6 && bench.thumbX == 600)
        #expect(desk.beneath.took() == ["pan cancelled"])
    }

    @Test("Where it is let go of elsewhere than it was last moved to, that is told before the end")
    func releasedElsewhere() {
        desk.press(300)
        desk.place = Point(x: 500, y: 250)
        desk.release()
        #expect(bench.took() == ["began 0.2", "drag 0.4", "ended 0.4"])
    }

    @Test("While it is dragged the drag colours show")
    func colors() {
        bar.style.dragged.played = .black
        bar.style.dragged.track = Color(red: 1, green: 0, blue: 0)
        bar.style.dragged.thumb = Color(red: 0, green: 1, blue: 0)
        bench.frame()
        desk.press(300)
        #expect(bench.played.content == .color(.black))
        #expect(bench.track.content == .color(Color(red: 1, green: 0, blue: 0)))
        #expect(bench.thumb.content == .color(Color(red: 0, green: 1, blue: 0)))
        desk.release()
        #expect(bench.played.content == .color(.white))
    }

    @Test("While it is dragged position reports do not move it; released, it is where the user left it")
    func reports() {
        desk.press(300)
        desk.move(500)
        bar.setValue(0.9, now: bench.now)
        #expect(bar.shownValue == 0.4 && bench.thumbX == 400)
        bench.run(to: 1, seconds: 0.25)
        for _ in 0..<10 {
            bench.frame(after: 50)
            #expect(bar.shownValue == 0.4 && bench.thumbX == 400)
        }
        #expect(bench.ends == [true])
        bench.run(to: 0, seconds: 10)
        desk.release()
        #expect(bar.value == 0.4 && bar.shownValue == 0.4 && bench.ends == [true, false])
        bench.frame(after: 5000)
        #expect(bar.shownValue == 0.4 && bench.thumbX == 400)
        bar.setValue(0.5, now: bench.now)
        #expect(bar.shownValue == 0.5)
    }

    @Test("A drag removes the animation first, where that is")
    func removesAnimation() {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 3000)
        bar.onDragBegan = { [bench] _, _ in bench.told.append("began after \(bench.ends)") }
        desk.press(900)
        #expect(bench.took() == ["began after [false]"])
        #expect(bar.value == 0.3 && bar.shownValue == 0.8)
        desk.release()
    }

    @Test("Past the ends it holds, and comes back with the user")
    func ends() {
        desk.press(1000)
        desk.move(5000)
        desk.move(6000)
        #expect(bar.shownValue == 1 && bench.thumbX == 1000)
        desk.move(-700)
        desk.move(200)
        desk.release()
        #expect(bench.took() == ["began 0.9", "drag 1", "drag 0", "drag 0.1", "ended 0.1"])
    }

    @Test("Nothing coasts: let go of at full speed it stands")
    func noCoasting() {
        desk.press(300)
        for x in stride(from: 350.0, through: 1050, by: 100) { desk.move(x) }
        desk.release()
        let place = bench.thumbX
        for _ in 0..<10 {
            bench.frame()
            #expect(bench.thumbX == place)
        }
        #expect(bench.took().last == "ended 0.95")
    }

    // MARK: - Whose the gesture is

    @Test("It is a blind area, and its pan wins over every other at the press")
    func wins() {
        #expect(bar.excludesPagePan)
        desk.press(300)
        #expect(desk.beneath.took() == ["pan cancelled"])
        desk.move(500)
        desk.release()
        #expect(desk.beneath.took().isEmpty)
    }

    @Test("Second pointers and other buttons during a drag are ignored")
    func secondPointers() {
        desk.press(300)
        desk.send(.pressed, button: .secondary)
        desk.place = Point(x: 900, y: 250)
        desk.send(.pressed, button: .primary, pointer: 1)
        desk.send(.moved, pointer: 1)
        desk.send(.released, button: .primary, pointer: 1)
        desk.place = Point(x: 400, y: 250)
        desk.send(.released, button: .secondary)
        desk.move(400)
        #expect(bar.isDragged && bar.shownValue == 0.3)
        desk.release()
        #expect(bench.took() == ["began 0.2", "drag 0.3", "ended 0.3"])
    }

    @Test("Another button than the first begins no drag", arguments: [PointerEvent.Button.secondary, .middle])
    func otherButtons(button: PointerEvent.Button) {
        desk.place = Point(x: 300, y: 250)
        desk.send(.pressed, button: button)
        desk.move(400)
        desk.send(.released, button: button)
        #expect(bench.took().isEmpty && bar.shownValue == 0)
    }

    enum Loss: CaseIterable { case pointer, window, escape, disabled, undraggable }

    @Test("A drag that is lost goes back to where playing was when it began", arguments: Loss.allCases)
    func cancel(loss: Loss) {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 3000)
        desk.press(900)
        desk.move(950)
        lose(loss)
        #expect(bench.took() == ["began 0.8", "drag 0.85", "cancelled"])
        #expect(!bar.isDragged && bar.shownValue == 0.3 && bench.thumbX == 300)
        desk.move(1000)
        desk.release()
        #expect(bench.took().isEmpty && bar.shownValue == 0.3)
    }

    @Test("A drag that is lost goes back to where playing is by then, on its way")
    func cancelWithReports() {
        desk.press(900)
        bar.setValue(0.4, now: bench.now)
        bench.run(to: 0.5, seconds: 1)
        bench.frame(after: 500)
        #expect(bar.shownValue == 0.8)
        lose(.pointer)
        #expect(abs(bar.shownValue - 0.45) < 1e-12)
        bench.frame(after: 500)
        #expect(bar.shownValue == 0.5 && bench.ends == [true])
    }

    private func lose(_ loss: Loss) {
        switch loss {
        case .pointer: desk.send(.cancelled)
        case .window: desk.arbiter.cancelAll(now: bench.now)
        case .escape: desk.arbiter.handle(.key(KeyEvent(key: .escape, time: bench.now))) { _ in [] }
        case .disabled: bar.isEnabled = false
        case .undraggable: bar.isDraggable = false
        }
    }

    @Test("Reset in the middle of a drag ends it: nothing continues into the next file")
    func reset() {
        desk.press(900)
        bar.reset(now: bench.now)
        #expect(bench.took() == ["began 0.8", "cancelled"] && bar.shownValue == 0)
        desk.move(1000)
        desk.release()
        #expect(bench.took().isEmpty && bar.shownValue == 0)
    }

    @Test("What it tells of a drag may do anything to the bar")
    func reentrant() {
        bar.onDragBegan = { [bench] _, now in bench.bar.reset(now: now) }
        desk.press(900)
        #expect(!bar.isDragged && bar.shownValue == 0)
        desk.release()
        bar.onDragBegan = nil
        bar.onDrag = { [bench] _, _ in bench.bar.isEnabled = false }
        desk.press(900)
        desk.move(950)
        #expect(!bar.isDragged)
        desk.release()
        bar.isEnabled = true
        bar.onDragEnded = { [bench] _, now in bench.bar.setValue(0.125, now: now) }
        desk.click(500)
        #expect(bar.shownValue == 0.125)
    }

    @Test("A bar that goes away in the middle of a drag leaves the gesture")
    func gone() {
        var bench: BarBench? = BarBench()
        let desk = bench!.desk
        desk.press(300)
        bench?.bar.layer.removeFromSuperlayer()
        weak let bar = bench?.bar
        bench = nil
        #expect(bar == nil)
        desk.move(400)
        desk.release()
        #expect(desk.beneath.took() == ["pan cancelled"])
        desk.click(300)
        #expect(desk.beneath.took().contains("tap"))
    }

    // MARK: - What takes nothing

    @Test("Disabled, or not to be dragged, it takes nothing, and what lies beneath does", arguments: [true, false])
    func takesNothing(isDisabled: Bool) {
        if isDisabled { bar.isEnabled = false } else { bar.isDraggable = false }
        #expect(!bar.excludesPagePan && !bar.canFocus)
        desk.press(300)
        desk.move(400)
        desk.release()
        bar.hover(Point(x: 300, y: 250), now: bench.now)
        #expect(!bench.key(.right) && bench.took().isEmpty && bar.shownValue == 0)
        #expect(desk.beneath.took() == ["pan began", "pan changed", "pan ended"])
        bar.setValue(0.5, now: bench.now)
        #expect(bar.shownValue == 0.5)
        bar.isEnabled = true
        bar.isDraggable = true
        desk.click(300)
        #expect(bench.took() == ["began 0.2", "ended 0.2"])
    }

    // MARK: - The pointer over it

    @Test("The pointer over the hit area is told, with its value; also that it has left, once")
    func hover() {
        bar.hover(Point(x: 350, y: 240), now: bench.now)
        bar.hover(Point(x: 90, y: 240), now: bench.now)
        bar.hover(Point(x: 1110, y: 260), now: bench.now)
        bar.hover(nil, now: bench.now)
        bar.hover(nil, now: bench.now)
        #expect(bench.took() == ["hover 0.25", "hover 0", "hover 1", "hover"])
    }

    @Test("Disabled under the pointer, it says that the pointer has left")
    func disabledUnderPointer() {
        bar.hover(Point(x: 350, y: 240), now: bench.now)
        bar.isEnabled = false
        #expect(bench.took() == ["hover 0.25", "hover"])
    }

    // MARK: - Keys

    @Test("Arrows ask for a step back or on, Home and End for the ends; the owner decides")
    func keys() {
        bar.setValue(0.5, now: bench.now)
        for key in [Key.left, .right, .home, .end] { #expect(bench.key(key)) }
        #expect(bench.took() == ["step 0.49", "step 0.51", "step 0", "step 1"])
        #expect(bar.shownValue == 0.5)
        bar.step = 0.1
        #expect(bench.key(.right))
        bar.setValue(0.95, now: bench.now)
        #expect(bench.key(.right))
        #expect(bench.took() == ["step 0.6", "step 1"])
    }

    @Test("Other keys, and keys with another held, are not the bar's; nor any where nobody listens")
    func otherKeys() {
        for key in [Key.up, .down, .space, .enter, .escape, .tab, .pageUp, .character("l")] {
            #expect(!bench.key(key))
        }
        for modifiers in [Modifiers.shift, .control, .alt, .command] { #expect(!bench.key(.left, modifiers)) }
        bar.onStep = nil
        #expect(!bench.key(.left))
        #expect(bench.took().isEmpty)
    }

    @Test("While a hand has the bar keys move nothing")
    func keysWhileDragged() {
        desk.press(300)
        #expect(bench.key(.right))
        #expect(bench.took() == ["began 0.2"])
        desk.release()
    }

    @Test("A step that is no length asks for nothing that is no value", arguments: [Double.nan, .infinity, -.infinity])
    func steps(step: Double) {
        bar.step = step
        bar.onStep = { value, _ in #expect((0...1).contains(value)) }
        bench.key(.left)
        bench.key(.right)
    }

    @Test("The keyboard can be on it while it is enabled and to be seen")
    func focus() {
        #expect(bar.canFocus && bar.focusLayer === bar.layer)
        desk.root.isHidden = true
        #expect(!bar.canFocus)
        desk.root.isHidden = false
        bar.layer.opacity = 0
        #expect(!bar.canFocus)
    }
}
