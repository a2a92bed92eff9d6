import Geometry
import Layers
import Testing
import Time

@testable import Navigation

@Suite("The program calls while something moves") @MainActor struct ProgramTests {
    private let table = Table()

    private func pages(_ count: Int) throws -> [RecordingPage] {
        let pages = (1...count).map { RecordingPage("\($0)") }
        for page in pages { try table.push(page) }
        for page in pages { page.diary = [] }
        table.root.diary = []
        return pages
    }

    @Test("PopToRoot during a drag continues from where the page is seen, whatever lies beneath it", arguments: [1, 3])
    func popToRoot(count: Int) throws {
        let top = try #require(pages(count).last)
        table.drag(to: 300)
        #expect(table.stack.popToRoot(now: table.now).count == count)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == 0.3)
        #expect(table.stack.transitioningPages?.lower === table.root)
        #expect(table.root.container.superlayer === table.stack.layer)
        table.settle()
        #expect(table.stack.pages.count == 1)
        #expect(top.diary.filter { $0 == "willBegin" }.count == 1)
        #expect(top.diary.suffix(2) == ["didDisappear", "didEnd true"])
        #expect(table.root.diary == ["willAppear", "didAppear"])
    }

    @Test("Pop(to:) the page beneath during a drag is that drag's pop; again, nothing more happens")
    func popTo() throws {
        let pages = try pages(3)
        table.drag(to: 300)
        #expect(try table.stack.pop(to: pages[1], now: table.now).count == 1)
        table.wait(20)
        _ = table.stack.advance(to: table.now)
        let seen = try #require(table.stack.progress)
        #expect(try table.stack.pop(to: pages[1], now: table.now).isEmpty)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == seen)
        table.settle()
        #expect(table.stack.top === pages[1])
        #expect(pages[0].diary.isEmpty)
    }

    @Test("A page on its way out continues when more pages are to go; those it uncovered are balanced")
    func redirected() throws {
        let pages = try pages(3)
        let top = pages[2]
        table.stack.pop(now: table.now)
        table.wait(100)
        _ = table.stack.advance(to: table.now)
        let seen = try #require(table.stack.progress)
        #expect(table.stack.popToRoot(now: table.now).count == 2)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == seen)
        #expect(table.stack.top === table.root)
        table.settle()
        #expect(top.diary == ["willDisappear", "didDisappear"])
        #expect(pages[1].diary == ["willAppear", "willDisappear", "didDisappear"])
        #expect(pages[1].container.superlayer == nil && pages[1].stack == nil)
    }

    @Test("A drag that popToRoot took over can be taken hold of, and given back")
    func heldAgain() throws {
        let pages = try pages(2)
        table.drag(to: 300)
        table.stack.popToRoot(now: table.now)
        table.wait(20)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.beginDrag(.pop, now: table.now))
        table.drag(to: -900)
        table.stack.release(velocity: 0, now: table.now)
        table.settle()
        #expect(table.stack.top === pages[1])
        #expect(table.stack.pages.count == 3)
        #expect(pages[1].diary.last == "didEnd false")
    }

    @Test("A pop while its page is being pushed turns that back from where it is seen", arguments: [true, false])
    func popDuringPush(isHeld: Bool) throws {
        let next = RecordingPage("next")
        try table.stack.push(next, now: table.now)
        table.wait(100)
        _ = table.stack.advance(to: table.now)
        let seen = try #require(table.stack.progress)
        if isHeld { #expect(table.stack.beginDrag(.pop, now: table.now)) }
        #expect(table.stack.pop(now: table.now) === next)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.progress == seen)
        #expect(table.stack.top === table.root)
        table.settle()
        #expect(table.stack.pages.count == 1)
        #expect(next.diary.filter { $0.hasSuffix("ppear") } == ["willAppear", "willDisappear", "didDisappear"])
        #expect(next.stack == nil)
    }

    @Test("A call while a hand holds what the program sent off does not undo what the program did")
    func heldProgram() throws {
        let pages = try pages(2)
        table.stack.pop(now: table.now)
        table.wait(100)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.beginDrag(.pop, now: table.now))
        let next = RecordingPage("next")
        try table.stack.push(next, now: table.now)
        #expect(table.stack.pages.map { ($0 as? RecordingPage)?.name } == ["root", "1", "next"])
        table.settle()
        #expect(pages[1].stack == nil && pages[1].diary.last == "didEnd true")
    }

    @Test("Without animation a call is over when it returns, in the middle of a drag, too")
    func atOnce() throws {
        let pages = try pages(2)
        table.drag(to: 300)
        table.stack.popToRoot(animated: false, now: table.now)
        #expect(!table.stack.isTransitioning)
        #expect(table.stack.layer.sublayers.count == 1)
        #expect(pages[1].diary.last == "didEnd true")
        #expect(table.root.diary == ["willAppear", "didAppear"])
    }

    @Test("A call that throws leaves what is under way as it is")
    func throwing() throws {
        let page = try #require(pages(1).last)
        table.drag(to: 300)
        #expect(throws: NavigationError.alreadyOnStack) { try table.stack.push(page, now: table.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try table.stack.replace(with: page, now: table.now) }
        #expect(throws: NavigationError.notOnStack) { try table.stack.pop(to: RecordingPage("x"), now: table.now) }
        #expect(throws: NavigationError.emptyStack) { try table.stack.setStack([], now: table.now) }
        #expect(table.stack.isHeld && table.stack.progress == 0.3)
    }

    @Test("OnChange is called when another page is on top, and only then")
    func onChange() throws {
        let pages = try pages(2)
        var tops: [Page] = []
        table.stack.onChange = { [stack = table.stack] in tops.append(stack.top) }
        table.drag(to: 300)
        table.stack.release(velocity: 0, now: table.now)
        table.settle()
        #expect(tops.isEmpty)
        try table.stack.setStack([pages[0], pages[1]], now: table.now)
        #expect(tops.isEmpty)
        table.stack.pop(now: table.now)
        table.settle()
        #expect(tops.count == 1 && tops.last === pages[0])
    }

    @Test(
        "A page that pops itself while it is told leaves a stack that holds",
        arguments: ["willBegin", "drag", "didEnd"])
    func fromWithin(call: String) throws {
        let page = CallingPage()
        try table.push(page)
        page.onTold = { [table] told in if told == call { table.stack.popToRoot(animated: false, now: table.now) } }
        table.drag(to: 300)
        table.drag(to: 350)
        table.stack.release(velocity: 0, now: table.now)
        table.settle()
        #expect(table.stack.pages.count == 1)
        #expect(table.stack.layer.sublayers.count == 1)
        #expect(page.told.filter { $0 == "willBegin" }.count == 1)
        #expect(page.told.last == "didEnd")
    }

    @Test("Pages pushed before there is a window appear with it, the top one alone")
    func beforeLayout() throws {
        let (root, page) = (RecordingPage("root"), RecordingPage("page"))
        let stack = NavigationStack(root: root)
        try stack.push(page, now: table.now)
        #expect(!stack.isTransitioning && page.diary.isEmpty)
        stack.layout(Size(width: 1000, height: 500))
        #expect(page.diary == ["willAppear", "didAppear"])
        #expect(root.diary.isEmpty)
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
