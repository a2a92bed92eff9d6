import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@Suite("Bottom view of an uncovered page") @MainActor struct BottomViewTests {
    private final class Bar: GestureTarget {
        let recognizers: [GestureRecognizer] = []
    }

    private func harness(_ bar: Bar) throws -> (NavigationHarness, RecordingPage) {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        let layer = Layer(content: .color(.white))
        layer.owner = bar
        harness.root.bottomView = BottomView(height: 90, layer: layer)
        return (harness, page)
    }

    @Test("The bottom view can be pressed while the page above leaves, but nothing beside it can")
    func pressed() throws {
        let bar = Bar()
        let (harness, page) = try harness(bar)
        #expect(harness.stack.top === page)
        harness.drag(to: 600)
        harness.stack.layout(Size(width: NavigationHarness.width, height: 500))
        #expect(harness.stack.elements(at: Point(x: 100, y: 450), now: harness.now).isEmpty)
        harness.stack.release(velocity: 0, now: harness.now)
        #expect(harness.stack.elements(at: Point(x: 100, y: 450), now: harness.now).first === bar)
        #expect(harness.stack.elements(at: Point(x: 100, y: 100), now: harness.now).isEmpty)
        #expect(harness.stack.elements(at: Point(x: 900, y: 450), now: harness.now).first === harness.stack)
    }

    @Test("A cancelled pop brings the page back from its current position")
    func undone() throws {
        let bar = Bar()
        let (harness, page) = try harness(bar)
        #expect(!harness.stack.undoPop(now: harness.now))
        harness.drag(to: 600)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.wait(50)
        _ = harness.stack.advance(to: harness.now)
        let seen = try #require(harness.stack.progress)
        #expect(harness.stack.undoPop(now: harness.now))
        _ = harness.stack.advance(to: harness.now)
        #expect(abs(try #require(harness.stack.progress) - seen) < 1e-9)
        harness.settle()
        #expect(harness.stack.top === page)
        #expect(page.log.last == "didEnd false")
    }
}
