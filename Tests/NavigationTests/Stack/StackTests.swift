import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Page stack") @MainActor struct StackTests {
    @Test("Pushing and popping call willAppear, didAppear, willDisappear and didDisappear once each and in order")
    func lifeCycle() throws {
        let harness = NavigationHarness()
        #expect(harness.root.takeLog() == ["willAppear", "didAppear"])
        let page = RecordingPage("page")
        try harness.stack.push(page, now: harness.now)
        #expect(page.takeLog() == ["willAppear"])
        #expect(harness.root.takeLog() == ["willDisappear"])
        harness.settle()
        #expect(page.takeLog() == ["didAppear"])
        #expect(harness.root.takeLog() == ["didDisappear"])
        harness.stack.pop(now: harness.now)
        harness.settle()
        #expect(page.takeLog() == ["willDisappear", "didDisappear"])
        #expect(harness.root.takeLog() == ["willAppear", "didAppear"])
        #expect(page.stack == nil)
    }

    @Test("Life-cycle callbacks are balanced even if a pop is cancelled")
    func cancelled() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 100)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(
            page.log.filter { !$0.hasPrefix("drag") } == [
                "willDisappear", "willBegin", "willAppear", "didAppear", "didEnd false",
            ])
        #expect(harness.root.log == ["willAppear", "willDisappear", "didDisappear"])
    }

    @Test("Popping to the root removes all other pages, and those in between never appear")
    func popToRoot() throws {
        let harness = NavigationHarness()
        let (a, b, c) = (RecordingPage("a"), RecordingPage("b"), RecordingPage("c"))
        for page in [a, b, c] { try harness.push(page) }
        for page in [a, b, c] { page.log = [] }
        #expect(harness.stack.popToRoot(now: harness.now).map { ($0 as? RecordingPage)?.name } == ["a", "b", "c"])
        harness.settle()
        #expect(harness.stack.pages.count == 1)
        #expect(a.log.isEmpty && b.log.isEmpty)
        #expect(c.log == ["willDisappear", "didDisappear"])
        #expect(harness.stack.popToRoot(now: harness.now).isEmpty)
    }

    @Test("Popping to a page that is not on the stack throws and changes nothing")
    func popTo() throws {
        let harness = NavigationHarness()
        let (a, b) = (RecordingPage("a"), RecordingPage("b"))
        for page in [a, b] { try harness.push(page) }
        #expect(throws: NavigationError.notOnStack) { try harness.stack.pop(to: RecordingPage("c"), now: harness.now) }
        #expect(harness.stack.top === b)
        #expect(try harness.stack.pop(to: a, now: harness.now).count == 1)
        #expect(try harness.stack.pop(to: a, now: harness.now).isEmpty)
        harness.settle()
        #expect(harness.stack.top === a)
    }

    @Test("Popping to a type takes the caller's choice of several pages, and an error names the type if there is none")
    func popToType() throws {
        let harness = NavigationHarness()
        let (a, b) = (OtherPage(), OtherPage())
        #expect(throws: NavigationError.noSuchPage(type: "OtherPage")) {
            try harness.stack.pop(toFirst: OtherPage.self, now: harness.now)
        }
        for page in [a, b, RecordingPage("top")] { try harness.push(page) }
        try harness.stack.pop(toFirst: OtherPage.self, animated: false, now: harness.now) { found in
            #expect(found.count == 2)
            return found.first
        }
        #expect(harness.stack.top === a)
        #expect(throws: NavigationError.noSuchPage(type: "RecordingPage")) {
            try harness.stack.pop(toFirst: RecordingPage.self, now: harness.now) { _ in nil }
        }
        #expect(harness.stack.top === a)
    }

    @Test("Replacing exchanges the top page, and setting the stack exchanges all pages")
    func replaceAndSet() throws {
        let harness = NavigationHarness()
        let a = try harness.pushed("a")
        let b = RecordingPage("b")
        try harness.stack.replace(with: b, now: harness.now)
        harness.settle()
        #expect(harness.stack.pages.map { ($0 as? RecordingPage)?.name } == ["root", "b"])
        #expect(a.stack == nil)
        #expect(throws: NavigationError.alreadyOnStack) { try harness.stack.push(b, now: harness.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try harness.stack.replace(with: b, now: harness.now) }

        let c = RecordingPage("c")
        try harness.stack.setStack([b, a, c], now: harness.now)
        harness.settle()
        #expect(harness.stack.pages.map { ($0 as? RecordingPage)?.name } == ["b", "a", "c"])
        #expect(harness.root.stack == nil)
        try harness.stack.setStack([a], now: harness.now)
        harness.settle()
        #expect(harness.stack.top === a)
        #expect(c.log.last == "didDisappear")
        #expect(throws: NavigationError.emptyStack) { try harness.stack.setStack([], now: harness.now) }
        #expect(throws: NavigationError.alreadyOnStack) { try harness.stack.setStack([a, a], now: harness.now) }
    }

    @Test("Popping the root page does nothing")
    func root() {
        let harness = NavigationHarness()
        #expect(harness.stack.pop(now: harness.now) == nil)
        #expect(harness.stack.pages.count == 1)
    }

    @Test("Nested calls leave the life-cycle of every page balanced")
    func quickCalls() throws {
        let harness = NavigationHarness()
        let pages = (0..<4).map { RecordingPage("\($0)") }
        for page in pages {
            try harness.stack.push(page, now: harness.now)
            harness.wait(30)
            _ = harness.stack.advance(to: harness.now)
        }
        harness.stack.pop(now: harness.now)
        harness.stack.pop(now: harness.now)
        harness.wait(50)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.beginDrag(.pop, now: harness.now))
        try harness.stack.push(RecordingPage("late"), now: harness.now)
        harness.settle()
        for page in pages + [harness.root] {
            let calls = page.log.filter { $0.hasSuffix("ppear") }
            #expect(calls.count { $0 == "willAppear" } >= calls.count { $0 == "didAppear" }, "\(page.name)")
            #expect(calls.count { $0 == "didDisappear" } <= calls.count { $0 == "willDisappear" }, "\(page.name)")
            #expect(calls.last == "didDisappear", "\(page.name): \(calls)")
        }
        #expect((harness.stack.top as? RecordingPage)?.name == "late")
    }

    @Test("Each page has its own bar and bottom view, which move with it")
    func chrome() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        page.bar = NavigationBar(title: "Film", background: .black, height: 48)
        let bottom = Layer(content: .color(.black))
        page.bottomView = BottomView(height: 90, layer: bottom)
        harness.stack.layout(Size(width: 1000, height: 500))
        #expect(page.insets == PageInsets(top: 48, bottom: 90))
        #expect(bottom.frame == Rect(x: 0, y: 410, width: 1000, height: 90))
        harness.drag(to: 250)
        #expect(bottom.presentationFrame(at: .zero).minX == 250)
        page.bar?.isHidden = true
        page.setNeedsLayout()
        harness.stack.layout(Size(width: 1000, height: 500))
        #expect(page.insets == PageInsets(top: 0, bottom: 90))
    }

    @Test("A snapshot is taken when a drag begins and after a resize, and freed when it has settled")
    func snapshots() throws {
        let harness = NavigationHarness()
        let source = CountingSnapshots()
        harness.stack.snapshots = source
        let page = try harness.pushed()
        source.calls = []
        harness.drag(to: 100)
        #expect(source.calls == ["capture 1000"])
        harness.drag(to: 200)
        harness.stack.layout(Size(width: 800, height: 500))
        #expect(source.calls == ["capture 1000", "capture 800"])
        harness.stack.release(velocity: 0, now: harness.now)
        #expect(source.calls.count == 2)
        harness.settle()
        #expect(source.calls.last == "release")
        #expect(!harness.root.captured.isHidden)

        source.calls = []
        harness.stack.beneathMode = .live
        harness.drag(to: 100)
        #expect(source.calls.isEmpty)
        harness.stack.cancelDrag(now: harness.now)
        harness.settle()
        harness.stack.beneathMode = .snapshot
        harness.root.mode = .live
        harness.drag(to: 100)
        #expect(source.calls.isEmpty)
        #expect(harness.stack.top === page)
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
