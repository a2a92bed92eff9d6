import Controls
import Geometry
import Layers
import Navigation
import Testing
import Time

@Suite("A page with a progress bar under the hand") @MainActor struct ProgressBarPageTests {
    private let table = Table()
    private let page: RecordingPage
    private let bar = ProgressBar()
    private let slider = Slider()
    private let hand: Hand
    private let details = RecordingPage("details")

    init() throws {
        page = try table.pushed()
        page.layer.add(bar.layer)
        page.layer.add(slider.layer)
        page.trailingPage = { [details] in details }
        bar.layout(Rect(x: 0, y: 440, width: 1000, height: 20))
        slider.layout(Rect(x: 400, y: 390, width: 200, height: 20))
        hand = Hand(table)
    }

    @Test(
        "A drag on the bar, or in its margin, neither pops the page nor pulls the bound one",
        arguments: [PopPanRecognizer.Mode.full, .edge], [434.5, 450, 467.5])
    func onBar(mode: PopPanRecognizer.Mode, y: Double) {
        page.popPolicy.mode = mode
        for (from, to) in [(500.0, 900.0), (500, 100), (10, 800), (990, 100)] {
            hand.press(from, y)
            hand.move(from + (to > from ? 20 : -20), y)
            hand.move(to, y)
            #expect(!table.stack.isTransitioning && !table.stack.isHeld)
            #expect(bar.isDragged && bar.shownValue == to / 1000)
            hand.release()
            table.settle()
            #expect(table.stack.top === page && page.diary.isEmpty)
        }
    }

    @Test("Nor does a drag on a slider; a scroll across it pops nothing either")
    func onSlider() {
        for to in [900.0, 100] {
            hand.press(500, 400)
            hand.move(to, 400)
            #expect(!table.stack.isTransitioning && slider.isDragged)
            hand.release()
        }
        hand.scroll(-5, 0, at: Point(x: 500, y: 400))
        hand.frame(after: 500)
        table.settle()
        #expect(table.stack.top === page && page.diary.isEmpty)
    }

    @Test("Beside the bar, and on one that takes nothing, a drag pops as ever")
    func elsewhere() {
        hand.press(500, 300)
        hand.move(by: 20)
        hand.move(by: 100)
        #expect(table.stack.isHeld && !bar.isDragged)
        hand.rest()
        table.settle()
        bar.isEnabled = false
        hand.press(500, 450)
        hand.move(by: 20)
        hand.move(by: 100)
        #expect(table.stack.isHeld && !bar.isDragged)
        hand.rest()
        table.settle()
    }

    @Test("The bar is drawn along in a page that lies aside: where it is seen, not where it was laid out")
    func moved() {
        page.layer.translation = Point(x: 100, y: 0)
        hand.press(600, 450)
        #expect(bar.shownValue == 0.5)
        hand.release()
    }

    @Test("While a page moves, a press takes hold of the page and not of its bar")
    func moving() {
        table.stack.pop(now: table.now)
        hand.frame(after: 50)
        hand.press(900, 450)
        #expect(!bar.isDragged && table.stack.isHeld)
        hand.rest()
        table.settle()
    }
}
