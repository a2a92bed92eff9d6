import Geometry
import Input
import Layers
import Testing
import Time

@testable import Controls

@Suite("Menus by key, and with bad input") @MainActor struct MenuKeyTests {
    private let scene = MenuScene()
    private var menu: Menu { scene.menu }
    private var harness: ControlHarness { scene.harness }
    private let names = MenuScene.items(["Alpha", "Beta", "Bravo", "Charlie", "Écho"])

    @Test("Up and Down go from item to item, from the ends to the other, and first to the first or the last")
    func upAndDown() {
        scene.open(names)
        var seen: [String?] = []
        for _ in 0..<6 {
            scene.key(.down)
            seen.append(scene.selected)
        }
        #expect(seen == ["Alpha", "Beta", "Bravo", "Charlie", "Écho", "Alpha"])
        scene.key(.up)
        #expect(scene.selected == "Écho")
        scene.open(names)
        scene.key(.up)
        #expect(scene.selected == "Écho")
    }

    @Test("Home and End go to the ends; pages go as far as there is")
    func ends() {
        scene.open(MenuScene.items((0..<100).map(String.init)))
        scene.key(.end)
        #expect(scene.selected == "99")
        scene.key(.home)
        #expect(scene.selected == "0")
        scene.key(.pageDown)
        #expect(scene.selected == String(menu.list.rowsPerPage))
        for _ in 0..<50 { scene.key(.pageDown) }
        #expect(scene.selected == "99")
        for _ in 0..<50 { scene.key(.pageUp) }
        #expect(scene.selected == "0")
    }

    @Test("Enter and Space pick what is selected, and nothing where nothing is", arguments: [Key.enter, .space])
    func picking(key: Key) {
        scene.open(names)
        #expect(scene.key(key))
        #expect(scene.picked.isEmpty && menu.isOpen)
        scene.key(.down)
        scene.key(key)
        #expect(scene.picked == ["Alpha"] && !menu.isOpen)
    }

    @Test("Escape closes it and picks nothing")
    func escape() {
        scene.open(names, selectsFirst: true)
        #expect(scene.key(.escape))
        #expect(!menu.isOpen && scene.picked.isEmpty && scene.closings == 1)
    }

    @Test("A letter goes to the next item that begins with it, in upper or lower case, round and round")
    func letters() {
        scene.open(names)
        var seen: [String?] = []
        for letter in "bBbéx" {
            scene.key(.character(letter))
            seen.append(scene.selected)
        }
        #expect(seen == ["Beta", "Bravo", "Beta", "Écho", "Écho"])
    }

    @Test("While it is open every key is its own, but for those with Control or Alt; closed, none is")
    func modal() {
        #expect(!scene.key(.down))
        scene.open(names)
        #expect(scene.key(.character("f")) && scene.key(.tab) && scene.key(.function(1)))
        #expect(!scene.key(.character("q"), .control) && !scene.key(.left, .alt))
        #expect(menu.canFocus)
    }

    @Test("Opened by a key it is on its first item that can be picked, or on the one that is checked")
    func selectsFirst() {
        scene.open([.title("T")] + names, selectsFirst: true)
        #expect(scene.selected == "Alpha")
        var checked = names
        checked[3] = .item(Menu.Item(id: "c", label: "C", isChecked: true))
        scene.open(checked, selectsFirst: true)
        #expect(scene.selected == "c")
    }

    @Test("A long menu opens where its checked item is in view")
    func checkedInView() {
        let items = (0..<100).map { Menu.Entry.item(Menu.Item(id: "\($0)", label: "\($0)", isChecked: $0 == 70)) }
        scene.open(items)
        #expect(menu.list.visibleRows.contains(70))
        #expect(scene.selected == nil)
    }

    @Test("A pointer at rest does not take the selection back from the keys")
    func restingPointer() {
        scene.open(names)
        scene.hover(1)
        scene.key(.down)
        scene.hover(1)
        #expect(scene.highlighted == ["Bravo"])
    }

    // MARK: - Bad input

    @Test("No items: it opens, picks nothing, and closes")
    func empty() {
        scene.open([])
        for key in [Key.up, .down, .home, .end, .pageUp, .pageDown, .enter, .left, .right, .character("a")] {
            scene.key(key)
        }
        scene.hover(0)
        harness.click(scene.panel.minX + 50, scene.panel.minY + 6)
        #expect(menu.isOpen && scene.picked.isEmpty && scene.selected == nil)
        scene.open([.separator, .title("Only"), .separator])
        scene.key(.down)
        #expect(scene.selected == nil)
        scene.key(.escape)
        #expect(!menu.isOpen)
    }

    @Test("Ten thousand items have layers for those in view only")
    func many() {
        scene.open(MenuScene.items((0..<10_000).map { "Item \($0)" }))
        #expect(scene.rowLayers.count <= 16)
        scene.key(.end)
        for _ in 0..<400 where menu.isAnimating {
            harness.wait(10)
            menu.advance(to: harness.now)
        }
        #expect(scene.rowLayers.count <= 16 && scene.texts.last == "Item 9999")
        scene.key(.enter)
        #expect(scene.picked == ["Item 9999"])
    }

    @Test("Of a text of 10,000 characters only what could be seen is set")
    func longText() {
        let long = String(repeating: "x", count: 10_000)
        scene.open([.title(long), .item(Menu.Item(id: "a", label: long, detail: long))])
        #expect(scene.rowLayers.flatMap(\.sublayers).compactMap(\.text).map(\.count) == [200, 200, 200])
        scene.open(MenuScene.items([""]))
        scene.click(0)
        #expect(scene.picked == [""])
    }

    @Test("Places and rooms that are no numbers leave it as it is", arguments: [Double.nan, .infinity, -.infinity])
    func nonsense(value: Double) {
        let rect = Rect(x: value, y: value, width: value, height: value)
        menu.open(names, at: rect, in: harness.root.frame, now: harness.now)
        menu.open(names, at: scene.anchor, in: rect, now: harness.now)
        #expect(!menu.isOpen)
        scene.open(names)
        let panel = scene.panel
        menu.layout(at: rect, in: rect)
        #expect(scene.panel == panel)
        menu.hover(Point(x: value, y: value), now: harness.now)
        #expect(scene.selected == nil)
    }

    @Test("A window that shrinks while it is open takes the panel along")
    func resized() {
        scene.open(names)
        menu.layout(at: scene.anchor, in: Rect(x: 0, y: 0, width: 200, height: 120))
        #expect(scene.panel.maxX <= 200 && scene.panel.maxY <= 120)
        menu.layout(at: scene.anchor, in: .zero)
        menu.layout(at: scene.anchor, in: harness.root.frame)
        #expect(scene.texts.count == 5)
    }
}
