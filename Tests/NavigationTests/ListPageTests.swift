import Controls
import Geometry
import Layers
import Navigation
import Testing
import Time

@Suite("A page with a list under the hand") @MainActor struct ListPageTests {
    private let table = Table()
    private let page: RecordingPage
    private let rows: Rows
    private let hand: Hand
    private var list: ListView { rows.list }

    init() throws {
        page = try table.pushed()
        rows = Rows(on: page)
        hand = Hand(table)
    }

    private func frame(_ milliseconds: Int = 10) {
        hand.frame(after: milliseconds)
        _ = list.advance(to: table.now)
    }

    @Test("A vertical drag scrolls the list, and moves no page")
    func vertical() {
        hand.press(500, 400)
        hand.move(by: 2, -20)
        hand.move(by: 100, -80)
        #expect(list.scroll.offset == 100)
        #expect(!table.stack.isTransitioning)
        hand.rest()
    }

    @Test("A horizontal drag pops; from begin to the end of the settle the list does not scroll, then it does again")
    func horizontal() {
        list.jump(to: 120)
        hand.press(500, 400)
        hand.move(by: 20)
        hand.move(by: 200, -150)
        #expect(table.stack.progress == 0.22)
        #expect(list.scroll.offset == 120)
        list.wheel(-2, now: table.now)
        hand.rest()
        list.wheel(-2, now: table.now)
        frame()
        frame()
        #expect(table.stack.isTransitioning && list.scroll.offset == 120)
        table.settle()
        #expect(list.scroll.offset == 120)
        hand.scroll(0, -1)
        frame(500)
        frame(500)
        #expect(list.scroll.offset == 200)
    }

    @Test("The bar and the bottom view move with their page, and never scroll")
    func chrome() throws {
        let bottom = Layer()
        page.bar = NavigationBar(title: "Films", background: Color(red: 0, green: 0, blue: 0, alpha: 0.5), height: 40)
        page.bottomView = BottomView(height: 60, layer: bottom)
        table.stack.layout(Size(width: 1000, height: 500))
        let bar = try #require(page.captured.sublayers.last)
        #expect(bar.sublayers.first?.content == .color(Color(red: 0, green: 0, blue: 0, alpha: 0.5)))
        list.jump(to: 300)
        #expect(bar.presentationFrame(at: .zero) == Rect(x: 0, y: 0, width: 1000, height: 40))
        #expect(bottom.presentationFrame(at: .zero) == Rect(x: 0, y: 440, width: 1000, height: 60))
        hand.press(500, 250)
        hand.move(by: 20)
        hand.move(by: 180)
        #expect(bar.presentationFrame(at: .zero).minX == 200)
        #expect(bottom.presentationFrame(at: .zero).minX == 200)
        #expect(list.layer.presentationFrame(at: .zero).minX == 200)
    }

    @Test("A list that was thrown stands while its page moves, and stays where it stood")
    func thrown() {
        hand.press(500, 400)
        for _ in 0..<6 { hand.move(by: 0, -30) }
        hand.release()
        frame()
        frame()
        #expect(list.scroll.isDecelerating)
        hand.press(500, 400)
        hand.move(by: 20)
        let offset = list.scroll.offset
        frame(200)
        #expect(table.stack.isHeld && list.scroll.offset == offset)
        #expect(!list.isAnimating)
        hand.release()
        table.settle()
        frame(200)
        #expect(list.scroll.offset == offset)
    }

    @Test("A list drawn past its end stands there while its page moves, and springs back afterwards")
    func pastEnd() {
        page.popPolicy.mode = .edge
        list.beginDrag(now: table.now)
        list.drag(translation: 100, now: table.now)
        let offset = list.scroll.offset
        #expect(offset < 0)
        hand.press(20, 400)
        hand.move(by: 20)
        frame(100)
        #expect(list.scroll.offset == offset)
        hand.release()
        table.settle()
        #expect(list.isAnimating)
        frame(10)
        frame(2000)
        #expect(list.scroll.offset == 0)
    }

    @Test("A click on a row activates it though the pop pan lies over the list")
    func click() {
        hand.click(500, 130)
        #expect(rows.activated == [2])
        hand.press(500, 130)
        hand.move(by: 3, 3)
        hand.release()
        #expect(rows.activated == [2, 2])
    }

    @Test("A drag that pops, or scrolls, activates nothing")
    func noClick() {
        hand.press(500, 130)
        hand.move(by: 20)
        hand.move(by: -20)
        hand.rest()
        table.settle()
        hand.press(500, 130)
        hand.move(by: 0, 20)
        hand.move(by: 0, -20)
        hand.release()
        #expect(rows.activated.isEmpty)
    }
}
