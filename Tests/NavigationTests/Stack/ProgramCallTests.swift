import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Stack calls during transitions") @MainActor struct ProgramCallTests {
    private let harness = NavigationHarness()

    private func pages(_ count: Int) throws -> [RecordingPage] {
        let pages = (1...count).map { RecordingPage("\($0)") }
        for page in pages { try harness.push(page) }
        for page in pages { page.log = [] }
        harness.root.log = []
        return pages
    }

    @Test(
        "Popping to the root during a drag continues from the page's position, whatever lies beneath",
        arguments: [1, 3])
    func popToRoot(count: Int) throws {
        let top = try #require(pages(count).last)
        harness.drag(to: 300)
        #expect(harness.stack.popToRoot(now: harness.now).count == count)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == 0.3)
        #expect(harness.stack.transitioningPages?.lower === harness.root)
        #expect(harness.root.container.superlayer === harness.stack.layer)
        harness.settle()
        #expect(harness.stack.pages.count == 1)
        #expect(top.log.filter { $0 == "willBegin" }.count == 1)
        #expect(top.log.suffix(2) == ["didDisappear", "didEnd true"])
        #expect(harness.root.log == ["willAppear", "didAppear"])
    }

    @Test("Popping to the page beneath during a drag completes that drag's pop, and repeating it does nothing")
    func popTo() throws {
        let pages = try pages(3)
        harness.drag(to: 300)
        #expect(try harness.stack.pop(to: pages[1], now: harness.now).count == 1)
        harness.wait(20)
        _ = harness.stack.advance(to: harness.now)
        let seen = try #require(harness.stack.progress)
        #expect(try harness.stack.pop(to: pages[1], now: harness.now).isEmpty)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == seen)
        harness.settle()
        #expect(harness.stack.top === pages[1])
        #expect(pages[0].log.isEmpty)
    }

    @Test("A leaving page continues when more pages are popped, and callbacks of uncovered pages are balanced")
    func redirected() throws {
        let pages = try pages(3)
        let top = pages[2]
        harness.stack.pop(now: harness.now)
        harness.wait(100)
        _ = harness.stack.advance(to: harness.now)
        let seen = try #require(harness.stack.progress)
        #expect(harness.stack.popToRoot(now: harness.now).count == 2)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == seen)
        #expect(harness.stack.top === harness.root)
        harness.settle()
        #expect(top.log == ["willDisappear", "didDisappear"])
        #expect(pages[1].log == ["willAppear", "willDisappear", "didDisappear"])
        #expect(pages[1].container.superlayer == nil && pages[1].stack == nil)
    }

    @Test("A drag taken over by a pop to the root can be caught and taken back")
    func heldAgain() throws {
        let pages = try pages(2)
        harness.drag(to: 300)
        harness.stack.popToRoot(now: harness.now)
        harness.wait(20)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.beginDrag(.pop, now: harness.now))
        harness.drag(to: -900)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === pages[1])
        #expect(harness.stack.pages.count == 3)
        #expect(pages[1].log.last == "didEnd false")
    }

    @Test("Popping a page that is being pushed reverses the push from its current position", arguments: [true, false])
    func popDuringPush(isHeld: Bool) throws {
        let next = RecordingPage("next")
        try harness.stack.push(next, now: harness.now)
        harness.wait(100)
        _ = harness.stack.advance(to: harness.now)
        let seen = try #require(harness.stack.progress)
        if isHeld { #expect(harness.stack.beginDrag(.pop, now: harness.now)) }
        #expect(harness.stack.pop(now: harness.now) === next)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.progress == seen)
        #expect(harness.stack.top === harness.root)
        harness.settle()
        #expect(harness.stack.pages.count == 1)
        #expect(next.log.filter { $0.hasSuffix("ppear") } == ["willAppear", "willDisappear", "didDisappear"])
        #expect(next.stack == nil)
    }

    @Test("A call while the user holds a page moved by the program does not undo the program's change")
    func heldProgram() throws {
        let pages = try pages(2)
        harness.stack.pop(now: harness.now)
        harness.wait(100)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.beginDrag(.pop, now: harness.now))
        let next = RecordingPage("next")
        try harness.stack.push(next, now: harness.now)
        #expect(harness.stack.pages.map { ($0 as? RecordingPage)?.name } == ["root", "1", "next"])
        harness.settle()
        #expect(pages[1].stack == nil && pages[1].log.last == "didEnd true")
    }

    @Test("A call without animation has completed when it returns, even during a drag")
    func atOnce() throws {
        let pages = try pages(2)
        harness.drag(to: 300)
        harness.stack.popToRoot(animated: false, now: harness.now)
        #expect(!harness.stack.isTransitioning)
        #expect(harness.stack.layer.sublayers.count == 1)
        #expect(pages[1].log.last == "didEnd true")
        #expect(harness.root.log == ["willAppear", "didAppear"])
    }

    @Test("A call that throws leaves a running transition as it is")
    func throwing() throws {
        let page = try #require(pages(1).last)
        harness.drag(to: 300)
        #expect(throws: NavigationError.alreadyOnStack) { try harness.stack.push(page, now: harness.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try harness.stack.replace(with: page, now: harness.now) }
        #expect(throws: NavigationError.notOnStack) { try harness.stack.pop(to: RecordingPage("x"), now: harness.now) }
        #expect(throws: NavigationError.emptyStack) { try harness.stack.setStack([], now: harness.now) }
        #expect(harness.stack.isHeld && harness.stack.progress == 0.3)
    }

    @Test("The change handler is called when another page is on top, and only then")
    func onChange() throws {
        let pages = try pages(2)
        var tops: [Page] = []
        harness.stack.onChange = { [stack = harness.stack] in tops.append(stack.top) }
        harness.drag(to: 300)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(tops.isEmpty)
        try harness.stack.setStack([pages[0], pages[1]], now: harness.now)
        #expect(tops.isEmpty)
        harness.stack.pop(now: harness.now)
        harness.settle()
        #expect(tops.count == 1 && tops.last === pages[0])
    }

    @Test(
        "A page that pops itself in a callback leaves the stack consistent",
        arguments: ["willBegin", "drag", "didEnd"])
    func fromWithin(call: String) throws {
        let page = CallingPage()
        try harness.push(page)
        page.onTold = { [harness] told in if told == call { harness.stack.popToRoot(animated: false, now: harness.now) }
        }
        harness.drag(to: 300)
        harness.drag(to: 350)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(harness.stack.pages.count == 1)
        #expect(harness.stack.layer.sublayers.count == 1)
        #expect(page.told.filter { $0 == "willBegin" }.count == 1)
        #expect(page.told.last == "didEnd")
    }

    @Test("Of pages pushed before there is a window only the top one appears with it")
    func beforeLayout() throws {
        let (root, page) = (RecordingPage("root"), RecordingPage("page"))
        let stack = NavigationStack(root: root)
        try stack.push(page, now: harness.now)
        #expect(!stack.isTransitioning && page.log.isEmpty)
        stack.layout(Size(width: 1000, height: 500))
        #expect(page.log == ["willAppear", "didAppear"])
        #expect(root.log.isEmpty)
    }
}

@MainActor private final class CallingPage: Page {
    var told: [String] = []
    var onTold: ((String) -> Void)?

    private func tell(_ call: String) {
        told.append(call)
        onTold?(call)
    }

    override func willBeginDragging() { tell("willBegin") }
    override func didDrag(progress: Double) { tell("drag") }
    override func didEndDragging(popped: Bool) { tell("didEnd") }
}
