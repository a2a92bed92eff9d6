import Geometry
import Gestures
import Layers
import Navigation
import Testing
import Time

@Suite("Clicks on a page at rest") @MainActor struct ClickTests {
    private let table = Table()
    private let page: RecordingPage
    private let hand: Hand

    init() throws {
        page = try table.pushed()
        hand = Hand(table)
    }

    @Test("Taps and double taps on the page are recognized though the pop pan lies over it")
    func taps() {
        let part = Part(Rect(x: 0, y: 0, width: 1000, height: 500), on: page)
        let (single, double) = (TapRecognizer(count: 1), TapRecognizer(count: 2))
        single.requireFailure(of: double)
        part.recognizers = [double, single]
        var taps: [String] = []
        for tap in [single, double] { tap.onChange = { if $0.state == .recognized { taps.append($0.name) } } }
        hand.click(500)
        hand.frame(after: 400)
        #expect(taps == ["tap"])
        hand.click(500)
        hand.frame(after: 50)
        hand.click(503)
        hand.frame(after: 400)
        #expect(taps == ["tap", "double tap"])
        hand.press(500)
        hand.move(by: 50)
        #expect(table.stack.isHeld)
        hand.rest()
        #expect(taps.count == 2)
    }

    private func barred() -> Counter {
        let counter = Counter()
        page.bar = NavigationBar(
            title: "Film", leadingItems: [BarButton(.back) { counter.back += 1 }],
            trailingItems: [BarButton(.information) { counter.information += 1 }])
        table.stack.layout(Size(width: 1000, height: 500))
        return counter
    }

    private final class Counter {
        var back = 0
        var information = 0
    }

    @Test("A button in the bar gets its click though the pop pan lies over it; a drag from it pops, and clicks nothing")
    func bar() {
        let counter = barred()
        hand.click(26, 24)
        hand.click(974, 24)
        #expect(counter.back == 1 && counter.information == 1)
        hand.press(26, 24)
        hand.move(by: 4, 4)
        hand.release()
        #expect(counter.back == 2)
        hand.press(26, 24)
        hand.move(by: 20)
        hand.move(by: -18)
        #expect(table.stack.isHeld)
        hand.rest()
        table.settle()
        #expect(counter.back == 2)
    }

    @Test("A press that leaves its button and is let go of elsewhere is no click")
    func left() {
        let counter = barred()
        table.stack.arePopsDisabled = true
        hand.press(26, 24)
        hand.move(by: 100)
        hand.release()
        #expect(counter.back == 0)
    }

    @Test("A bar that is laid out again under a press keeps its button")
    func relaidOut() {
        let counter = barred()
        hand.press(26, 24)
        page.bar?.title = "Another film"
        page.setNeedsLayout()
        table.stack.layout(Size(width: 1000, height: 500))
        hand.release()
        #expect(counter.back == 1)
        page.bar?.leadingItems = []
        page.setNeedsLayout()
        table.stack.layout(Size(width: 1000, height: 500))
        hand.click(26, 24)
        hand.click(974, 24)
        #expect(counter.back == 1 && counter.information == 1)
    }

    @Test("A hidden bar has no buttons")
    func hidden() {
        let counter = barred()
        page.bar?.isHidden = true
        page.setNeedsLayout()
        table.stack.layout(Size(width: 1000, height: 500))
        hand.click(26, 24)
        #expect(counter.back == 0)
    }

    @Test("A bottom view that has gone over to another page stays there")
    func bottomView() {
        let view = BottomView(height: 60, layer: Layer())
        table.root.bottomView = view
        table.stack.pop(animated: false, now: table.now)
        table.stack.layout(Size(width: 1000, height: 500))
        #expect(view.layer.superlayer === table.root.container)
        let next = RecordingPage("next")
        next.bottomView = view
        #expect(throws: Never.self) { try table.push(next) }
        table.root.bottomView = nil
        table.stack.pop(animated: false, now: table.now)
        table.stack.layout(Size(width: 1000, height: 500))
        #expect(view.layer.superlayer === next.container)
    }
}
