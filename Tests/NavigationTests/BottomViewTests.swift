import Geometry
import Gestures
import Layers
import Navigation
import Testing
import Time

@Suite("The bottom view of a page that comes to light") @MainActor struct BottomViewTests {
    private final class Bar: GestureTarget {
        let recognizers: [GestureRecognizer] = []
    }

    private func table(_ bar: Bar) throws -> (Table, RecordingPage) {
        let table = Table()
        let page = try table.pushed()
        let layer = Layer(content: .color(.white))
        layer.owner = bar
        table.root.bottomView = BottomView(height: 90, layer: layer)
        return (table, page)
    }

    @Test("It can be pressed while the page above it leaves, but not under the pointer, nor what lies around it")
    func pressed() throws {
        let bar = Bar()
        let (table, page) = try table(bar)
        #expect(table.stack.top === page)
        table.drag(to: 600)
        table.stack.layout(Size(width: Table.width, height: 500))
        #expect(table.stack.elements(at: Point(x: 100, y: 450), now: table.now).isEmpty)
        table.stack.release(velocity: 0, now: table.now)
        #expect(table.stack.elements(at: Point(x: 100, y: 450), now: table.now).first === bar)
        #expect(table.stack.elements(at: Point(x: 100, y: 100), now: table.now).isEmpty)
        #expect(table.stack.elements(at: Point(x: 900, y: 450), now: table.now).first === table.stack)
    }

    @Test("A pop that is undone brings the page back from where it is seen")
    func undone() throws {
        let bar = Bar()
        let (table, page) = try table(bar)
        #expect(!table.stack.undoPop(now: table.now))
        table.drag(to: 600)
        table.stack.release(velocity: 0, now: table.now)
        table.wait(50)
        _ = table.stack.advance(to: table.now)
        let seen = try #require(table.stack.progress)
        #expect(table.stack.undoPop(now: table.now))
        _ = table.stack.advance(to: table.now)
        #expect(abs(try #require(table.stack.progress) - seen) < 1e-9)
        table.settle()
        #expect(table.stack.top === page)
        #expect(page.diary.last == "didEnd false")
    }
}
