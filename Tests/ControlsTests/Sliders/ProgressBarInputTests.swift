import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Progress bar input") @MainActor struct ProgressBarInputTests {
    private let harness = ProgressBarHarness()
    private var bar: ProgressBar { harness.bar }
    private var window: SliderHarness { harness.window }

    // MARK: - Where it is hit

    @Test("The hit area is the bar plus 16 points on every side")
    func hitArea() {
        // The bar is 4 points high at rest: 100…1100 × 248…252.
        for (x, y) in [(84.0, 250.0), (1115.9, 250), (500, 232), (500, 267.9), (84, 232)] {
            window.click(x, y)
            #expect(harness.took().count == 2 && window.beneath.took() == ["pan cancelled"])
        }
        for (x, y) in [(83.9, 250.0), (1116, 250), (500, 231.9), (500, 268)] {
            window.click(x, y)
            #expect(harness.took().isEmpty && window.beneath.took().contains("tap"))
        }
    }

    @Test("The hit margin can be set, and hovering does not change the hit area")
    func margin() {
        bar.hitMargin = 30
        bar.style.grownBarHeight = 40
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        harness.frame(after: 500)
        _ = harness.took()
        window.click(500, 217)
        window.click(500, 282)
        #expect(harness.took().isEmpty)
        window.click(500, 218)
        #expect(harness.took() == ["began 0.4", "ended 0.4"])
    }

    @Test("The hit margin extends beyond the bar's parent, clipped or not", arguments: [true, false])
    func outsideParent(isClipped: Bool) {
        let panel = Layer(frame: Rect(x: 100, y: 245, width: 1000, height: 10))
        panel.clipsToBounds = isClipped
        window.root.add(panel)
        panel.add(bar.layer)
        bar.layout(Rect(x: 0, y: 0, width: 1000, height: 10))
        window.click(600, 233)
        window.click(90, 266)
        #expect(harness.took() == ["began 0.5", "ended 0.5", "began 0", "ended 0"])
    }

    // MARK: - The drag

    @Test("The thumb follows the pointer in the same frame")
    func follows() {
        window.press(300)
        #expect(bar.isDragged && bar.shownValue == 0.2 && harness.thumbX == 200)
        #expect(bar.advance(to: harness.now))
        window.move(301)
        #expect(bar.shownValue == 0.201 && harness.thumbX == 201 && harness.played.frame.size.width == 201)
        window.move(850)
        #expect(harness.thumbX == 750)
        window.release()
        #expect(harness.took() == ["began 0.2", "drag 0.201", "drag 0.75", "ended 0.75"])
        #expect(bar.value == 0.75 && !bar.isDragged)
    }

    @Test("Each change of the value is reported once with the event's time, and a vertical move is none")
    func everyChange() {
        window.press(300)
        for x in [310.0, 310, 320, 310] { window.move(x) }
        window.move(310, 400)
        window.release()
        #expect(harness.took() == ["began 0.2", "drag 0.21", "drag 0.22", "drag 0.21", "ended 0.21"])
    }

    @Test("A click on the track seeks: a drag that starts and ends at one position")
    func click() {
        window.click(700)
        #expect(harness.took() == ["began 0.6", "ended 0.6"])
        #expect(bar.value == 0.6 && harness.thumbX == 600)
        #expect(window.beneath.took() == ["pan cancelled"])
    }

    @Test("A release at another position than the last move reports that position before the end")
    func releasedElsewhere() {
        window.press(300)
        window.place = Point(x: 500, y: 250)
        window.release()
        #expect(harness.took() == ["began 0.2", "drag 0.4", "ended 0.4"])
    }

    @Test("During a drag the bar has its drag colors")
    func colors() {
        bar.style.dragged.played = .black
        bar.style.dragged.track = Color(red: 1, green: 0, blue: 0)
        bar.style.dragged.thumb = Color(red: 0, green: 1, blue: 0)
        harness.frame()
        window.press(300)
        #expect(harness.played.content == .color(.black))
        #expect(harness.track.content == .color(Color(red: 1, green: 0, blue: 0)))
        #expect(harness.thumb.content == .color(Color(red: 0, green: 1, blue: 0)))
        window.release()
        #expect(harness.played.content == .color(.white))
    }

    @Test("Position reports do not move the bar during a drag, and after it the bar stays where it was released")
    func reports() {
        window.press(300)
        window.move(500)
        bar.setValue(0.9, now: harness.now)
        #expect(bar.shownValue == 0.4 && harness.thumbX == 400)
        harness.run(to: 1, seconds: 0.25)
        for _ in 0..<10 {
            harness.frame(after: 50)
            #expect(bar.shownValue == 0.4 && harness.thumbX == 400)
        }
        #expect(harness.ends == [true])
        harness.run(to: 0, seconds: 10)
        window.release()
        #expect(bar.value == 0.4 && bar.shownValue == 0.4 && harness.ends == [true, false])
        harness.frame(after: 5000)
        #expect(bar.shownValue == 0.4 && harness.thumbX == 400)
        bar.setValue(0.5, now: harness.now)
        #expect(bar.shownValue == 0.5)
    }

    @Test("The start of a drag removes a running animation")
    func removesAnimation() {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 3000)
        bar.onDragBegan = { [harness] _, _ in harness.told.append("began after \(harness.ends)") }
        window.press(900)
        #expect(harness.took() == ["began after [false]"])
        #expect(bar.value == 0.3 && bar.shownValue == 0.8)
        window.release()
    }

    @Test("A drag beyond the ends stays at the end and returns with the pointer")
    func ends() {
        window.press(1000)
        window.move(5000)
        window.move(6000)
        #expect(bar.shownValue == 1 && harness.thumbX == 1000)
        window.move(-700)
        window.move(200)
        window.release()
        #expect(harness.took() == ["began 0.9", "drag 1", "drag 0", "drag 0.1", "ended 0.1"])
    }

    @Test("A fast release has no momentum")
    func noCoasting() {
        window.press(300)
        for x in stride(from: 350.0, through: 1050, by: 100) { window.move(x) }
        window.release()
        let place = harness.thumbX
        for _ in 0..<10 {
            harness.frame()
            #expect(harness.thumbX == place)
        }
        #expect(harness.took().last == "ended 0.95")
    }

    // MARK: - Whose the gesture is

    @Test("The bar's drag wins over every other recognizer at the press, and over dragging the page")
    func wins() {
        #expect(bar.excludesPagePan)
        window.press(300)
        #expect(window.beneath.took() == ["pan cancelled"])
        window.move(500)
        window.release()
        #expect(window.beneath.took().isEmpty)
    }

    @Test("Other pointers and buttons during a drag are ignored")
    func secondPointers() {
        window.press(300)
        window.send(.pressed, button: .secondary)
        window.place = Point(x: 900, y: 250)
        window.send(.pressed, button: .primary, pointer: 1)
        window.send(.moved, pointer: 1)
        window.send(.released, button: .primary, pointer: 1)
        window.place = Point(x: 400, y: 250)
        window.send(.released, button: .secondary)
        window.move(400)
        #expect(bar.isDragged && bar.shownValue == 0.3)
        window.release()
        #expect(harness.took() == ["began 0.2", "drag 0.3", "ended 0.3"])
    }

    @Test("Only the primary button starts a drag", arguments: [PointerEvent.Button.secondary, .middle])
    func otherButtons(button: PointerEvent.Button) {
        window.place = Point(x: 300, y: 250)
        window.send(.pressed, button: button)
        window.move(400)
        window.send(.released, button: button)
        #expect(harness.took().isEmpty && bar.shownValue == 0)
    }

    enum Loss: CaseIterable { case pointer, window, escape, disabled, undraggable }

    @Test("A cancelled drag returns to where playback was when it started", arguments: Loss.allCases)
    func cancel(loss: Loss) {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 3000)
        window.press(900)
        window.move(950)
        lose(loss)
        #expect(harness.took() == ["began 0.8", "drag 0.85", "cancelled"])
        #expect(!bar.isDragged && bar.shownValue == 0.3 && harness.thumbX == 300)
        window.move(1000)
        window.release()
        #expect(harness.took().isEmpty && bar.shownValue == 0.3)
    }

    @Test("A cancelled drag of a moving bar returns to where playback is by then")
    func cancelWithReports() {
        window.press(900)
        bar.setValue(0.4, now: harness.now)
        harness.run(to: 0.5, seconds: 1)
        harness.frame(after: 500)
        #expect(bar.shownValue == 0.8)
        lose(.pointer)
        #expect(abs(bar.shownValue - 0.45) < 1e-12)
        harness.frame(after: 500)
        #expect(bar.shownValue == 0.5 && harness.ends == [true])
    }

    private func lose(_ loss: Loss) {
        switch loss {
        case .pointer: window.send(.cancelled)
        case .window: window.arbiter.cancelAll(now: harness.now)
        case .escape: window.arbiter.handle(.key(KeyEvent(key: .escape, time: harness.now))) { _ in [] }
        case .disabled: bar.isEnabled = false
        case .undraggable: bar.isDraggable = false
        }
    }

    @Test("Resetting during a drag ends it, and nothing of it affects the next file")
    func reset() {
        window.press(900)
        bar.reset(now: harness.now)
        #expect(harness.took() == ["began 0.8", "cancelled"] && bar.shownValue == 0)
        window.move(1000)
        window.release()
        #expect(harness.took().isEmpty && bar.shownValue == 0)
    }

    @Test("Drag callbacks may do anything to the bar")
    func reentrant() {
        bar.onDragBegan = { [harness] _, now in harness.bar.reset(now: now) }
        window.press(900)
        #expect(!bar.isDragged && bar.shownValue == 0)
        window.release()
        bar.onDragBegan = nil
        bar.onDrag = { [harness] _, _ in harness.bar.isEnabled = false }
        window.press(900)
        window.move(950)
        #expect(!bar.isDragged)
        window.release()
        bar.isEnabled = true
        bar.onDragEnded = { [harness] _, now in harness.bar.setValue(0.125, now: now) }
        window.click(500)
        #expect(bar.shownValue == 0.125)
    }

    @Test("Removing the bar during a drag ends the gesture")
    func gone() {
        var harness: ProgressBarHarness? = ProgressBarHarness()
        let window = harness!.window
        window.press(300)
        harness?.bar.layer.removeFromSuperlayer()
        weak let bar = harness?.bar
        harness = nil
        #expect(bar == nil)
        window.move(400)
        window.release()
        #expect(window.beneath.took() == ["pan cancelled"])
        window.click(300)
        #expect(window.beneath.took().contains("tap"))
    }

    // MARK: - What takes nothing

    @Test("A disabled bar takes no input, which reaches the view beneath", arguments: [true, false])
    func takesNothing(isDisabled: Bool) {
        if isDisabled { bar.isEnabled = false } else { bar.isDraggable = false }
        #expect(!bar.excludesPagePan && !bar.canFocus)
        window.press(300)
        window.move(400)
        window.release()
        bar.hover(Point(x: 300, y: 250), now: harness.now)
        #expect(!harness.key(.right) && harness.took().isEmpty && bar.shownValue == 0)
        #expect(window.beneath.took() == ["pan began", "pan changed", "pan ended"])
        bar.setValue(0.5, now: harness.now)
        #expect(bar.shownValue == 0.5)
        bar.isEnabled = true
        bar.isDraggable = true
        window.click(300)
        #expect(harness.took() == ["began 0.2", "ended 0.2"])
    }

    // MARK: - The pointer over it

    @Test("Hovering the hit area reports the value, and leaving it reports once")
    func hover() {
        bar.hover(Point(x: 350, y: 240), now: harness.now)
        bar.hover(Point(x: 90, y: 240), now: harness.now)
        bar.hover(Point(x: 1110, y: 260), now: harness.now)
        bar.hover(nil, now: harness.now)
        bar.hover(nil, now: harness.now)
        #expect(harness.took() == ["hover 0.25", "hover 0", "hover 1", "hover"])
    }

    @Test("Disabling a hovered bar reports that the pointer has left")
    func disabledUnderPointer() {
        bar.hover(Point(x: 350, y: 240), now: harness.now)
        bar.isEnabled = false
        #expect(harness.took() == ["hover 0.25", "hover"])
    }

    // MARK: - Keys

    @Test("Arrow keys request a step back or forward, Home and End the ends, and the owner decides")
    func keys() {
        bar.setValue(0.5, now: harness.now)
        for key in [Key.left, .right, .home, .end] { #expect(harness.key(key)) }
        #expect(harness.took() == ["step 0.49", "step 0.51", "step 0", "step 1"])
        #expect(bar.shownValue == 0.5)
        bar.step = 0.1
        #expect(harness.key(.right))
        bar.setValue(0.95, now: harness.now)
        #expect(harness.key(.right))
        #expect(harness.took() == ["step 0.6", "step 1"])
    }

    @Test("Other keys, and keys with modifiers, are not handled, nor any without a listener")
    func otherKeys() {
        for key in [Key.up, .down, .space, .enter, .escape, .tab, .pageUp, .character("l")] {
            #expect(!harness.key(key))
        }
        for modifiers in [Modifiers.shift, .control, .alt, .command] { #expect(!harness.key(.left, modifiers)) }
        bar.onStep = nil
        #expect(!harness.key(.left))
        #expect(harness.took().isEmpty)
    }

    @Test("During a drag keys do nothing")
    func keysWhileDragged() {
        window.press(300)
        #expect(harness.key(.right))
        #expect(harness.took() == ["began 0.2"])
        window.release()
    }

    @Test("A step of invalid length requests no invalid value", arguments: [Double.nan, .infinity, -.infinity])
    func steps(step: Double) {
        bar.step = step
        bar.onStep = { value, _ in #expect((0...1).contains(value)) }
        harness.key(.left)
        harness.key(.right)
    }

    @Test("The bar can be focused while it is enabled and visible")
    func focus() {
        #expect(bar.canFocus && bar.focusLayer === bar.layer)
        window.root.isHidden = true
        #expect(!bar.canFocus)
        window.root.isHidden = false
        bar.layer.opacity = 0
        #expect(!bar.canFocus)
    }
}
