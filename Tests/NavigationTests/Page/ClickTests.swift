import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@Suite("Clicks on a page at rest") @MainActor struct ClickTests {
    private let harness = NavigationHarness()
    private let page: RecordingPage
    private let user: SimulatedUser

    init() throws {
        page = try harness.pushed()
        user = SimulatedUser(harness)
    }

    @Test("Taps and double taps on a page are recognized despite the pop pan")
    func taps() {
        let part = Part(Rect(x: 0, y: 0, width: 1000, height: 500), on: page)
        let (single, double) = (TapRecognizer(count: 1), TapRecognizer(count: 2))
        single.requireFailure(of: double)
        part.recognizers = [double, single]
        var taps: [String] = []
        for tap in [single, double] { tap.onChange = { if $0.state == .recognized { taps.append($0.name) } } }
        user.click(500)
        user.frame(after: 400)
        #expect(taps == ["tap"])
        user.click(500)
        user.frame(after: 50)
        user.click(503)
        user.frame(after: 400)
        #expect(taps == ["tap", "double tap"])
        user.press(500)
        user.move(by: 50)
        #expect(harness.stack.isHeld)
        user.rest()
        #expect(taps.count == 2)
    }

    private func barred() -> Counter {
        let counter = Counter()
        page.bar = NavigationBar(
            title: "Film", leadingItems: [BarButton(.back) { counter.back += 1 }],
            trailingItems: [BarButton(.information) { counter.information += 1 }])
        harness.stack.layout(Size(width: 1000, height: 500))
        return counter
    }

    private final class Counter {
        var back = 0
        var information = 0
    }

    @Test("A bar button is clicked despite the pop pan, and a drag from it pops without clicking")
    func bar() {
        let counter = barred()
        user.click(26, 24)
        user.click(974, 24)
        #expect(counter.back == 1 && counter.information == 1)
        user.press(26, 24)
        user.move(by: 4, 4)
        user.release()
        #expect(counter.back == 2)
        user.press(26, 24)
        user.move(by: 20)
        user.move(by: -18)
        #expect(harness.stack.isHeld)
        user.rest()
        harness.settle()
        #expect(counter.back == 2)
    }

    @Test("A press released outside of its button is no click")
    func left() {
        let counter = barred()
        harness.stack.arePopsDisabled = true
        user.press(26, 24)
        user.move(by: 100)
        user.release()
        #expect(counter.back == 0)
    }

    @Test("A bar that is laid out again during a press keeps its button")
    func relaidOut() {
        let counter = barred()
        user.press(26, 24)
        page.bar?.title = "Another film"
        page.setNeedsLayout()
        harness.stack.layout(Size(width: 1000, height: 500))
        user.release()
        #expect(counter.back == 1)
        page.bar?.leadingItems = []
        page.setNeedsLayout()
        harness.stack.layout(Size(width: 1000, height: 500))
        user.click(26, 24)
        user.click(974, 24)
        #expect(counter.back == 1 && counter.information == 1)
    }

    @Test("A hidden bar has no buttons")
    func hidden() {
        let counter = barred()
        page.bar?.isHidden = true
        page.setNeedsLayout()
        harness.stack.layout(Size(width: 1000, height: 500))
        user.click(26, 24)
        #expect(counter.back == 0)
    }

    @Test("A bottom view that moved to another page stays there")
    func bottomView() {
        let view = BottomView(height: 60, layer: Layer())
        harness.root.bottomView = view
        harness.stack.pop(animated: false, now: harness.now)
        harness.stack.layout(Size(width: 1000, height: 500))
        #expect(view.layer.superlayer === harness.root.container)
        let next = RecordingPage("next")
        next.bottomView = view
        #expect(throws: Never.self) { try harness.push(next) }
        harness.root.bottomView = nil
        harness.stack.pop(animated: false, now: harness.now)
        harness.stack.layout(Size(width: 1000, height: 500))
        #expect(view.layer.superlayer === next.container)
    }
}
