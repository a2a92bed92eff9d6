import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("List view") @MainActor struct ListViewTests {
    @Test("Only the visible ones of 10,000 rows have layers")
    func tenThousand() {
        let numbers = NumberList(10_000)
        #expect(numbers.shown == Array(0..<10))
        #expect(numbers.made.count == 10)
        numbers.list.jump(to: 1025)
        #expect(numbers.shown == Array(20...30))
        #expect(numbers.made.count == 11)
        numbers.list.jump(to: 1e9)
        #expect(numbers.list.scroll.offset == 10_000 * 50 - 500)
        #expect(numbers.shown == Array(9990..<10_000))
    }

    @Test("Scrolling reuses rows for other indices and leaves visible rows alone")
    func reuse() throws {
        let numbers = NumberList(10_000)
        let third = try #require(numbers.row(3))
        numbers.configured = []
        numbers.list.jump(to: 100)
        #expect(numbers.configured == [10, 11])
        #expect(numbers.row(3) === third && third.number == 3)
        for step in 1...2000 {
            numbers.list.jump(to: Double(step) * 37)
            #expect(numbers.made.filter { $0.layer.superlayer != nil }.allSatisfy { $0.number == $0.index })
        }
        #expect(numbers.made.count <= 12)
    }

    @Test("Rows lie below each other without gaps, in the list's own layer")
    func places() throws {
        let numbers = NumberList(100)
        numbers.list.jump(to: 75)
        let row = try #require(numbers.row(2))
        #expect(row.layer.presentationFrame(at: .zero) == Rect(x: 0, y: 25, width: 1000, height: 50))
        #expect(row.sizes == [Size(width: 1000, height: 50)])
        numbers.list.layout(Rect(x: 0, y: 0, width: 800, height: 300))
        #expect(row.sizes.last == Size(width: 800, height: 50))
        #expect(numbers.shown == Array(1...7))
    }

    @Test("Content starts below the upper inset and scrolls beneath both insets")
    func insets() {
        let numbers = NumberList(100)
        numbers.list.insets = (top: 60, bottom: 90)
        #expect(numbers.list.scroll.viewportLength == 350)
        #expect(numbers.row(0)?.layer.presentationFrame(at: .zero).minY == 60)
        #expect(numbers.shown == Array(0..<9))
        numbers.list.jump(to: 100)
        #expect(numbers.shown == Array(0...10))
        #expect(numbers.list.row(at: Point(x: 10, y: 59)) == nil)
        #expect(numbers.list.row(at: Point(x: 10, y: 61)) == 2)
        #expect(numbers.list.row(at: Point(x: 10, y: 409)) == 8)
        #expect(numbers.list.row(at: Point(x: 10, y: 410)) == nil)
        numbers.list.jump(to: 1e9)
        #expect(numbers.row(99)?.layer.presentationFrame(at: .zero).maxY == 410)
    }

    @Test("Reloading keeps the scroll position and the selection and configures the rows again")
    func reload() {
        let numbers = NumberList(100)
        numbers.list.jump(to: 1000)
        numbers.list.setSelection(22)
        numbers.configured = []
        numbers.list.reload()
        #expect(numbers.list.scroll.offset == 1000 && numbers.list.selection == 22)
        #expect(numbers.configured.sorted() == Array(20..<30))
        #expect(numbers.row(22)?.states.last == .selected)
        #expect(numbers.made.count == 10)
        numbers.rowCount = 15
        numbers.list.reload()
        #expect(numbers.list.scroll.offset == 250 && numbers.list.selection == 14)
        numbers.rowCount = 0
        numbers.list.reload()
        #expect(numbers.shown.isEmpty && numbers.list.selection == nil && numbers.list.scroll.offset == 0)
    }

    @Test("Updating a row configures it again if it is visible")
    func update() {
        let numbers = NumberList(100)
        numbers.configured = []
        numbers.list.update(3)
        numbers.list.update(50)
        numbers.list.update(-1)
        #expect(numbers.configured == [3])
        #expect(numbers.advance())
        #expect(!numbers.advance())
    }

    @Test("Hovered, pressed and selected rows look so exactly while they are")
    func states() throws {
        let numbers = NumberList(100)
        let row = try #require(numbers.row(4))
        numbers.list.hover(Point(x: 10, y: 210), now: numbers.now)
        #expect(row.states.last == .hovered)
        numbers.list.press(4)
        numbers.list.setSelection(4)
        #expect(row.states.last == [.hovered, .pressed, .selected])
        numbers.list.press(nil)
        numbers.list.hover(nil, now: numbers.now)
        #expect(row.states.last == .selected)
        numbers.list.setSelection(5)
        #expect(row.states.last == [])
        #expect(numbers.row(5)?.states.last == .selected)
    }

    @Test("A reused row takes the state of its new index")
    func stateOfReused() {
        let numbers = NumberList(100)
        numbers.list.setSelection(0)
        numbers.list.jump(to: 2000)
        #expect(numbers.made.allSatisfy { $0.index == nil || $0.states.last == [] })
        numbers.list.jump(to: 0)
        #expect(numbers.row(0)?.states.last == .selected)
    }

    // MARK: - Time

    @Test("The wheel scrolls smoothly and asks for frames until the list rests")
    func wheel() {
        let numbers = NumberList(100)
        numbers.list.wheel(-1, now: numbers.now)
        #expect(numbers.list.isAnimating)
        numbers.advance()
        #expect(numbers.advance())
        numbers.settle()
        #expect(numbers.list.scroll.offset == 80)
        #expect(!numbers.list.isAnimating)
        #expect(!numbers.advance())
    }

    @Test("The scroll indicator shows while scrolling and hides at rest, and then nothing needs frames")
    func indicator() throws {
        let numbers = NumberList(100)
        let indicator = try #require(numbers.list.layer.sublayers.last)
        #expect(indicator.opacity == 0 && numbers.list.nextWake == nil)
        numbers.list.wheel(-1, now: numbers.now)
        numbers.advance()
        #expect(indicator.opacity == 1)
        numbers.settle()
        let wake = try #require(numbers.list.nextWake)
        #expect(wake > numbers.now)
        #expect(numbers.list.advance(to: wake))
        #expect(indicator.opacity == 0 && numbers.list.nextWake == nil)
    }

    @Test("A list held still by a drag needs no frames, however long")
    func heldStill() {
        let numbers = NumberList(100)
        numbers.list.beginDrag(now: numbers.now)
        numbers.list.drag(translation: -100, now: numbers.now)
        numbers.advance(5000)
        #expect(numbers.list.nextWake == nil && !numbers.list.isAnimating)
        numbers.list.endDrag(velocity: 0, now: numbers.now)
        #expect(numbers.list.nextWake.map { $0 > numbers.now } == true)
    }

    @Test("The scroll indicator shows the visible fraction and position, and is hidden if everything is visible")
    func indicatorPlace() throws {
        let numbers = NumberList(20)
        let indicator = try #require(numbers.list.layer.sublayers.last)
        numbers.list.jump(to: 0)
        #expect(indicator.frame == Rect(x: 993, y: 4, width: 4, height: 250))
        numbers.list.jump(to: 500)
        #expect(indicator.frame.maxY == 496)
        numbers.rowCount = 10
        numbers.list.reload()
        #expect(indicator.isHidden)
        numbers.rowCount = 1_000_000
        numbers.list.reload()
        #expect(!indicator.isHidden && indicator.frame.size.height == 32)
    }

    @Test("With scrolling off, neither drag, wheel, keys nor momentum scroll the list")
    func disabled() {
        let numbers = NumberList(100)
        numbers.list.beginDrag(now: numbers.now)
        numbers.list.drag(translation: -200, now: numbers.now)
        numbers.list.endDrag(velocity: -1000, now: numbers.now)
        numbers.advance()
        let offset = numbers.list.scroll.offset
        numbers.list.isScrollEnabled = false
        numbers.list.wheel(-3, now: numbers.now)
        numbers.list.beginDrag(now: numbers.now)
        numbers.list.drag(translation: 100, now: numbers.now)
        numbers.list.moveSelection(by: 50, now: numbers.now)
        numbers.advance(500)
        #expect(numbers.list.scroll.offset == offset && !numbers.list.isAnimating)
        numbers.list.isScrollEnabled = true
        numbers.advance(500)
        #expect(numbers.list.scroll.offset == offset)
    }

    // MARK: - Keys

    @Test("The first arrow key selects a visible row, further ones move within the rows")
    func keys() {
        let numbers = NumberList(100)
        numbers.list.moveSelection(by: 1, now: numbers.now)
        #expect(numbers.list.selection == 0)
        numbers.list.moveSelection(by: numbers.list.rowsPerPage, now: numbers.now)
        #expect(numbers.list.selection == 10)
        numbers.list.moveSelection(by: -30, now: numbers.now)
        #expect(numbers.list.selection == 0)
        for (distance, end) in [(Int.max, 99), (-.max, 0), (.max, 99), (.min, 0)] {
            numbers.list.moveSelection(by: distance, now: numbers.now)
            #expect(numbers.list.selection == end)
        }
        numbers.list.setSelection(nil)
        numbers.list.moveSelection(by: -1, now: numbers.now)
        #expect(numbers.list.selection == 9)
    }

    @Test("The selection is scrolled into view, and no further than needed")
    func reveal() {
        let numbers = NumberList(100)
        numbers.list.select(5, now: numbers.now)
        numbers.settle()
        #expect(numbers.list.scroll.offset == 0)
        numbers.list.select(12, now: numbers.now)
        numbers.settle()
        #expect(numbers.list.scroll.offset == 150)
        numbers.list.select(1, now: numbers.now)
        numbers.settle()
        #expect(numbers.list.scroll.offset == 50)
        numbers.list.jump(toShow: 50)
        #expect(numbers.list.scroll.offset == 2275)
        numbers.list.jump(toShow: 51)
        #expect(numbers.list.scroll.offset == 2275)
    }

    // MARK: - Bad input

    @Test("Without rows or without a source nothing can be selected, pressed or scrolled")
    func empty() {
        let numbers = NumberList(0)
        numbers.list.moveSelection(by: 1, now: numbers.now)
        numbers.list.select(3, now: numbers.now)
        numbers.list.wheel(-5, now: numbers.now)
        #expect(numbers.list.selection == nil && !numbers.list.isAnimating)
        #expect(numbers.list.row(at: Point(x: 10, y: 10)) == nil)
        let list = ListView(rowHeight: 50)
        list.layout(Rect(x: 0, y: 0, width: 100, height: 100))
        list.reload()
        list.moveSelection(by: 1, now: numbers.now)
        #expect(list.visibleRows.isEmpty && list.selection == nil)
    }

    @Test("Selecting a row that does not exist selects none", arguments: [-1, 100, .max, .min])
    func noRow(index: Int) {
        let numbers = NumberList(100)
        numbers.list.setSelection(3)
        numbers.list.select(index, now: numbers.now)
        #expect(numbers.list.selection == nil && !numbers.list.isAnimating)
    }

    @Test(
        "Non-finite heights, sizes and positions do not trap",
        arguments: [Double.nan, .infinity, -.infinity, 0, -1])
    func nonsense(value: Double) {
        let numbers = NumberList(100, rowHeight: value)
        #expect(numbers.list.heights.usual == 1)
        numbers.list.layout(Rect(x: value, y: value, width: value, height: value))
        numbers.list.insets = (top: value, bottom: value)
        numbers.list.wheel(value, now: numbers.now)
        numbers.list.jump(to: value)
        _ = numbers.list.row(at: Point(x: value, y: value))
        numbers.list.hover(Point(x: value, y: value), now: numbers.now)
        numbers.advance()
        #expect(numbers.list.scroll.offset.isFinite)
    }
}
