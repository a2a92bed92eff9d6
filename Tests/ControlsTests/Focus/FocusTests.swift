import GlissadeAnimation
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Keyboard focus") @MainActor struct FocusTests {
    private let harness = ControlHarness()
    private let buttons: [Button]
    private let chain: FocusChain

    init() {
        buttons = [Icon.back, .play, .next].map { Button($0, style: Button.Style(color: .white)) }
        for button in buttons { harness.root.add(button.layer) }
        chain = FocusChain(buttons)
    }

    private func press(_ key: Key, _ modifiers: Modifiers = []) -> Bool { chain.handle(harness.key(key, modifiers)) }

    /// The number of the one that has the keyboard, which must be the only one that looks so.
    private var place: Int? {
        let place = buttons.firstIndex { $0 === chain.focused }
        #expect(buttons.indices.filter { buttons[$0].isFocused } == (place.map { [$0] } ?? []))
        return place
    }

    @Test("Tab moves the focus from the first control on, and from the last to the first")
    func forward() {
        #expect(place == nil)
        var places: [Int?] = []
        for _ in 0..<4 {
            #expect(press(.tab))
            places.append(place)
        }
        #expect(places == [0, 1, 2, 0])
    }

    @Test("Shift+Tab moves the focus from the last control back, and from the first to the last")
    func back() {
        var places: [Int?] = []
        for _ in 0..<4 {
            #expect(press(.tab, .shift))
            places.append(place)
        }
        #expect(places == [2, 1, 0, 2])
    }

    @Test("Disabled and hidden controls are skipped, and without a focusable control Tab is not handled")
    func skipping() {
        buttons[1].isEnabled = false
        _ = press(.tab)
        _ = press(.tab)
        #expect(place == 2)
        buttons[0].layer.isHidden = true
        _ = press(.tab)
        #expect(place == 2)
        buttons[2].isEnabled = false
        #expect(!press(.tab))
        #expect(place == nil)
        #expect(!FocusChain().handle(harness.key(.tab)))
    }

    @Test("The focused control gets keys first, and what it does not handle is passed on")
    func keys() {
        var pressed: [Int] = []
        for (index, button) in buttons.enumerated() { button.action = { pressed.append(index) } }
        #expect(!press(.enter))
        _ = press(.tab)
        _ = press(.tab)
        #expect(press(.enter))
        #expect(press(.space))
        #expect(pressed == [1, 1])
        #expect(!press(.character("f")))
        #expect(!press(.tab, .control))
    }

    @Test("A control that is disabled while focused gets no more keys")
    func disabledMeanwhile() {
        var count = 0
        buttons[0].action = { count += 1 }
        _ = press(.tab)
        buttons[0].isEnabled = false
        #expect(!press(.enter))
        #expect(count == 0 && place == nil)
        _ = press(.tab)
        #expect(place == 1)
    }

    @Test("Escape removes the focus once, unless the focused control handles it")
    func escape() {
        _ = press(.tab)
        #expect(press(.escape))
        #expect(place == nil)
        #expect(!press(.escape))
        chain.leavesOnEscape = false
        _ = press(.tab)
        #expect(!press(.escape))
        #expect(place == 1)
    }

    @Test("A click hides the focus outline, and the next Tab continues from the same control")
    func pointer() {
        var changes = 0
        _ = press(.tab)
        chain.onChange = { changes += 1 }
        chain.pointerWasPressed(now: harness.now)
        chain.pointerWasPressed(now: harness.now)
        #expect(place == nil && changes == 1)
        _ = press(.tab)
        #expect(place == 1 && changes == 2)
    }

    @Test("When the controls change, focus stays with its control if it is among them, else it is lost")
    func otherControls() {
        _ = press(.tab)
        chain.setControls([buttons[2], buttons[0], buttons[1]], now: harness.now)
        #expect(place == 0)
        _ = press(.tab)
        #expect(place == 1)
        chain.setControls([buttons[0]], now: harness.now)
        #expect(place == nil)
        chain.setControls([], now: harness.now)
        #expect(!press(.tab))
    }

    @Test("A focused control that is removed loses the focus and is skipped")
    func gone() {
        var button: Button? = Button(.close, style: Button.Style(color: .white))
        chain.setControls([buttons[0], button!, buttons[1]], now: harness.now)
        chain.focus(button, now: harness.now)
        #expect(chain.focused === button && chain.focused != nil)
        button = nil
        #expect(chain.focused == nil && chain.controls.count == 2)
        #expect(!press(.enter))
        _ = press(.tab)
        #expect(place == 1)
    }

    @Test("Focus can be set to a focusable control of the chain and to no other")
    func focusing() {
        chain.focus(buttons[2], now: harness.now)
        #expect(place == 2)
        buttons[1].isEnabled = false
        chain.focus(buttons[1], now: harness.now)
        #expect(place == nil)
        chain.focus(Button(.close, style: Button.Style(color: .white)), now: harness.now)
        #expect(place == nil)
    }

    @Test("The focus outline is two points wide, two points away, and follows the corners")
    func outline() {
        let outline = FocusOutline()
        outline.layout(around: Rect(x: 10, y: 20, width: 100, height: 40), cornerRadius: 6)
        #expect(outline.layer.frame == Rect(x: 6, y: 16, width: 108, height: 48))
        let parts = outline.layer.sublayers
        #expect(parts[0].frame == Rect(x: 10, y: 0, width: 88, height: 2))
        #expect(parts[1].frame == Rect(x: 10, y: 46, width: 88, height: 2))
        #expect(parts[2].frame == Rect(x: 0, y: 10, width: 2, height: 28))
        #expect(parts[3].frame == Rect(x: 106, y: 10, width: 2, height: 28))
        #expect(parts[4].frame == Rect(x: 0, y: 0, width: 10, height: 10))
        #expect(parts[7].frame == Rect(x: 98, y: 38, width: 10, height: 10))
        #expect(parts[7].sublayers[0].frame == Rect(x: -10, y: -10, width: 20, height: 20))
        #expect(outline.layer.seen(at: harness.now) == 0)
        outline.layout(around: Rect(x: 0, y: 0, width: 36, height: 36), cornerRadius: 18)
        #expect(parts[0].frame.size.width == 0 && parts[2].frame.size.height == 0)
    }

    @Test("An outline around an invalid rectangle does not trap", arguments: [Double.nan, .infinity, -100, 1e300])
    func nonsense(value: Double) {
        let outline = FocusOutline(width: value, gap: value)
        outline.layout(around: Rect(x: value, y: value, width: value, height: value), cornerRadius: value)
        outline.layout(around: Rect(x: 0, y: 0, width: 10, height: 10), cornerRadius: value)
        outline.show(true, now: harness.now)
        harness.root.add(outline.layer)
        var list = DisplayList(viewport: PixelSize(width: 800, height: 600))
        harness.root.flatten(scale: 1, at: LocalTime(harness.now + .seconds(1)), into: &list)
    }
}
