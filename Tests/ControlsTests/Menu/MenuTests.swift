import GlissadeAnimation
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

/// A menu in a room of 800×600 points, and what came of it.
@MainActor final class MenuScene {
    let harness = ControlHarness()
    let menu = Menu()
    /// What lies beneath all of the menu's room.
    let beneath = Beneath()
    var picked: [String] = []
    var closings = 0
    let anchor = Rect(x: 300, y: 100, width: 40, height: 30)

    @MainActor final class Beneath {
        let layer = Layer(frame: Rect(x: 0, y: 0, width: 800, height: 600))
        let pan = PanRecognizer(axes: .horizontal, name: "beneath")
        var events = 0

        init() { layer.owner = self }
    }

    init() {
        harness.root.add(beneath.layer)
        harness.root.add(menu.layer)
        menu.onPick = { [unowned self] item, _ in picked.append(item.id) }
        menu.onClose = { [unowned self] _ in closings += 1 }
    }

    /// Opens it, and waits until it has.
    func open(_ entries: [Menu.Entry], at anchor: Rect? = nil, in bounds: Rect? = nil, selectsFirst: Bool = false) {
        menu.open(
            entries, at: anchor ?? self.anchor, in: bounds ?? harness.root.frame, selectsFirst: selectsFirst,
            now: harness.now
        )
        settle()
    }

    func settle() {
        harness.wait(200)
        menu.advance(to: harness.now)
    }

    static func items(_ labels: [String]) -> [Menu.Entry] {
        labels.map { .item(Menu.Item(id: $0, label: $0)) }
    }

    @discardableResult func key(_ key: Key, _ modifiers: Modifiers = []) -> Bool {
        menu.handle(harness.key(key, modifiers))
    }

    var selected: String? { menu.list.selection.flatMap { menu.row($0)?.pickable?.id } }
    /// The panel, in the window.
    var panel: Rect { menu.panel.frame }
    /// The middle of the row at `index`, if it is in view and nothing is scrolled.
    func middle(_ index: Int) -> Point {
        let style = menu.style
        return Point(x: panel.minX + 50, y: panel.minY + style.padding + (Double(index) + 0.5) * style.rowHeight)
    }
    func click(_ index: Int) { harness.click(middle(index).x, middle(index).y) }
    func hover(_ index: Int) { harness.hover(middle(index).x, middle(index).y) }

    /// What the rows in view say, from the top.
    var texts: [String] {
        rowLayers.compactMap { $0.sublayers.compactMap(\.text).first }
    }
    var rowLayers: [Layer] {
        menu.list.layer.sublayers[0].sublayers.sorted { $0.frame.minY < $1.frame.minY }
    }
    /// The labels of the rows that are highlighted.
    var highlighted: [String] {
        rowLayers.filter { $0.sublayers[0].fill != nil }.compactMap { $0.sublayers.compactMap(\.text).first }
    }
}

extension MenuScene.Beneath: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [pan] }
    func receive(_ event: PointerEvent) { events += 1 }

    func receive(_ event: ScrollEvent) -> Bool {
        events += 1
        return true
    }
}

@Suite("Menus") @MainActor struct MenuTests {
    private let scene = MenuScene()
    private var menu: Menu { scene.menu }
    private var harness: ControlHarness { scene.harness }
    private let speeds = MenuScene.items(["0.5×", "1×", "1.5×", "2×"])

    // MARK: - Opening and closing

    @Test("A menu opens centered below its anchor and grows from it within 150 ms")
    func opening() {
        #expect(menu.layer.isHidden)
        menu.open(speeds, at: scene.anchor, in: harness.root.frame, now: harness.now)
        #expect(menu.isOpen && !menu.layer.isHidden && menu.isAnimating)
        #expect(scene.panel == Rect(x: 190, y: 136, width: 260, height: 148))
        #expect(menu.panel.seen(at: harness.now) == 0)
        #expect(menu.panel.animatedTranslation.presentation(at: LocalTime(harness.now)) == Point(x: 0, y: -6))
        let half = harness.now + .milliseconds(75)
        #expect((0.4..<1).contains(menu.panel.seen(at: half)))
        let end = harness.now + .milliseconds(150)
        #expect(menu.advance(to: end))
        #expect(menu.panel.seen(at: end) == 1 && !menu.isAnimating)
        #expect(menu.panel.animatedTranslation.presentation(at: LocalTime(end)) == .zero)
        #expect(!menu.advance(to: end + .milliseconds(1)))
        #expect(scene.texts == ["0.5×", "1×", "1.5×", "2×"])
    }

    @Test("A menu opens above its anchor if there is no room below")
    func above() {
        scene.open(speeds, at: Rect(x: 700, y: 550, width: 40, height: 30))
        // Held off the right end by the margin.
        #expect(scene.panel == Rect(x: 532, y: 396, width: 260, height: 148))
        #expect(menu.isAbove)
    }

    @Test("Without room on either side a menu takes the larger one and scrolls")
    func tooHigh() {
        scene.open(MenuScene.items((0..<50).map(String.init)), at: Rect(x: 300, y: 200, width: 40, height: 40))
        #expect(scene.panel == Rect(x: 190, y: 246, width: 260, height: 346))
        #expect(!menu.isAbove && menu.list.scroll.limit > 0)
    }

    @Test(
        "A menu stays within its bounds, whatever their size",
        arguments: [
            Rect(x: 0, y: 0, width: 800, height: 600), Rect(x: 100, y: 50, width: 120, height: 90),
            Rect(x: 0, y: 0, width: 30, height: 20), Rect(x: 0, y: 0, width: 0, height: 0),
        ])
    func staysInside(bounds: Rect) {
        for x in [-500.0, 10, 400, 5000] {
            for y in [-500.0, 10, 300, 5000] {
                scene.open(speeds, at: Rect(x: x, y: y, width: 40, height: 30), in: bounds)
                let panel = scene.panel
                #expect(panel.minX >= 0 && panel.minY >= 0)
                #expect(panel.maxX <= bounds.size.width && panel.maxY <= bounds.size.height)
            }
        }
    }

    @Test("A menu keeps clear of what is drawn over its room, and a press there closes it")
    func ceiling() {
        scene.menu.ceiling = 44
        scene.open(MenuScene.items((0..<40).map { "\($0)" }), at: Rect(x: 300, y: 560, width: 40, height: 30))
        #expect(scene.panel.minY >= 44 && scene.panel.maxY <= 560)
        scene.harness.click(100, 20)
        #expect(!scene.menu.isOpen && scene.picked.isEmpty)
    }

    @Test("A closing menu ignores input at once, fades within 150 ms and then costs nothing")
    func closing() {
        scene.open(speeds)
        menu.close(now: harness.now)
        #expect(!menu.isOpen && scene.closings == 1 && !menu.layer.isHidden)
        scene.click(1)
        #expect(scene.picked.isEmpty)
        #expect(!scene.key(.enter))
        harness.wait(150)
        #expect(menu.advance(to: harness.now))
        #expect(menu.layer.isHidden && !menu.isAnimating && menu.nextWake == nil)
        #expect(!menu.advance(to: harness.now))
        menu.close(now: harness.now)
        #expect(scene.closings == 1)
    }

    @Test("A menu that is reopened while it closes fades back from its current look")
    func reopening() {
        scene.open(speeds)
        menu.close(now: harness.now)
        harness.wait(75)
        let before = menu.panel.seen(at: harness.now)
        menu.open(speeds, at: scene.anchor, in: harness.root.frame, now: harness.now)
        #expect(menu.panel.seen(at: harness.now) == before && before > 0 && before < 1)
        scene.settle()
        #expect(menu.isOpen && !menu.layer.isHidden && menu.panel.seen(at: harness.now) == 1)
        scene.click(2)
        #expect(scene.picked == ["1.5×"])
    }

    // MARK: - Pointer

    @Test("A click picks an item and closes the menu")
    func click() {
        scene.open(speeds)
        scene.click(1)
        #expect(scene.picked == ["1×"] && scene.closings == 1 && !menu.isOpen)
        #expect(scene.beneath.events == 0)
    }

    @Test("A press beside a menu closes it, and neither its release nor a drag does anything else")
    func pressOutside() {
        scene.open(speeds)
        harness.send(.pressed, 600, 500)
        #expect(!menu.isOpen && scene.closings == 1)
        harness.send(.moved, 640, 500)
        harness.send(.released, 640, 500)
        #expect(scene.beneath.events == 0 && scene.beneath.pan.state == .possible && scene.picked.isEmpty)
        scene.settle()
        harness.click(600, 500)
        #expect(scene.beneath.events > 0)
    }

    @Test("A press with another button beside a menu closes it, too")
    func secondaryOutside() {
        scene.open(speeds)
        harness.send(.pressed, 600, 500, button: .secondary)
        harness.send(.released, 600, 500, button: .secondary)
        #expect(!menu.isOpen && scene.beneath.events == 0)
    }

    @Test("The wheel scrolls an open menu and nothing beneath it, wherever the pointer is")
    func wheel() {
        scene.open(MenuScene.items((0..<50).map(String.init)))
        #expect(harness.scroll(-1, scene.middle(0).x, scene.middle(0).y))
        for _ in 0..<200 where menu.isAnimating {
            harness.wait(10)
            menu.advance(to: harness.now)
        }
        #expect(menu.list.scroll.offset == 80)
        #expect(harness.scroll(-1, 700, 50))
        #expect(menu.list.scroll.offset == 80 && scene.beneath.events == 0)
    }

    @Test("A drag on a menu scrolls it without picking, and does not drag the page")
    func drag() {
        scene.open(MenuScene.items((0..<50).map(String.init)))
        let start = scene.middle(5)
        harness.send(.pressed, start.x, start.y)
        for step in 1...6 { harness.send(.moved, start.x, start.y - Double(step) * 10) }
        #expect(menu.list.scroll.offset == 60)
        harness.send(.released, start.x, start.y - 60)
        #expect(scene.picked.isEmpty && menu.isOpen)
        #expect(menu.excludesPagePan)
    }

    @Test("An open menu is the only target of input, and a closed one is none")
    func elements() throws {
        #expect(menu.elements(at: scene.anchor.origin, now: harness.now) == nil)
        scene.open(speeds)
        let inside = try #require(menu.elements(at: scene.middle(0), now: harness.now))
        #expect(inside.count == 2 && inside[0] === menu.list && inside[1] === menu)
        let outside = try #require(menu.elements(at: Point(x: 1, y: 1), now: harness.now))
        #expect(outside.count == 1 && outside[0] === menu)
    }

    @Test("The item under the pointer is highlighted, and none without a pointer")
    func hovering() {
        scene.open(speeds)
        scene.hover(1)
        #expect(scene.highlighted == ["1×"])
        scene.hover(2)
        #expect(scene.highlighted == ["1.5×"])
        harness.hover(10, 10)
        #expect(scene.highlighted == [])
    }

    @Test("A pressed item looks different from a hovered one")
    func pressed() {
        scene.open(speeds)
        scene.hover(1)
        #expect(scene.rowLayers[1].sublayers[0].fill == menu.style.highlight)
        harness.send(.pressed, scene.middle(1).x, scene.middle(1).y)
        #expect(scene.rowLayers[1].sublayers[0].fill == menu.style.press)
    }

    // MARK: - What can be picked

    @Test("Titles, separators and disabled items can be neither highlighted nor picked")
    func notPickable() {
        scene.open([
            .title("Speed"), .separator, .item(Menu.Item(id: "a", label: "A", isEnabled: false)),
            .item(Menu.Item(id: "b", label: "B")),
        ])
        for index in 0..<2 {
            scene.hover(index)
            #expect(scene.highlighted == [])
            scene.click(index)
        }
        #expect(scene.picked.isEmpty && menu.isOpen)
        scene.key(.down)
        #expect(scene.selected == "b")
        scene.key(.up)
        #expect(scene.selected == "b")
        #expect(scene.rowLayers[1].sublayers[3].opacity == menu.style.disabledOpacity)
    }

    @Test("Separators at the ends are left out, and several in a row become one")
    func separators() {
        let rows = Menu.Row.rows(
            of: [.separator, .separator] + MenuScene.items(["a"]) + [.separator, .separator]
                + MenuScene.items(["b", "c"]) + [.separator])
        #expect(rows.map(\.hasLineAbove) == [false, true, false])
    }

    @Test("An item shows its check mark or icon, its label, its detail and an arrow to another page")
    func itemLooks() {
        scene.open([
            .item(Menu.Item(id: "a", label: "Speed", detail: "1.5×", icon: .speed, effect: .opensPage)),
            .item(Menu.Item(id: "b", label: "Loop", icon: .repeatOnce, isChecked: true)),
            .item(Menu.Item(id: "c", label: "Back", effect: .goesBack)),
        ])
        func icons(_ index: Int) -> [Icon] {
            scene.rowLayers[index].sublayers.compactMap {
                if case .icon(let icon, _) = $0.content { icon } else { nil }
            }
        }
        #expect(icons(0) == [.speed, .chevronRight] && icons(1) == [.check] && icons(2) == [.back])
        #expect(scene.rowLayers[0].sublayers.compactMap(\.text) == ["Speed", "1.5×"])
        // All labels begin in one line.
        #expect(Set(scene.rowLayers.map { $0.sublayers[3].frame.minX }).count == 1)
    }

    @Test("An item's detail gets the width it needs, and its label at least half")
    func detailRoom() {
        let long = String(repeating: "long ", count: 30)
        scene.open(
            [("a", "S"), ("b", long)].map { .item(Menu.Item(id: $0.0, label: long, detail: $0.1)) })
        let rows = scene.rowLayers.map { (label: $0.sublayers[3].frame, detail: $0.sublayers[4].frame) }
        #expect(rows[0].detail.size.width < 12 && rows[0].label.maxX <= rows[0].detail.minX)
        #expect(rows[1].label.size.width > rows[1].detail.size.width)
        #expect(rows[1].label.maxX <= rows[1].detail.minX)
    }

    @Test("Items that open a page or stay do not close the menu, and a new page replaces the old one")
    func pages() {
        let first: [Menu.Entry] = [.item(Menu.Item(id: "speed", label: "Speed", effect: .opensPage))]
        menu.onPick = { [scene, menu, harness, speeds] item, now in
            scene.picked.append(item.id)
            switch item.id {
            case "speed":
                menu.setEntries(
                    [.item(Menu.Item(id: "back", label: "Back", effect: .goesBack))] + speeds, now: harness.now)
            case "back": menu.setEntries(first, now: now)
            default: break
            }
        }
        scene.open(first)
        scene.click(0)
        #expect(menu.isOpen && scene.closings == 0)
        #expect(scene.texts == ["Back", "0.5×", "1×", "1.5×", "2×"])
        #expect(scene.panel.size.height == 5 * 34 + 12)
        scene.key(.left)
        #expect(scene.texts == ["Speed"] && menu.isOpen)
        scene.key(.down)
        scene.key(.right)
        #expect(scene.texts.count == 5)
        // By key, the keyboard is on the new page's first item.
        #expect(scene.selected == "back")
        scene.key(.end)
        scene.key(.enter)
        #expect(scene.picked == ["speed", "back", "speed", "2×"] && !menu.isOpen && scene.closings == 1)
    }

    @Test("Changing the entries keeps the selection by identity and cancels a press")
    func changedInPlace() {
        scene.open(speeds)
        scene.hover(2)
        harness.send(.pressed, scene.middle(2).x, scene.middle(2).y)
        menu.setEntries(Array(speeds.dropFirst()), keepsPlace: true, now: harness.now)
        #expect(scene.selected == "1.5×" && menu.list.selection == 1)
        harness.send(.released, scene.middle(2).x, scene.middle(2).y)
        #expect(scene.picked.isEmpty)
        menu.setEntries(MenuScene.items(["x"]), keepsPlace: true, now: harness.now)
        #expect(scene.selected == nil && scene.highlighted == [])
    }

    @Test("A handler of a pick may reopen the menu, which then stays open")
    func openedByPick() {
        menu.onPick = { [scene, menu, harness, speeds] _, now in
            menu.open(speeds, at: scene.anchor, in: harness.root.frame, now: now)
        }
        scene.open(speeds)
        scene.click(0)
        scene.settle()
        #expect(menu.isOpen && scene.closings == 0 && menu.panel.seen(at: harness.now) == 1)
    }
}
