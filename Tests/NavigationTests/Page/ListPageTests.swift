import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@Suite("Page with a list") @MainActor struct ListPageTests {
    private let harness = NavigationHarness()
    private let page: RecordingPage
    private let rows: Rows
    private let user: SimulatedUser
    private var list: ListView { rows.list }

    init() throws {
        page = try harness.pushed()
        rows = Rows(on: page)
        user = SimulatedUser(harness)
    }

    private func frame(_ milliseconds: Int = 10) {
        user.frame(after: milliseconds)
        _ = list.advance(to: harness.now)
    }

    @Test("A vertical drag scrolls the list and moves no page")
    func vertical() {
        user.press(500, 400)
        user.move(by: 2, -20)
        user.move(by: 100, -80)
        #expect(list.scroll.offset == 100)
        #expect(!harness.stack.isTransitioning)
        user.rest()
    }

    @Test("A horizontal drag pops the page, and until it has settled the list does not scroll")
    func horizontal() {
        list.jump(to: 120)
        user.press(500, 400)
        user.move(by: 20)
        user.move(by: 200, -150)
        #expect(harness.stack.progress == 0.22)
        #expect(list.scroll.offset == 120)
        list.wheel(-2, now: harness.now)
        user.rest()
        list.wheel(-2, now: harness.now)
        frame()
        frame()
        #expect(harness.stack.isTransitioning && list.scroll.offset == 120)
        harness.settle()
        #expect(list.scroll.offset == 120)
        user.scroll(0, -1)
        frame(500)
        frame(500)
        #expect(list.scroll.offset == 200)
    }

    @Test("The bar and the bottom view move with their page and never scroll")
    func chrome() throws {
        let bottom = Layer()
        page.bar = NavigationBar(title: "Films", background: Color(red: 0, green: 0, blue: 0, alpha: 0.5), height: 40)
        page.bottomView = BottomView(height: 60, layer: bottom)
        harness.stack.layout(Size(width: 1000, height: 500))
        let bar = try #require(page.captured.sublayers.last)
        #expect(bar.sublayers.first?.content == .color(Color(red: 0, green: 0, blue: 0, alpha: 0.5)))
        list.jump(to: 300)
        #expect(bar.presentationFrame(at: .zero) == Rect(x: 0, y: 0, width: 1000, height: 40))
        #expect(bottom.presentationFrame(at: .zero) == Rect(x: 0, y: 440, width: 1000, height: 60))
        user.press(500, 250)
        user.move(by: 20)
        user.move(by: 180)
        #expect(bar.presentationFrame(at: .zero).minX == 200)
        #expect(bottom.presentationFrame(at: .zero).minX == 200)
        #expect(list.layer.presentationFrame(at: .zero).minX == 200)
    }

    @Test("A flung list stops while its page moves and stays there")
    func thrown() {
        user.press(500, 400)
        for _ in 0..<6 { user.move(by: 0, -30) }
        user.release()
        frame()
        frame()
        #expect(list.scroll.isDecelerating)
        user.press(500, 400)
        user.move(by: 20)
        let offset = list.scroll.offset
        frame(200)
        #expect(harness.stack.isHeld && list.scroll.offset == offset)
        #expect(!list.isAnimating)
        user.release()
        harness.settle()
        frame(200)
        #expect(list.scroll.offset == offset)
    }

    @Test("An overscrolled list stays there while its page moves and then springs back")
    func pastEnd() {
        page.popPolicy.mode = .edge
        list.beginDrag(now: harness.now)
        list.drag(translation: 100, now: harness.now)
        let offset = list.scroll.offset
        #expect(offset < 0)
        user.press(20, 400)
        user.move(by: 20)
        frame(100)
        #expect(list.scroll.offset == offset)
        user.release()
        harness.settle()
        #expect(list.isAnimating)
        frame(10)
        frame(2000)
        #expect(list.scroll.offset == 0)
    }

    @Test("A click activates a row despite the pop pan")
    func click() {
        user.click(500, 130)
        #expect(rows.activated == [2])
        user.press(500, 130)
        user.move(by: 3, 3)
        user.release()
        #expect(rows.activated == [2, 2])
    }

    @Test("A drag that pops or scrolls activates no row")
    func noClick() {
        user.press(500, 130)
        user.move(by: 20)
        user.move(by: -20)
        user.rest()
        harness.settle()
        user.press(500, 130)
        user.move(by: 0, 20)
        user.move(by: 0, -20)
        user.release()
        #expect(rows.activated.isEmpty)
    }
}
