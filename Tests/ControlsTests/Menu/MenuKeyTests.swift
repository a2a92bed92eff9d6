import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Menu keys and invalid input") @MainActor struct MenuKeyTests {
    private let scene = MenuScene()
    private var menu: Menu { scene.menu }
    private var harness: ControlHarness { scene.harness }
    private let names = MenuScene.items(["Alpha", "Beta", "Bravo", "Charlie", "Écho"])

    @Test("Up and Down move between items, wrap at the ends, and start with the first or the last")
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

    @Test("Home and End select the first and last item, and page keys move by a page at most")
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

    @Test("Enter and Space pick the selected item, and nothing without a selection", arguments: [Key.enter, .space])
    func picking(key: Key) {
        scene.open(names)
        #expect(scene.key(key))
        #expect(scene.picked.isEmpty && menu.isOpen)
        scene.key(.down)
        scene.key(key)
        #expect(scene.picked == ["Alpha"] && !menu.isOpen)
    }

    @Test("Escape closes a menu without picking")
    func escape() {
        scene.open(names, selectsFirst: true)
        #expect(scene.key(.escape))
        #expect(!menu.isOpen && scene.picked.isEmpty && scene.closings == 1)
    }

    @Test("A letter selects the next item that starts with it, in either case, wrapping around")
    func letters() {
        scene.open(names)
        var seen: [String?] = []
        for letter in "bBbéx" {
            scene.key(.character(letter))
            seen.append(scene.selected)
        }
        #expect(seen == ["Beta", "Bravo", "Beta", "Écho", "Écho"])
    }

    @Test("An open menu takes all keys except those with Control or Alt, and a closed one takes none")
    func modal() {
        #expect(!scene.key(.down))
        scene.open(names)
        #expect(scene.key(.character("f")) && scene.key(.tab) && scene.key(.function(1)))
        #expect(!scene.key(.character("q"), .control) && !scene.key(.left, .alt))
        #expect(menu.canFocus)
    }

    @Test("Opened by a key, a menu selects the checked item, or else the first enabled one")
    func selectsFirst() {
        scene.open([.title("T")] + names, selectsFirst: true)
        #expect(scene.selected == "Alpha")
        var checked = names
        checked[3] = .item(Menu.Item(id: "c", label: "C", isChecked: true))
        scene.open(checked, selectsFirst: true)
        #expect(scene.selected == "c")
    }

    @Test("A long menu opens with its checked item in view")
    func checkedInView() {
        let items = (0..<100).map { Menu.Entry.item(Menu.Item(id: "\($0)", label: "\($0)", isChecked: $0 == 70)) }
        scene.open(items)
        #expect(menu.list.visibleRows.contains(70))
        #expect(scene.selected == nil)
    }

    @Test("A resting pointer does not take the selection back from the keys")
    func restingPointer() {
        scene.open(names)
        scene.hover(1)
        scene.key(.down)
        scene.hover(1)
        #expect(scene.highlighted == ["Bravo"])
    }

    // MARK: - Bad input

    @Test("A menu without items opens, picks nothing and closes")
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

    @Test("A menu of ten thousand items has layers for the visible ones only")
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

    @Test("Only the visible part of a text of 10,000 characters is rasterized")
    func longText() {
        let long = String(repeating: "x", count: 10_000)
        scene.open([.title(long), .item(Menu.Item(id: "a", label: long, detail: long))])
        #expect(scene.rowLayers.flatMap(\.sublayers).compactMap(\.text).map(\.count) == [200, 200, 200])
        scene.open(MenuScene.items([""]))
        scene.click(0)
        #expect(scene.picked == [""])
    }

    @Test("Non-finite anchors and bounds leave the menu as it is", arguments: [Double.nan, .infinity, -.infinity])
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

    @Test("A window that shrinks while a menu is open moves the menu along")
    func resized() {
        scene.open(names)
        menu.layout(at: scene.anchor, in: Rect(x: 0, y: 0, width: 200, height: 120))
        #expect(scene.panel.maxX <= 200 && scene.panel.maxY <= 120)
        menu.layout(at: scene.anchor, in: .zero)
        menu.layout(at: scene.anchor, in: harness.root.frame)
        #expect(scene.texts.count == 5)
    }
}
