import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

extension ButtonTests.Ground: GestureTarget {
    var recognizers: [GestureRecognizer] { [tap, pan] }
}

@Suite("Buttons") @MainActor struct ButtonTests {
    private let harness = ControlHarness()
    private let button: Button
    private let counts = Counts()

    private final class Counts {
        var actions = 0
        var changes = 0
    }

    init() {
        button = Button(.back, style: Button.Style(color: .white))
        button.layout(Rect(x: 10, y: 20, width: 40, height: 40))
        harness.root.add(button.layer)
        button.action = { [counts] in counts.actions += 1 }
        button.onChange = { [counts] in counts.changes += 1 }
    }

    /// What is behind the sign while the pointer is over it, what while it is pressed, the sign, and the outline.
    private var parts: (hover: Layer, press: Layer, symbol: Layer, outline: Layer) {
        let layers = button.layer.sublayers
        return (layers[0], layers[1], layers[2], layers[3])
    }

    /// How much is seen of each part, once everything has come to rest.
    private func look() -> [Double] {
        harness.wait(1000)
        button.advance(to: harness.now)
        return [parts.hover, parts.press, parts.symbol, parts.outline].map { $0.seen(at: harness.now) }
    }

    // MARK: - Looks

    @Test(
        "The normal, hovered, pressed, focused and disabled states of a button look different, and it returns to normal"
    )
    func looks() {
        let rest = look()
        #expect(rest == [0, 0, 1, 0])
        harness.hover(30, 40)
        #expect(look() == [1, 0, 1, 0])
        harness.send(.pressed, 30, 40)
        #expect(look() == [0, 1, 1, 0])
        harness.send(.released, 30, 40)
        harness.hover(300, 300)
        button.setFocused(true, now: harness.now)
        #expect(look() == [0, 0, 1, 1])
        button.setFocused(false, now: harness.now)
        button.isEnabled = false
        #expect(look() == [0, 0, 0.35, 0])
        button.isEnabled = true
        #expect(look() == rest)
        #expect(parts.hover.fill == button.style.hoverColor && parts.press.fill == button.style.pressColor)
    }

    @Test("A button fades between two states in 120 ms, and is not animating at rest")
    func fading() {
        #expect(!button.advance(to: harness.now))
        harness.hover(30, 40)
        let start = harness.now
        #expect(parts.hover.seen(at: start) == 0)
        #expect(button.advance(to: start + .milliseconds(60)))
        let half = parts.hover.seen(at: start + .milliseconds(60))
        #expect(half > 0.5 && half < 1)
        #expect(!button.advance(to: start + .milliseconds(120)))
        #expect(parts.hover.seen(at: start + .milliseconds(120)) == 1)
    }

    @Test("A state that changes back midway fades from the current look")
    func turning() {
        harness.hover(30, 40)
        harness.wait(55)
        let before = parts.hover.seen(at: harness.now + .milliseconds(5))
        harness.hover(300, 300)
        #expect(parts.hover.seen(at: harness.now) == before && before < 1)
    }

    @Test("A button reports each change of its look, and nothing else")
    func changes() {
        harness.hover(30, 40)
        harness.hover(31, 40)
        #expect(counts.changes == 1)
        harness.click(30, 40)
        #expect(counts.changes == 3)
        button.icon = .pause
        button.icon = .pause
        #expect(counts.changes == 4)
        #expect(parts.symbol.content == .icon(.pause, .white))
        button.isEnabled = true
        button.setFocused(false, now: harness.now)
        #expect(counts.changes == 4)
    }

    @Test("A button that is on has another icon and color, and a press alone does not switch it on")
    func toggled() {
        let accent = Color(red: 0, green: 0, blue: 1)
        button.style.onColor = accent
        button.onFace = .icon(.forward)
        harness.click(30, 40)
        #expect(!button.isOn && parts.symbol.content == .icon(.back, .white))
        button.isOn = true
        #expect(parts.symbol.content == .icon(.forward, accent))
        #expect(button.icon == .back)
        button.onFace = nil
        #expect(parts.symbol.content == .icon(.back, accent))
        button.isOn = false
        #expect(parts.symbol.content == .icon(.back, .white))
    }

    @Test("A text button centers its text in the button's color on a fully rounded background")
    func text() {
        let speed = Button(.text("1.5×"), style: Button.Style(color: .black))
        speed.layout(Rect(x: 0, y: 0, width: 80, height: 30))
        let symbol = speed.layer.sublayers[2]
        #expect(symbol.frame == Rect(x: 0, y: 0, width: 80, height: 30))
        var style = Button.Style.defaultText
        style.color = .black
        #expect(symbol.content == .text(TextContent("1.5×", style: style, alignment: .center)))
        #expect(speed.layer.sublayers[0].frame == Rect(x: 0, y: 0, width: 80, height: 30))
        #expect(speed.layer.sublayers[0].cornerRadius == 15)
        #expect(speed.icon == nil)
        speed.icon = nil
        #expect(speed.face == .text("1.5×"))
        speed.icon = .speed
        #expect(symbol.frame == Rect(x: 32.5, y: 7.5, width: 15, height: 15))
    }

    // MARK: - Pointer

    @Test("A pressed button looks pressed only while the pointer is on it, and acts only if released there")
    func draggedOff() {
        harness.send(.pressed, 30, 40)
        harness.send(.moved, 200, 40)
        #expect(look()[1] == 0)
        harness.send(.moved, 31, 40)
        #expect(look()[1] == 1)
        harness.send(.moved, 200, 40)
        harness.send(.released, 200, 40)
        #expect(counts.actions == 0)
        harness.click(30, 40)
        #expect(counts.actions == 1)
    }

    /// What a button lies on: a page that is clicked and dragged.
    fileprivate final class Ground {
        let tap = TapRecognizer(name: "ground's tap")
        let pan = PanRecognizer(axes: .horizontal, name: "ground's pan")
    }

    @Test("A click on a button does not reach the view beneath, and a drag from it is not the button's")
    func onOtherElements() {
        let ground = Ground()
        harness.root.owner = ground
        var taps = 0
        ground.tap.onChange = { if $0.state == .recognized { taps += 1 } }
        harness.send(.pressed, 30, 40)
        #expect(look()[1] == 1)
        harness.send(.released, 30, 40)
        #expect(counts.actions == 1 && taps == 0)
        harness.send(.pressed, 30, 40)
        harness.send(.moved, 45, 40)
        #expect(ground.pan.isActive && !button.isPressed)
        #expect(look()[1] == 0)
        harness.send(.released, 30, 40)
        #expect(counts.actions == 1)
        button.isEnabled = false
        harness.click(30, 40)
        #expect(taps == 0 && counts.actions == 1)
        harness.click(300, 300)
        #expect(taps == 1)
    }

    @Test("A disabled button ignores presses, keys and focus, and drops a press in progress")
    func disabled() {
        harness.send(.pressed, 30, 40)
        button.isEnabled = false
        harness.send(.released, 30, 40)
        harness.click(30, 40)
        harness.hover(30, 40)
        #expect(!button.handle(harness.key(.enter)))
        button.activate(now: harness.now)
        #expect(counts.actions == 0 && !button.canFocus)
        #expect(look() == [0, 0, 0.35, 0])
    }

    @Test("An action may disable or remove its button")
    func actionChangesButton() {
        button.action = { [button, counts] in
            counts.actions += 1
            button.isEnabled = false
            button.layer.removeFromSuperlayer()
        }
        harness.click(30, 40)
        harness.click(30, 40)
        #expect(counts.actions == 1)
    }

    // MARK: - Keys

    @Test(
        "Enter and Space press a focused button once, however long they are held, and it looks pressed briefly",
        arguments: [Key.enter, .space])
    func keys(key: Key) {
        #expect(button.handle(harness.key(key)))
        #expect(counts.actions == 1)
        #expect(parts.press.seen(at: harness.now) == 1)
        #expect(button.handle(harness.key(key, isRepeat: true)))
        #expect(counts.actions == 1)
        #expect(look() == [0, 0, 1, 0])
        #expect(!button.handle(harness.key(key, .control)))
        #expect(!button.handle(harness.key(.left)) && !button.handle(harness.key(.character("a"))))
        #expect(counts.actions == 1)
    }

    @Test("A button that is hidden, or in a hidden layer, cannot be focused")
    func hidden() {
        #expect(button.canFocus)
        harness.root.isHidden = true
        #expect(!button.canFocus)
        harness.root.isHidden = false
        button.layer.opacity = 0
        #expect(!button.canFocus)
        button.layer.opacity = 1
        #expect(button.canFocus)
    }

    @Test("Non-finite and empty rectangles do not trap", arguments: [Double.nan, .infinity, 0, -5])
    func nonsense(value: Double) {
        button.layout(Rect(x: value, y: value, width: value, height: value))
        button.style.iconFraction = value
        button.style.cornerRadius = value
        button.layout(Rect(x: 0, y: 0, width: 30, height: value))
        harness.click(30, 40)
        var list = DisplayList(viewport: PixelSize(width: 800, height: 600))
        harness.root.flatten(scale: 1, into: &list)
    }
}
