import Geometry
import Layers
import Testing
import Time

@testable import Navigation

@Suite("A page under the hand") @MainActor struct HandTests {
    @Test("WillBegin, a didDrag for each frame in which the progress changed, didEnd once the settle has ended")
    func callbacks() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 100)
        table.drag(to: 100)
        table.drag(to: 150)
        #expect(page.takeDiary() == ["willDisappear", "willBegin", "drag 0.1", "drag 0.15"])
        table.stack.release(velocity: 0, now: table.now)
        #expect(page.diary.isEmpty)
        table.settle()
        #expect(page.diary.suffix(3) == ["willAppear", "didAppear", "didEnd false"])
        #expect(page.diary.filter { $0 == "drag 0.0" }.count == 1)
    }

    @Test("A second hand-hold that interrupts the settle: no second willBegin, one didEnd")
    func secondHold() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 500)
        table.stack.release(velocity: 0, now: table.now)
        table.wait(60)
        _ = table.stack.advance(to: table.now)
        let seen = table.stack.progress!
        #expect(seen > 0.5 && seen < 1)
        #expect(table.stack.beginDrag(.pop, now: table.now))
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == seen)
        table.wait(500)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == seen)
        table.drag(to: -400)
        table.stack.release(velocity: -100, now: table.now)
        table.settle()
        #expect(page.diary.filter { $0 == "willBegin" }.count == 1)
        #expect(page.diary.filter { $0.hasPrefix("didEnd") } == ["didEnd false"])
        #expect(table.stack.top === page)
    }

    @Test("A press takes hold of a cancelling page where it is seen, too, and can still pop it")
    func holdOfCancel() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 300)
        table.stack.release(velocity: 0, now: table.now)
        table.wait(40)
        _ = table.stack.advance(to: table.now)
        let seen = table.stack.progress!
        table.drag(to: 400)
        #expect(abs(table.stack.progress! - (seen + 0.4)) < 1e-9)
        table.stack.release(velocity: 0, now: table.now)
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(page.diary.last == "didEnd true")
    }

    @Test("A programmed pop during a drag finishes the drag, from where it is, and pops one page")
    func programmedPop() throws {
        let table = Table()
        let first = try table.pushed("first")
        let second = RecordingPage("second")
        try table.push(second)
        table.drag(to: 200)
        #expect(table.stack.pop(now: table.now) === second)
        table.wait(10)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress! >= 0.2 && table.stack.progress! < 0.5)
        table.settle()
        #expect(table.stack.top === first)
        #expect(second.diary.suffix(2) == ["didDisappear", "didEnd true"])
    }

    @Test("Losing the pointer cancels; nothing is lost or doubled")
    func lostPointer() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 700)
        #expect(table.stack.cancelDrag(now: table.now))
        table.settle()
        #expect(table.stack.top === page)
        #expect(table.stack.pages.count == 2)
        #expect(page.diary.last == "didEnd false")
        #expect(!table.stack.cancelDrag(now: table.now))
    }

    @Test("A window resized in the middle of a drag: the page stays at its share of the width")
    func resize() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 400)
        table.stack.layout(Size(width: 500, height: 300))
        _ = table.stack.advance(to: table.now)
        #expect(abs(table.stack.progress! - 0.4) < 1e-9)
        #expect(page.container.translation.x == 200)
        table.drag(to: 450)
        #expect(abs(table.stack.progress! - 0.5) < 1e-9)
        table.stack.release(velocity: 0, now: table.now)
        table.stack.layout(Size(width: 2000, height: 300))
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(table.root.container.frame.size == Size(width: 2000, height: 300))
    }

    @Test("The root cannot be drawn aside, and without a bound page nothing comes from the right")
    func nothingToDrag() throws {
        let table = Table()
        #expect(!table.stack.beginDrag(.pop, now: table.now))
        #expect(!table.stack.beginDrag(.push, now: table.now))
        #expect(!table.stack.isTransitioning)
    }

    @Test(
        "Bound push: a leftward drag pulls the bound page in; it stays from 0.3 on",
        arguments: [
            (-299.0, 0.0, false), (-300, 0, true), (-100, -800, true), (-100, -799, false), (-600, 1300, false),
        ])
    func boundPush(x: Double, velocity: Double, stays: Bool) throws {
        let table = Table()
        let page = try table.pushed()
        let details = RecordingPage("details")
        page.trailingPage = { details }
        table.drag(to: x, .push)
        #expect(details.container.translation.x == 1000 + x)
        #expect(abs(page.container.translation.x - 0.3 * x) < 1e-9)
        #expect(details.diary == ["willAppear"])
        table.stack.release(velocity: velocity, now: table.now)
        table.settle()
        #expect(table.stack.top === (stays ? details : page))
        #expect(
            details.diary == (stays ? ["willAppear", "didAppear"] : ["willAppear", "willDisappear", "didDisappear"]))
        #expect(page.diary.last == "didEnd false")
        #expect(table.stack.pages.count == (stays ? 3 : 2))
    }

    @Test("Hands with nonsense: translations and speeds that are no numbers move nothing")
    func nonsense() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 100)
        table.drag(to: .nan)
        table.drag(to: .infinity)
        #expect(table.stack.progress == 0.1)
        table.stack.release(velocity: .nan, now: table.now)
        table.stack.release(velocity: 1e9, now: table.now)
        table.settle()
        #expect(table.stack.top === page)
    }
}
