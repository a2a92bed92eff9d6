import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Dragging a page") @MainActor struct PageDragTests {
    @Test("A drag calls willBegin, didDrag whenever the progress changes, and didEnd when it has settled")
    func callbacks() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 100)
        harness.drag(to: 100)
        harness.drag(to: 150)
        #expect(page.takeLog() == ["willDisappear", "willBegin", "drag 0.1", "drag 0.15"])
        harness.stack.release(velocity: 0, now: harness.now)
        #expect(page.log.isEmpty)
        harness.settle()
        #expect(page.log.suffix(3) == ["willAppear", "didAppear", "didEnd false"])
        #expect(page.log.filter { $0 == "drag 0.0" }.count == 1)
    }

    @Test("A second catch that interrupts settling calls no second willBegin and one didEnd")
    func secondHold() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 500)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.wait(60)
        _ = harness.stack.advance(to: harness.now)
        let seen = harness.stack.progress!
        #expect(seen > 0.5 && seen < 1)
        #expect(harness.stack.beginDrag(.pop, now: harness.now))
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == seen)
        harness.wait(500)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == seen)
        harness.drag(to: -400)
        harness.stack.release(velocity: -100, now: harness.now)
        harness.settle()
        #expect(page.log.filter { $0 == "willBegin" }.count == 1)
        #expect(page.log.filter { $0.hasPrefix("didEnd") } == ["didEnd false"])
        #expect(harness.stack.top === page)
    }

    @Test("A press catches a returning page where it is, and can still pop it")
    func holdOfCancel() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 300)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.wait(40)
        _ = harness.stack.advance(to: harness.now)
        let seen = harness.stack.progress!
        harness.drag(to: 400)
        #expect(abs(harness.stack.progress! - (seen + 0.4)) < 1e-9)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(page.log.last == "didEnd true")
    }

    @Test("A press on a page that moves by itself also goes to the innermost target's target for that")
    func targetOnMovingPage() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        let outer = Part(Rect(x: 0, y: 0, width: 1000, height: 500), on: page)
        let (inner, moving) = (Part(Rect(x: 500, y: 0, width: 200, height: 500), on: page), EmptyTarget())
        inner.targetOnMovingPage = moving
        func hit(_ x: Double) -> [any GestureTarget] {
            harness.stack.elements(at: Point(x: x, y: 250), now: harness.now)
        }
        #expect(hit(600).first === inner && hit(600).last === harness.stack, "at rest")
        harness.drag(to: 300)
        #expect(hit(900).count == 1 && hit(900).first === harness.stack, "a drag holds the page")
        harness.stack.release(velocity: 0, now: harness.now)
        harness.wait(40)
        _ = harness.stack.advance(to: harness.now)
        let place = 600 + harness.stack.progress! * 1000
        #expect(hit(place).count == 2 && hit(place).first === moving && hit(place).last === harness.stack)
        #expect(hit(place - 150).count == 1, "beside it, the target of the whole page has none")
        harness.settle()
        #expect(hit(600).first === inner && outer.targetOnMovingPage == nil)
    }

    @Test("A programmatic pop during a drag finishes the drag from where it is and pops one page")
    func programmedPop() throws {
        let harness = NavigationHarness()
        let first = try harness.pushed("first")
        let second = RecordingPage("second")
        try harness.push(second)
        harness.drag(to: 200)
        #expect(harness.stack.pop(now: harness.now) === second)
        harness.wait(10)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress! >= 0.2 && harness.stack.progress! < 0.5)
        harness.settle()
        #expect(harness.stack.top === first)
        #expect(second.log.suffix(2) == ["didDisappear", "didEnd true"])
    }

    @Test("Losing the pointer cancels the drag without losing or repeating a callback")
    func lostPointer() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 700)
        #expect(harness.stack.cancelDrag(now: harness.now))
        harness.settle()
        #expect(harness.stack.top === page)
        #expect(harness.stack.pages.count == 2)
        #expect(page.log.last == "didEnd false")
        #expect(!harness.stack.cancelDrag(now: harness.now))
    }

    @Test("Resizing the window during a drag keeps the page at the same fraction of the width")
    func resize() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 400)
        harness.stack.layout(Size(width: 500, height: 300))
        _ = harness.stack.advance(to: harness.now)
        #expect(abs(harness.stack.progress! - 0.4) < 1e-9)
        #expect(page.container.translation.x == 200)
        harness.drag(to: 450)
        #expect(abs(harness.stack.progress! - 0.5) < 1e-9)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.stack.layout(Size(width: 2000, height: 300))
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(harness.root.container.frame.size == Size(width: 2000, height: 300))
    }

    @Test("The root page cannot be dragged aside, and without a trailing page nothing comes from the right")
    func nothingToDrag() throws {
        let harness = NavigationHarness()
        #expect(!harness.stack.beginDrag(.pop, now: harness.now))
        #expect(!harness.stack.beginDrag(.push, now: harness.now))
        #expect(!harness.stack.isTransitioning)
    }

    @Test(
        "A drag to the left pulls the trailing page in, and from a fraction of 0.3 it stays",
        arguments: [
            (-299.0, 0.0, false), (-300, 0, true), (-100, -800, true), (-100, -799, false), (-600, 1300, false),
        ])
    func boundPush(x: Double, velocity: Double, stays: Bool) throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        let details = RecordingPage("details")
        page.trailingPage = { details }
        harness.drag(to: x, .push)
        #expect(details.container.translation.x == 1000 + x)
        #expect(abs(page.container.translation.x - 0.3 * x) < 1e-9)
        #expect(details.log == ["willAppear"])
        harness.stack.release(velocity: velocity, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === (stays ? details : page))
        #expect(
            details.log == (stays ? ["willAppear", "didAppear"] : ["willAppear", "willDisappear", "didDisappear"]))
        #expect(page.log.last == "didEnd false")
        #expect(harness.stack.pages.count == (stays ? 3 : 2))
    }

    @Test("Non-finite translations and velocities move nothing")
    func nonsense() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 100)
        harness.drag(to: .nan)
        harness.drag(to: .infinity)
        #expect(harness.stack.progress == 0.1)
        harness.stack.release(velocity: .nan, now: harness.now)
        harness.stack.release(velocity: 1e9, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === page)
    }
}
