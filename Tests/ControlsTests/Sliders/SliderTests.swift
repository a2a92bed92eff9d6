import GlissadeAnimation
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Slider") @MainActor struct SliderTests {
    private let harness = SliderHarness()
    private let slider = Slider(range: 0...1.3, value: 1)
    private final class Told { var values: [Double] = [] }
    private let told = Told()

    init() {
        harness.root.add(slider.layer)
        slider.layout(Rect(x: 100, y: 240, width: 130, height: 20))
        slider.marks = [1]
        slider.advance(to: harness.now)
        slider.onChange = { [told] value, _ in told.values.append((value * 1000).rounded() / 1000) }
    }

    private func took() -> [Double] {
        defer { told.values = [] }
        return told.values
    }

    @discardableResult private func key(_ key: Key, _ modifiers: Modifiers = []) -> Bool {
        slider.handle(KeyEvent(key: key, modifiers: modifiers, time: harness.now))
    }

    private var body: [Layer] { slider.layer.sublayers[0].sublayers }
    private var played: Double { body[2].frame.size.width }

    @Test("A slider shows its value within its range, with a mark if it has one")
    func shown() {
        #expect(played == 100)
        #expect(body[3].sublayers.map(\.frame) == [Rect(x: 99, y: 0, width: 2, height: 4)])
        slider.setValue(0.65, now: harness.now)
        #expect(played == 65 && took().isEmpty)
    }

    @Test("A press jumps to its position, a drag follows in the same frame, and each change is reported once")
    func drag() {
        harness.press(150)
        #expect(played == 50 && slider.isDragged)
        #expect(slider.advance(to: harness.now))
        harness.move(180)
        harness.move(180)
        #expect(played == 80)
        harness.move(1000)
        harness.move(2000)
        harness.move(-50)
        harness.release()
        #expect(took() == [0.5, 0.8, 1.3, 0] && !slider.isDragged)
        harness.click(200)
        #expect(took() == [1] && slider.value == 1)
    }

    @Test("A slider's drag wins over every other recognizer, and over dragging the page")
    func wins() {
        #expect(slider.excludesPagePan)
        harness.press(150, 233)
        harness.move(190)
        harness.release()
        #expect(harness.beneath.took() == ["pan cancelled"])
    }

    @Test("The hit area of a slider is its bar plus 16 points on every side")
    func margin() {
        harness.click(84, 233)
        #expect(took() == [0])
        harness.click(83, 250)
        harness.click(150, 231)
        #expect(took().isEmpty)
    }

    @Test("Setting the value during a drag does not move the slider")
    func setWhileDragged() {
        harness.press(150)
        slider.setValue(1.2, now: harness.now)
        #expect(slider.value == 0.5 && played == 50)
        harness.release()
        #expect(slider.value == 0.5)
        slider.setValue(1.2, now: harness.now)
        #expect(slider.value == 1.2)
    }

    @Test("A cancelled drag restores the former value and reports it")
    func cancel() {
        harness.press(150)
        harness.move(120)
        harness.send(.cancelled)
        #expect(took() == [0.5, 0.2, 1] && slider.value == 1 && played == 100)
        harness.press(150)
        slider.isEnabled = false
        #expect(took() == [0.5, 1] && slider.value == 1)
    }

    @Test("The wheel over a slider changes it by one step per notch and is not passed on, even at the ends")
    func wheel() {
        #expect(harness.scroll(0, 1, at: 150))
        #expect(harness.scroll(0, -2, at: 150))
        #expect(harness.scroll(0, -0.5, at: 150))
        #expect(took() == [1.05, 0.95, 0.925])
        harness.wait(500)
        slider.setValue(1.3, now: harness.now)
        #expect(harness.scroll(0, 1, at: 150))
        #expect(took().isEmpty && harness.beneath.took().allSatisfy { $0 != "scroll" })
    }

    @Test("A sideways scroll, or one over a disabled slider, is not handled")
    func otherScrolls() {
        func scroll(_ x: Double, _ y: Double) -> Bool {
            slider.receive(ScrollEvent(deltaX: x, deltaY: y, position: Point(x: 150, y: 250), time: harness.now))
        }
        #expect(!scroll(1, 0) && !scroll(2, 1) && !scroll(0, .nan) && !scroll(0, .infinity) && !scroll(0, 0))
        #expect(scroll(1, 1))
        _ = took()
        slider.isEnabled = false
        #expect(!scroll(0, 1))
        #expect(harness.scroll(0, 1, at: 150))
        #expect(took().isEmpty && harness.beneath.took().contains("scroll"))
    }

    @Test("Arrow keys move by one step, Home and End to the ends, and many steps accumulate no rounding error")
    func keys() {
        for key in [Key.left, .down, .right, .up, .home, .end] { #expect(self.key(key)) }
        #expect(took() == [0.95, 0.9, 0.95, 1, 0, 1.3])
        slider.setValue(0, now: harness.now)
        for _ in 0..<20 { key(.up) }
        #expect(slider.value == 1)
        for _ in 0..<20 { key(.down) }
        #expect(slider.value == 0)
        _ = took()
        key(.left)
        #expect(took().isEmpty && !key(.space) && !key(.left, .control))
        slider.isEnabled = false
        #expect(!key(.right) && !slider.canFocus)
    }

    @Test("The step can be set, and a value between two steps stays between steps")
    func step() {
        slider.step = 0.1
        slider.setValue(0.33, now: harness.now)
        key(.right)
        #expect(took() == [0.43])
    }

    @Test("During a drag neither keys nor the wheel move the slider")
    func keysWhileDragged() {
        harness.press(150)
        _ = took()
        #expect(key(.right))
        harness.scroll(0, 1, at: 150)
        #expect(took().isEmpty && slider.value == 0.5)
        harness.release()
    }

    @Test("Hovering reports the value, and leaving is reported, too")
    func hover() {
        var hovered: [Double?] = []
        slider.onHover = { value, _ in hovered.append(value) }
        slider.hover(Point(x: 150, y: 250), now: harness.now)
        slider.hover(nil, now: harness.now)
        #expect(hovered == [0.5, nil])
    }

    @Test("Resting, hovered, focused, dragged and disabled sliders look different, and growing animates and ends")
    func looks() {
        slider.style.dragged.played = .black
        var pictures: [DisplayList] = []
        func take() {
            harness.wait(500)
            slider.advance(to: harness.now)
            #expect(!slider.isAnimating && slider.nextWake == nil && !slider.advance(to: harness.now))
            var list = DisplayList(viewport: PixelSize(width: 1200, height: 500))
            harness.root.flatten(scale: 1, at: LocalTime(harness.now), into: &list)
            #expect(!pictures.contains(list))
            pictures.append(list)
        }
        take()
        slider.hover(Point(x: 200, y: 250), now: harness.now)
        #expect(slider.isAnimating)
        take()
        harness.press(200)
        #expect(slider.nextWake == harness.now)
        take()
        harness.release()
        slider.hover(nil, now: harness.now)
        slider.setFocused(true, now: harness.now)
        take()
        slider.isEnabled = false
        take()
    }

    @Test("A new range clamps the value and moves the mark")
    func ranges() {
        slider.range = 0...0.5
        #expect(slider.value == 0.5 && played == 130 && body[3].sublayers.allSatisfy(\.isHidden))
        slider.range = 0...2
        #expect(slider.value == 0.5 && body[3].sublayers.map(\.frame.minX) == [64])
        slider.range = 3...3
        #expect(slider.value == 3 && played == 0)
        harness.click(200)
        #expect(slider.value == 3 && took().isEmpty)
    }

    @Test("Values beyond the range are clamped, and non-finite ones ignored")
    func badValues() {
        slider.setValue(7, now: harness.now)
        #expect(slider.value == 1.3)
        slider.setValue(-.infinity, now: harness.now)
        #expect(slider.value == 0)
        slider.setValue(.nan, now: harness.now)
        #expect(slider.value == 0)
        slider.range = 0...Double.infinity
        #expect(slider.range == 0...1.3)
        #expect(Slider(range: -(.infinity)...0, value: .nan).value == 0)
        #expect(Slider(value: .nan).value == 0 && Slider(value: 5).value == 1)
        #expect(Slider(range: -1.7e308...1.7e308).range == 0...1)
    }

    @Test("A step of invalid length keeps the value in its range", arguments: [Double.nan, .infinity, 0, -1, 1e300])
    func badSteps(step: Double) {
        slider.step = step
        for key in [Key.left, .right, .home, .end] { self.key(key) }
        harness.scroll(0, 3, at: 150)
        #expect((0...1.3).contains(slider.value))
        key(.home)
        #expect(slider.value == 0)
    }

    @Test("A change handler may set the value")
    func reentrant() {
        slider.onChange = { [slider] value, now in if value > 0.7 { slider.isEnabled = false } }
        harness.press(150)
        harness.move(190)
        #expect(!slider.isDragged && slider.value == 1)
        harness.release()
    }
}
