import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeControls

@Suite("Fuzzing controls") @MainActor struct ControlFuzzTests {
    private let scene = MenuScene()
    private let button = Button(.gear, style: Button.Style(color: .white))
    private let chain = FocusChain()

    private static let keys: [Key] = [
        .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .space, .escape, .tab, .character("1"),
    ]

    @Test(
        "Under random input, closed menus pick nothing, disabled buttons do nothing, and nothing stays pressed or animating",
        arguments: 1...40 as ClosedRange<UInt64>)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (harness, menu) = (scene.harness, scene.menu)
        var mistakes = 0
        harness.root.insert(button.layer, below: menu.layer)
        button.layout(Rect(x: 300, y: 100, width: 40, height: 30))
        button.action = { [button] in if !button.isEnabled { mistakes += 1 } }
        chain.setControls([button], now: harness.now)
        menu.onPick = { item, _ in if !item.isEnabled { mistakes += 1 } }
        for _ in 0..<150 {
            step(&random, &mistakes)
            #expect(menu.isOpen ? !menu.layer.isHidden : true)
        }
        harness.arbiter.cancelAll(now: harness.now)
        menu.close(now: harness.now)
        chain.leave(now: harness.now)
        harness.hover(790, 590)
        harness.wait(5000)
        menu.advance(to: harness.now)
        button.advance(to: harness.now)
        #expect(mistakes == 0)
        #expect(!button.isPressed && !button.isHovered && !button.isFocused && menu.list.pressed == nil)
        #expect(menu.layer.isHidden && !menu.isAnimating && menu.nextWake == nil)
        #expect(!button.advance(to: harness.now + .seconds(1)) && !menu.advance(to: harness.now + .seconds(1)))
        #expect(button.layer.sublayers[0].opacity == 0 && button.layer.sublayers[1].opacity == 0)
    }

    private func step(_ random: inout SeededGenerator, _ mistakes: inout Int) {
        let (harness, menu) = (scene.harness, scene.menu)
        let x = Double.random(in: 180...460, using: &random)
        let y = Double.random(in: 90...330, using: &random)
        let wasOpen = menu.isOpen
        let picks = scene.closings
        switch Int.random(in: 0..<12, using: &random) {
        case 0: menu.open(entries(&random), at: button.layer.frame, in: harness.root.frame, now: harness.now)
        case 1: menu.close(now: harness.now)
        case 2: menu.setEntries(entries(&random), keepsPlace: Bool.random(using: &random), now: harness.now)
        case 3: button.isEnabled.toggle()
        case 4: harness.send(.pressed, x, y, button: Bool.random(using: &random) ? .primary : .secondary)
        case 5: harness.send(.moved, x, y)
        case 6: harness.send(.released, x, y, button: Bool.random(using: &random) ? .primary : .secondary)
        case 7: harness.hover(x, y)
        case 8: harness.scroll(Double.random(in: -3...3, using: &random), x, y)
        case 9: harness.arbiter.cancelAll(now: harness.now)
        case 10:
            let key = harness.key(
                Self.keys.randomElement(using: &random) ?? .tab, isRepeat: Bool.random(using: &random))
            if !menu.handle(key) { _ = chain.handle(key) }
        default:
            harness.wait(Int.random(in: 0...300, using: &random))
            menu.advance(to: harness.now)
            button.advance(to: harness.now)
            harness.arbiter.advance(to: harness.now)
        }
        // Told once for each time that it was open.
        if scene.closings > picks + 1 || (scene.closings > picks && !wasOpen) { mistakes += 1 }
    }

    private func entries(_ random: inout SeededGenerator) -> [Menu.Entry] {
        (0..<Int.random(in: 0...40, using: &random)).map { index in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .separator
            case 1: .title("Title \(index)")
            case 2: .item(Menu.Item(id: "\(index)", label: "\(index)", isEnabled: false))
            case 3: .item(Menu.Item(id: "\(index)", label: "\(index)", icon: .gear, effect: .opensPage))
            default: .item(Menu.Item(id: "\(index)", label: "\(index)", isChecked: index % 3 == 0))
            }
        }
    }
}
