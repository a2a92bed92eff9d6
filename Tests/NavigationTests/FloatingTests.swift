import Geometry
import Layers
import Testing
import Time

@testable import Navigation

@Suite("What floats, in order") @MainActor struct FloatingTests {
    private let desk = FloatingDesk()
    private var floating: FloatingController { desk.floating }
    private let started = ["willStart", "open", "didStart", "leavePage"]

    @Test("WillStart, the window, didStart, and the page is left; closed by the user, willStop and didStop")
    func order() {
        #expect(floating.isPossible && !floating.isActive)
        #expect(desk.start() == nil)
        #expect(floating.isActive && floating.element === desk.element)
        #expect(desk.took() == started)
        floating.stop()
        #expect(desk.took() == ["willStop", "close", "didStop false"])
        #expect(floating.state == .idle && floating.element == nil)
        #expect(desk.element.states == [.starting, .active, .stopping, .idle])
    }

    @Test("It starts when the window is open, not before; states are told after they changed")
    func waits() {
        desk.answersAtOnce = nil
        var states: [FloatingState] = []
        floating.onStateChange = { [unowned desk] in
            #expect($0 == desk.floating.state)
            states.append($0)
        }
        desk.start()
        #expect(desk.took() == ["willStart", "open"] && floating.state == .starting)
        desk.answer?(.success(()))
        desk.answer?(.success(()))
        #expect(desk.took() == ["didStart", "leavePage"])
        floating.windowClosed()
        #expect(states == [.starting, .active, .stopping, .idle])
    }

    @Test("LeavesPageOnStart off: the page stays")
    func staysOnPage() {
        floating.leavesPageOnStart = false
        desk.start()
        #expect(desk.took() == ["willStart", "open", "didStart"])
    }

    @Test("A window that cannot be opened: failedToStart, and nothing to stop")
    func fails() {
        desk.answersAtOnce = .failure(.windowFailed("no display"))
        #expect(desk.start() == nil)
        #expect(desk.took() == ["willStart", "open", "failed: the floating window could not be opened: no display"])
        #expect(floating.state == .idle)
        desk.answer?(.success(()))
        #expect(desk.took().isEmpty)
        #expect(desk.element.states == [.starting, .idle])
    }

    @Test("A second start while active or starting is refused, and so is one where floating is not possible")
    func refused() {
        desk.answersAtOnce = nil
        desk.start()
        #expect(desk.start() == .alreadyFloating)
        desk.answer?(.success(()))
        #expect(desk.start() == .alreadyFloating)
        floating.stop()
        _ = desk.took()
        desk.canFloat = false
        #expect(!floating.isPossible && desk.start() == .notPossible)
        let homeless = FloatingController()
        #expect(!homeless.isPossible)
        #expect(throws: FloatingError.notPossible) { try homeless.start(desk.element) }
        #expect(desk.took().isEmpty)
    }

    // MARK: - Going back

    @Test("Back to page: restoreUserInterface, and only when that is done willStop and didStop")
    func restore() {
        desk.start()
        _ = desk.took()
        #expect(floating.restore() && floating.isRestoring && floating.isActive)
        #expect(desk.took() == ["restore"])
        #expect(!floating.restore(), "once is enough")
        desk.done?(true)
        #expect(desk.took() == ["willStop", "close", "didStop true"])
        #expect(!floating.isRestoring)
    }

    @Test("Done called twice, or after the window was closed, or in a later life, is nothing")
    func doneTwice() {
        desk.start()
        floating.restore()
        let done = desk.done
        done?(true)
        done?(true)
        desk.start()
        floating.restore()
        _ = desk.took()
        done?(true)
        #expect(floating.isActive && desk.took().isEmpty)
        floating.windowClosed()
        desk.done?(true)
        #expect(desk.took() == ["willStop", "didStop false"])
    }

    @Test("Done called at once, and a page that could not be restored")
    func doneAtOnce() {
        desk.reactions["restore"] = { [unowned desk] in desk.done?(false) }
        desk.start()
        _ = desk.took()
        floating.restore()
        #expect(desk.took() == ["restore", "willStop", "close", "didStop false"])
    }

    @Test("Done never called: the user can still close it")
    func doneNever() {
        desk.start()
        floating.restore()
        _ = desk.took()
        floating.stop()
        #expect(desk.took() == ["willStop", "close", "didStop false"] && floating.state == .idle)
        #expect(desk.start() == nil && !floating.isRestoring)
    }

    @Test("Restore while it starts waits until it has started; where that fails, there is nothing to restore")
    func restoreWhileStarting() {
        desk.answersAtOnce = nil
        #expect(!floating.restore())
        desk.start()
        #expect(floating.restore() && !floating.restore())
        #expect(desk.took() == ["willStart", "open"])
        desk.answer?(.success(()))
        #expect(desk.took() == ["didStart", "leavePage", "restore"])
        desk.done?(true)
        _ = desk.took()
        desk.start()
        floating.restore()
        desk.answer?(.failure(.windowFailed("x")))
        #expect(desk.took().last == "failed: the floating window could not be opened: x" && !floating.isRestoring)
    }

    @Test("Nobody there who could restore: it stops")
    func noDelegate() {
        desk.start()
        floating.delegate = nil
        floating.restore()
        #expect(floating.state == .idle && desk.took().last == "close")
    }

    // MARK: - Closed

    @Test("Closed while it starts, by anybody: it has failed to start, and a late answer is nothing")
    func closedWhileStarting() {
        desk.answersAtOnce = nil
        desk.start()
        floating.stop()
        desk.answer?(.success(()))
        #expect(
            desk.took() == ["willStart", "open", "close", "failed: the floating window was closed before it was open"])
        desk.start()
        let late = desk.answer
        floating.windowClosed()
        #expect(desk.took() == ["willStart", "open", "failed: the floating window was closed before it was open"])
        desk.start()
        late?(.success(()))
        #expect(floating.state == .starting, "the answer to an earlier start")
    }

    @Test(
        "Closed by the user or the server while active or restoring: willStop and didStop exactly once",
        arguments: [false, true])
    func closed(isRestoring: Bool) {
        desk.start()
        if isRestoring { floating.restore() }
        _ = desk.took()
        floating.windowClosed()
        floating.windowClosed()
        floating.stop()
        #expect(desk.took() == ["willStop", "didStop false"])
    }

    @Test("Nothing floats: nothing to stop, restore or close")
    func nothing() {
        floating.stop()
        floating.windowClosed()
        #expect(!floating.restore() && desk.took().isEmpty && floating.state == .idle)
    }

    @Test(
        "Whoever is told may act at once: each start ends once, whatever is done while told",
        arguments: ["willStart", "open", "didStart", "leavePage", "willStop", "close", "restore"])
    func reentrant(line: String) {
        for act in [
            { desk.floating.stop() }, { desk.floating.windowClosed() }, { desk.floating.restore() },
            { desk.start() }, { desk.answer?(.failure(.notPossible)) }, { desk.done?(true) },
        ] as [() -> Void] {
            desk.reactions = [line: act]
            desk.start()
            floating.restore()
            floating.stop()
            desk.reactions = [:]
            floating.stop()
            let told = desk.took()
            func count(_ prefix: String) -> Int { told.count { $0.hasPrefix(prefix) } }
            #expect(count("willStart") == count("didStart") + count("failed"))
            #expect(count("didStart") == count("willStop") && count("willStop") == count("didStop"))
            #expect(floating.state == .idle && floating.element == nil)
        }
    }

    @Test("Going back as soon as it has started does not pop the page that was restored")
    func restoreOnStart() {
        desk.reactions["didStart"] = { [unowned desk] in desk.floating.restore() }
        desk.start()
        #expect(desk.took() == ["willStart", "open", "didStart", "restore"])
    }

    // MARK: - Elements

    @Test(
        "An element is asked again at its interval, by the clock, or never; however often one asks, it stays the same")
    func interval() {
        let clock = desk.element
        #expect(clock.nextWake(now: desk.now(1050)) == nil && !clock.advance(to: desk.now(0)))
        clock.redrawInterval = .milliseconds(100)
        #expect(clock.nextWake(now: desk.now(1050)) == desk.now(1100))
        #expect(clock.nextWake(now: desk.now(1099)) == desk.now(1100))
        #expect(clock.nextWake(now: desk.now(1100)) == desk.now(1200))
        #expect(clock.nextWake(now: desk.now(-50)) == desk.now(0))
        #expect(clock.nextWake(now: HostTime(nanoseconds: .max)) == nil)
        for nonsense in [Duration.zero, .seconds(-1)] {
            clock.redrawInterval = nonsense
            #expect(clock.nextWake(now: desk.now(1050)) == nil)
        }
        var isAsked = false
        clock.onNeedsDisplay = { isAsked = true }
        clock.setNeedsDisplay()
        #expect(isAsked && clock.title.isEmpty && clock.aspect == nil && !clock.isAnimating)
    }

    @Test("Any page can float: it appears and disappears with its window, also where that fails")
    func page() throws {
        let page = RecordingPage("a")
        let element = try FloatingPage(page, title: "A")
        try floating.start(element)
        #expect(page.takeDiary() == ["willAppear", "didAppear"])
        element.layout(size: Size(width: 320, height: 180), scale: 2)
        #expect(page.layer.frame == Rect(x: 0, y: 0, width: 320, height: 180))
        #expect(page.container.superlayer === element.layer)
        element.layout(size: .zero, scale: 2)
        element.layout(size: Size(width: .nan, height: 4), scale: .nan)
        #expect(page.layer.frame.size.width == 320)
        floating.stop()
        #expect(page.takeDiary() == ["willDisappear", "didDisappear"] && page.container.superlayer == nil)
        desk.answersAtOnce = .failure(.windowFailed("x"))
        try floating.start(element)
        #expect(page.takeDiary() == ["willAppear", "willDisappear", "didDisappear"])
    }

    @Test("A page that is to be laid out again says so to its window, and is, with the next frame")
    func pageLayout() throws {
        let page = RecordingPage("a")
        let element = try FloatingPage(page)
        try floating.start(element)
        element.layout(size: Size(width: 320, height: 180), scale: 1)
        var asked = 0
        element.onNeedsDisplay = { asked += 1 }
        #expect(!element.advance(to: desk.now(0)))
        page.setNeedsLayout()
        #expect(asked == 1 && element.advance(to: desk.now(1)) && !element.advance(to: desk.now(2)))
        floating.stop()
        page.setNeedsLayout()
        #expect(asked == 1)
    }

    @Test("A page that is on a stack does not float")
    func pageOnStack() {
        let page = RecordingPage("a")
        let stack = NavigationStack(root: page)
        #expect(throws: NavigationError.alreadyOnStack) { _ = try FloatingPage(page) }
        #expect(stack.top === page)
    }
}

extension FloatingDesk {
    func now(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
}
