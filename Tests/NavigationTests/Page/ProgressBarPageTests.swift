import Controls
import Geometry
import Layers
import Navigation
import Testing
import Time

@Suite("A page with a progress bar under the hand") @MainActor struct ProgressBarPageTests {
    private let harness = NavigationHarness()
    private let page: RecordingPage
    private let bar = ProgressBar()
    private let slider = Slider()
    private let user: SimulatedUser
    private let details = RecordingPage("details")

    init() throws {
        page = try harness.pushed()
        page.layer.add(bar.layer)
        page.layer.add(slider.layer)
        page.trailingPage = { [details] in details }
        bar.layout(Rect(x: 0, y: 440, width: 1000, height: 20))
        slider.layout(Rect(x: 400, y: 390, width: 200, height: 20))
        user = SimulatedUser(harness)
    }

    @Test(
        "A drag on the bar, or in its margin, neither pops the page nor pulls the bound one",
        arguments: [PopPanRecognizer.Mode.full, .edge], [434.5, 450, 467.5])
    func onBar(mode: PopPanRecognizer.Mode, y: Double) {
        page.popPolicy.mode = mode
        for (from, to) in [(500.0, 900.0), (500, 100), (10, 800), (990, 100)] {
            user.press(from, y)
            user.move(from + (to > from ? 20 : -20), y)
            user.move(to, y)
            #expect(!harness.stack.isTransitioning && !harness.stack.isHeld)
            #expect(bar.isDragged && bar.shownValue == to / 1000)
            user.release()
            harness.settle()
            #expect(harness.stack.top === page && page.log.isEmpty)
        }
    }

    @Test("Nor does a drag on a slider; a scroll across it pops nothing either")
    func onSlider() {
        for to in [900.0, 100] {
            user.press(500, 400)
            user.move(to, 400)
            #expect(!harness.stack.isTransitioning && slider.isDragged)
            user.release()
        }
        user.scroll(-5, 0, at: Point(x: 500, y: 400))
        user.frame(after: 500)
        harness.settle()
        #expect(harness.stack.top === page && page.log.isEmpty)
    }

    @Test("Beside the bar, and on one that takes nothing, a drag pops as ever")
    func elsewhere() {
        user.press(500, 300)
        user.move(by: 20)
        user.move(by: 100)
        #expect(harness.stack.isHeld && !bar.isDragged)
        user.rest()
        harness.settle()
        bar.isEnabled = false
        user.press(500, 450)
        user.move(by: 20)
        user.move(by: 100)
        #expect(harness.stack.isHeld && !bar.isDragged)
        user.rest()
        harness.settle()
    }

    @Test("The bar is drawn along in a page that lies aside: where it is seen, not where it was laid out")
    func moved() {
        page.layer.translation = Point(x: 100, y: 0)
        user.press(600, 450)
        #expect(bar.shownValue == 0.5)
        user.release()
    }

    @Test("While a page moves, a press takes hold of the page and not of its bar")
    func moving() {
        harness.stack.pop(now: harness.now)
        user.frame(after: 50)
        user.press(900, 450)
        #expect(!bar.isDragged && harness.stack.isHeld)
        user.rest()
        harness.settle()
    }
}
