import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@Suite("Page with a progress bar") @MainActor struct ProgressBarPageTests {
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
        "A drag on the bar or in its margin neither pops the page nor pulls in the trailing one",
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

    @Test("Neither a drag on a slider nor a sideways scroll over it pops the page")
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

    @Test("A drag beside the bar, or on a disabled one, pops the page")
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

    @Test("The bar is hit where it is drawn in a page that is dragged aside")
    func moved() {
        page.layer.translation = Point(x: 100, y: 0)
        user.press(600, 450)
        #expect(bar.shownValue == 0.5)
        user.release()
    }

    @Test("While a page moves a press catches the page and not its bar")
    func moving() {
        harness.stack.pop(now: harness.now)
        user.frame(after: 50)
        user.press(900, 450)
        #expect(!bar.isDragged && harness.stack.isHeld)
        user.rest()
        harness.settle()
    }
}
