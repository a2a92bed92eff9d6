import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Floating life cycle") @MainActor struct FloatingTests {
    private let harness = FloatingHarness()
    private var floating: FloatingController { harness.floating }
    private let started = ["willStart", "open", "didStart", "leavePage"]

    @Test("Starting calls willStart and didStart around opening the window, and closing calls willStop and didStop")
    func order() {
        #expect(floating.isPossible && !floating.isActive)
        #expect(harness.start() == nil)
        #expect(floating.isActive && floating.element === harness.element)
        #expect(harness.took() == started)
        floating.stop()
        #expect(harness.took() == ["willStop", "close", "didStop false"])
        #expect(floating.state == .idle && floating.element == nil)
        #expect(harness.element.states == [.starting, .active, .stopping, .idle])
    }

    @Test("Floating starts when the window is open, and states are reported after they have changed")
    func waits() {
        harness.answersAtOnce = nil
        var states: [FloatingState] = []
        floating.onStateChange = { [unowned harness] in
            #expect($0 == harness.floating.state)
            states.append($0)
        }
        harness.start()
        #expect(harness.took() == ["willStart", "open"] && floating.state == .starting)
        harness.answer?(.success(()))
        harness.answer?(.success(()))
        #expect(harness.took() == ["didStart", "leavePage"])
        floating.windowClosed()
        #expect(states == [.starting, .active, .stopping, .idle])
    }

    @Test("With leavesPageOnStart off the page stays")
    func staysOnPage() {
        floating.leavesPageOnStart = false
        harness.start()
        #expect(harness.took() == ["willStart", "open", "didStart"])
    }

    @Test("If the window cannot be opened failedToStart is called, and there is nothing to stop")
    func fails() {
        harness.answersAtOnce = .failure(.windowFailed("no display"))
        #expect(harness.start() == nil)
        #expect(harness.took() == ["willStart", "open", "failed: the floating window could not be opened: no display"])
        #expect(floating.state == .idle)
        harness.answer?(.success(()))
        #expect(harness.took().isEmpty)
        #expect(harness.element.states == [.starting, .idle])
    }

    @Test("A second start while starting or active is refused, and so is one where floating is unavailable")
    func refused() {
        harness.answersAtOnce = nil
        harness.start()
        #expect(harness.start() == .alreadyFloating)
        harness.answer?(.success(()))
        #expect(harness.start() == .alreadyFloating)
        floating.stop()
        _ = harness.took()
        harness.canFloat = false
        #expect(!floating.isPossible && harness.start() == .notPossible)
        let homeless = FloatingController()
        #expect(!homeless.isPossible)
        #expect(throws: FloatingError.notPossible) { try homeless.start(harness.element) }
        #expect(harness.took().isEmpty)
    }

    // MARK: - Going back

    @Test("Returning calls restoreUserInterface, and willStop and didStop only when that is done")
    func restore() {
        harness.start()
        _ = harness.took()
        #expect(floating.restore() && floating.isRestoring && floating.isActive)
        #expect(harness.took() == ["restore"])
        #expect(!floating.restore(), "once is enough")
        harness.done?(true)
        #expect(harness.took() == ["willStop", "close", "didStop true"])
        #expect(!floating.isRestoring)
    }

    @Test("A restore completion called twice, after closing or in a later session has no effect")
    func doneTwice() {
        harness.start()
        floating.restore()
        let done = harness.done
        done?(true)
        done?(true)
        harness.start()
        floating.restore()
        _ = harness.took()
        done?(true)
        #expect(floating.isActive && harness.took().isEmpty)
        floating.windowClosed()
        harness.done?(true)
        #expect(harness.took() == ["willStop", "didStop false"])
    }

    @Test("A restore completion may be called at once, also with failure")
    func doneAtOnce() {
        harness.reactions["restore"] = { [unowned harness] in harness.done?(false) }
        harness.start()
        _ = harness.took()
        floating.restore()
        #expect(harness.took() == ["restore", "willStop", "close", "didStop false"])
    }

    @Test("If the restore completion is never called, the user can still close the window")
    func doneNever() {
        harness.start()
        floating.restore()
        _ = harness.took()
        floating.stop()
        #expect(harness.took() == ["willStop", "close", "didStop false"] && floating.state == .idle)
        #expect(harness.start() == nil && !floating.isRestoring)
    }

    @Test("Restoring while starting waits for the start, and is dropped if that fails")
    func restoreWhileStarting() {
        harness.answersAtOnce = nil
        #expect(!floating.restore())
        harness.start()
        #expect(floating.restore() && !floating.restore())
        #expect(harness.took() == ["willStart", "open"])
        harness.answer?(.success(()))
        #expect(harness.took() == ["didStart", "leavePage", "restore"])
        harness.done?(true)
        _ = harness.took()
        harness.start()
        floating.restore()
        harness.answer?(.failure(.windowFailed("x")))
        #expect(harness.took().last == "failed: the floating window could not be opened: x" && !floating.isRestoring)
    }

    @Test("Without a delegate to restore the page, returning stops")
    func noDelegate() {
        harness.start()
        floating.delegate = nil
        floating.restore()
        #expect(floating.state == .idle && harness.took().last == "close")
    }

    // MARK: - Closed

    @Test("Closing while starting counts as a failed start, and a late answer is ignored")
    func closedWhileStarting() {
        harness.answersAtOnce = nil
        harness.start()
        floating.stop()
        harness.answer?(.success(()))
        #expect(
            harness.took() == [
                "willStart", "open", "close", "failed: the floating window was closed before it opened",
            ])
        harness.start()
        let late = harness.answer
        floating.windowClosed()
        #expect(harness.took() == ["willStart", "open", "failed: the floating window was closed before it opened"])
        harness.start()
        late?(.success(()))
        #expect(floating.state == .starting, "the answer to an earlier start")
    }

    @Test(
        "Closing while active or restoring calls willStop and didStop exactly once",
        arguments: [false, true])
    func closed(isRestoring: Bool) {
        harness.start()
        if isRestoring { floating.restore() }
        _ = harness.took()
        floating.windowClosed()
        floating.windowClosed()
        floating.stop()
        #expect(harness.took() == ["willStop", "didStop false"])
    }

    @Test("Without a floating element there is nothing to stop, restore or close")
    func nothing() {
        floating.stop()
        floating.windowClosed()
        #expect(!floating.restore() && harness.took().isEmpty && floating.state == .idle)
    }

    @Test(
        "Delegates may act within any callback, and each start still ends exactly once",
        arguments: ["willStart", "open", "didStart", "leavePage", "willStop", "close", "restore"])
    func reentrant(line: String) {
        for act in [
            { harness.floating.stop() }, { harness.floating.windowClosed() }, { harness.floating.restore() },
            { harness.start() }, { harness.answer?(.failure(.notPossible)) }, { harness.done?(true) },
        ] as [() -> Void] {
            harness.reactions = [line: act]
            harness.start()
            floating.restore()
            floating.stop()
            harness.reactions = [:]
            floating.stop()
            let told = harness.took()
            func count(_ prefix: String) -> Int { told.count { $0.hasPrefix(prefix) } }
            #expect(count("willStart") == count("didStart") + count("failed"))
            #expect(count("didStart") == count("willStop") && count("willStop") == count("didStop"))
            #expect(floating.state == .idle && floating.element == nil)
        }
    }

    @Test("Going back right after the start does not pop the restored page")
    func restoreOnStart() {
        harness.reactions["didStart"] = { [unowned harness] in harness.floating.restore() }
        harness.start()
        #expect(harness.took() == ["willStart", "open", "didStart", "restore"])
    }

    // MARK: - Elements

    @Test(
        "An element is redrawn at its own interval or never, however often it is asked")
    func interval() {
        let clock = harness.element
        #expect(clock.nextWake(now: harness.now(1050)) == nil && !clock.advance(to: harness.now(0)))
        clock.redrawInterval = .milliseconds(100)
        #expect(clock.nextWake(now: harness.now(1050)) == harness.now(1100))
        #expect(clock.nextWake(now: harness.now(1099)) == harness.now(1100))
        #expect(clock.nextWake(now: harness.now(1100)) == harness.now(1200))
        #expect(clock.nextWake(now: harness.now(-50)) == harness.now(0))
        #expect(clock.nextWake(now: HostTime(nanoseconds: .max)) == nil)
        for nonsense in [Duration.zero, .seconds(-1)] {
            clock.redrawInterval = nonsense
            #expect(clock.nextWake(now: harness.now(1050)) == nil)
        }
        var isAsked = false
        clock.onNeedsDisplay = { isAsked = true }
        clock.setNeedsDisplay()
        #expect(isAsked && clock.title.isEmpty && clock.aspect == nil && !clock.isAnimating)
    }

    @Test("Any page can float, and appears and disappears with its window, even if that fails")
    func page() throws {
        let page = RecordingPage("a")
        let element = try FloatingPage(page, title: "A")
        try floating.start(element)
        #expect(page.takeLog() == ["willAppear", "didAppear"])
        element.layout(size: Size(width: 320, height: 180), scale: 2)
        #expect(page.layer.frame == Rect(x: 0, y: 0, width: 320, height: 180))
        #expect(page.container.superlayer === element.layer)
        element.layout(size: .zero, scale: 2)
        element.layout(size: Size(width: .nan, height: 4), scale: .nan)
        #expect(page.layer.frame.size.width == 320)
        floating.stop()
        #expect(page.takeLog() == ["willDisappear", "didDisappear"] && page.container.superlayer == nil)
        harness.answersAtOnce = .failure(.windowFailed("x"))
        try floating.start(element)
        #expect(page.takeLog() == ["willAppear", "willDisappear", "didDisappear"])
    }

    @Test("A floating page that needs layout asks its window for a frame and is laid out with it")
    func pageLayout() throws {
        let page = RecordingPage("a")
        let element = try FloatingPage(page)
        try floating.start(element)
        element.layout(size: Size(width: 320, height: 180), scale: 1)
        var asked = 0
        element.onNeedsDisplay = { asked += 1 }
        #expect(!element.advance(to: harness.now(0)))
        page.setNeedsLayout()
        #expect(asked == 1 && element.advance(to: harness.now(1)) && !element.advance(to: harness.now(2)))
        floating.stop()
        page.setNeedsLayout()
        #expect(asked == 1)
    }

    @Test("A page on a stack cannot float")
    func pageOnStack() {
        let page = RecordingPage("a")
        let stack = NavigationStack(root: page)
        #expect(throws: NavigationError.alreadyOnStack) { _ = try FloatingPage(page) }
        #expect(stack.top === page)
    }
}

extension FloatingHarness {
    func now(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
}
