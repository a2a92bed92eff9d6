import Geometry
import Layers
import Testing
import Time

@testable import Navigation

@Suite("The stack's calls") @MainActor struct StackTests {
    @Test("Push and pop: willAppear, didAppear, willDisappear, didDisappear, each once and in order")
    func lifeCycle() throws {
        let table = Table()
        #expect(table.root.takeDiary() == ["willAppear", "didAppear"])
        let page = RecordingPage("page")
        try table.stack.push(page, now: table.now)
        #expect(page.takeDiary() == ["willAppear"])
        #expect(table.root.takeDiary() == ["willDisappear"])
        table.settle()
        #expect(page.takeDiary() == ["didAppear"])
        #expect(table.root.takeDiary() == ["didDisappear"])
        table.stack.pop(now: table.now)
        table.settle()
        #expect(page.takeDiary() == ["willDisappear", "didDisappear"])
        #expect(table.root.takeDiary() == ["willAppear", "didAppear"])
        #expect(page.stack == nil)
    }

    @Test("The life-cycle is balanced also when a pop is cancelled")
    func cancelled() throws {
        let table = Table()
        let page = try table.pushed()
        table.drag(to: 100)
        table.stack.release(velocity: 0, now: table.now)
        table.settle()
        #expect(
            page.diary.filter { !$0.hasPrefix("drag") } == [
                "willDisappear", "willBegin", "willAppear", "didAppear", "didEnd false",
            ])
        #expect(table.root.diary == ["willAppear", "willDisappear", "didDisappear"])
    }

    @Test("PopToRoot takes all pages but the root; those between never appear")
    func popToRoot() throws {
        let table = Table()
        let (a, b, c) = (RecordingPage("a"), RecordingPage("b"), RecordingPage("c"))
        for page in [a, b, c] { try table.push(page) }
        for page in [a, b, c] { page.diary = [] }
        #expect(table.stack.popToRoot(now: table.now).map { ($0 as? RecordingPage)?.name } == ["a", "b", "c"])
        table.settle()
        #expect(table.stack.pages.count == 1)
        #expect(a.diary.isEmpty && b.diary.isEmpty)
        #expect(c.diary == ["willDisappear", "didDisappear"])
        #expect(table.stack.popToRoot(now: table.now).isEmpty)
    }

    @Test("PopTo a page; one that is not on the stack is an error, and nothing happens")
    func popTo() throws {
        let table = Table()
        let (a, b) = (RecordingPage("a"), RecordingPage("b"))
        for page in [a, b] { try table.push(page) }
        #expect(throws: NavigationError.notOnStack) { try table.stack.pop(to: RecordingPage("c"), now: table.now) }
        #expect(table.stack.top === b)
        #expect(try table.stack.pop(to: a, now: table.now).count == 1)
        #expect(try table.stack.pop(to: a, now: table.now).isEmpty)
        table.settle()
        #expect(table.stack.top === a)
    }

    @Test("PopTo the first of a type: the caller picks among several; none is an error that names the type")
    func popToType() throws {
        let table = Table()
        let (a, b) = (OtherPage(), OtherPage())
        #expect(throws: NavigationError.noSuchPage(type: "OtherPage")) {
            try table.stack.pop(toFirst: OtherPage.self, now: table.now)
        }
        for page in [a, b, RecordingPage("top")] { try table.push(page) }
        try table.stack.pop(toFirst: OtherPage.self, animated: false, now: table.now) { found in
            #expect(found.count == 2)
            return found.first
        }
        #expect(table.stack.top === a)
        #expect(throws: NavigationError.noSuchPage(type: "RecordingPage")) {
            try table.stack.pop(toFirst: RecordingPage.self, now: table.now) { _ in nil }
        }
        #expect(table.stack.top === a)
    }

    @Test("Replace puts a page in the top one's place; setStack sets all of them")
    func replaceAndSet() throws {
        let table = Table()
        let a = try table.pushed("a")
        let b = RecordingPage("b")
        try table.stack.replace(with: b, now: table.now)
        table.settle()
        #expect(table.stack.pages.map { ($0 as? RecordingPage)?.name } == ["root", "b"])
        #expect(a.stack == nil)
        #expect(throws: NavigationError.alreadyOnStack) { try table.stack.push(b, now: table.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try table.stack.replace(with: b, now: table.now) }

        let c = RecordingPage("c")
        try table.stack.setStack([b, a, c], now: table.now)
        table.settle()
        #expect(table.stack.pages.map { ($0 as? RecordingPage)?.name } == ["b", "a", "c"])
        #expect(table.root.stack == nil)
        try table.stack.setStack([a], now: table.now)
        table.settle()
        #expect(table.stack.top === a)
        #expect(c.diary.last == "didDisappear")
        #expect(throws: NavigationError.emptyStack) { try table.stack.setStack([], now: table.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try table.stack.setStack([a, a], now: table.now) }
    }

    @Test("Pop of the root does nothing")
    func root() {
        let table = Table()
        #expect(table.stack.pop(now: table.now) == nil)
        #expect(table.stack.pages.count == 1)
    }

    @Test("Calls in the middle of each other leave every page's life-cycle balanced")
    func quickCalls() throws {
        let table = Table()
        let pages = (0..<4).map { RecordingPage("\($0)") }
        for page in pages {
            try table.stack.push(page, now: table.now)
            table.wait(30)
            _ = table.stack.advance(to: table.now)
        }
        table.stack.pop(now: table.now)
        table.stack.pop(now: table.now)
        table.wait(50)
        _ = table.stack.advance(to: table.now)
        #expect(table.stack.beginDrag(.pop, now: table.now))
        try table.stack.push(RecordingPage("late"), now: table.now)
        table.settle()
        for page in pages + [table.root] {
            let calls = page.diary.filter { $0.hasSuffix("ppear") }
            #expect(calls.count { $0 == "willAppear" } >= calls.count { $0 == "didAppear" }, "\(page.name)")
            #expect(calls.count { $0 == "didDisappear" } <= calls.count { $0 == "willDisappear" }, "\(page.name)")
            #expect(calls.last == "didDisappear", "\(page.name): \(calls)")
        }
        #expect((table.stack.top as? RecordingPage)?.name == "late")
    }

    @Test("Each page has its own bar and its own bottom view; they move with it")
    func chrome() throws {
        let table = Table()
        let page = try table.pushed()
        page.bar = NavigationBar(title: "Film", background: .black, height: 48)
        let bottom = Layer(content: .color(.black))
        page.bottomView = BottomView(height: 90, layer: bottom)
        table.stack.layout(Size(width: 1000, height: 500))
        #expect(page.insets == PageInsets(top: 48, bottom: 90))
        #expect(bottom.frame == Rect(x: 0, y: 410, width: 1000, height: 90))
        table.drag(to: 250)
        #expect(bottom.presentationFrame(at: .zero).minX == 250)
        page.bar?.isHidden = true
        page.setNeedsLayout()
        table.stack.layout(Size(width: 1000, height: 500))
        #expect(page.insets == PageInsets(top: 0, bottom: 90))
    }

    @Test("A snapshot is taken when the drag begins, again on a resize, and freed when the settle ends")
    func snapshots() throws {
        let table = Table()
        let source = CountingSnapshots()
        table.stack.snapshots = source
        let page = try table.pushed()
        source.calls = []
        table.drag(to: 100)
        #expect(source.calls == ["capture 1000"])
        table.drag(to: 200)
        table.stack.layout(Size(width: 800, height: 500))
        #expect(source.calls == ["capture 1000", "capture 800"])
        table.stack.release(velocity: 0, now: table.now)
        #expect(source.calls.count == 2)
        table.settle()
        #expect(source.calls.last == "release")
        #expect(!table.root.captured.isHidden)

        source.calls = []
        table.stack.beneathMode = .live
        table.drag(to: 100)
        #expect(source.calls.isEmpty)
        table.stack.cancelDrag(now: table.now)
        table.settle()
        table.stack.beneathMode = .snapshot
        table.root.mode = .live
        table.drag(to: 100)
        #expect(source.calls.isEmpty)
        #expect(table.stack.top === page)
    }
}

@MainActor private final class CountingSnapshots: SnapshotSource {
    var calls: [String] = []

    func capture(_ layer: Layer, size: Size) -> Layer.Content? {
        calls.append("capture \(Int(size.width))")
        return .surface(SurfaceID(rawValue: 9), rotation: .none)
    }

    func releaseSnapshot() { calls.append("release") }
}
