import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Interrupting a page drag") @MainActor struct InterruptionTests {
    private let harness = NavigationHarness()
    private let page: RecordingPage
    private let user: SimulatedUser

    init() throws {
        page = try harness.pushed()
        user = SimulatedUser(harness)
    }

    private func drag(to points: Double, from x: Double = 100) {
        user.press(x)
        user.move(by: 10)
        user.move(by: points - 10)
    }

    @Test("The callbacks willBegin, didDrag and didEnd come in this order, even if settling is interrupted")
    func order() throws {
        drag(to: 500)
        user.release()
        user.frame()
        let seen = try #require(harness.stack.progress)
        user.press(990)
        user.frame(after: 300)
        #expect(harness.stack.progress == seen)
        user.move(by: -100)
        #expect(abs(harness.stack.progress! - (seen - 0.1)) < 1e-9)
        user.rest()
        harness.settle()
        let calls = page.log.map { $0.hasPrefix("drag") ? "drag" : $0 }.filter { !$0.hasSuffix("ppear") }
        #expect(calls.first == "willBegin" && calls.last == "didEnd true")
        #expect(calls.dropFirst().dropLast().allSatisfy { $0 == "drag" })
        #expect(Set(page.log.filter { $0.hasPrefix("drag") }).count > 4)
    }

    @Test("A press on the page beneath a moving page does nothing")
    func beneath() {
        let part = Part(Rect(x: 0, y: 0, width: 1000, height: 500), on: harness.root)
        drag(to: 500)
        user.release()
        user.frame(after: 20)
        let seen = harness.stack.progress! * 1000
        user.press(seen - 5)
        #expect(!harness.stack.isHeld)
        user.move(by: 200)
        user.release()
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(part.heard.isEmpty)
    }

    @Test("A press catches a page moved by the program: a click lets it continue, and a drag decides")
    func programmed() throws {
        harness.stack.pop(animated: false, now: harness.now)
        let next = RecordingPage("next")
        try harness.stack.push(next, now: harness.now)
        user.frame(after: 20)
        #expect(harness.stack.progress! > 0.8)
        user.click(995)
        harness.settle()
        #expect(harness.stack.top === next)

        harness.stack.pop(now: harness.now)
        user.frame(after: 40)
        user.press(990)
        #expect(harness.stack.isHeld)
        user.move(by: -300)
        user.rest()
        harness.settle()
        #expect(harness.stack.top === next)
        #expect(harness.stack.pages.count == 2)
    }

    @Test("A press before the first frame of a push is on neither page")
    func beforeFirstFrame() throws {
        let next = RecordingPage("next")
        try harness.stack.push(next, now: harness.now)
        user.press(500)
        #expect(!harness.stack.isHeld)
        user.release()
        harness.settle()
        #expect(harness.stack.top === next)
    }

    @Test("Escape cancels a page drag")
    func escape() {
        drag(to: 700)
        #expect(user.key(.escape))
        #expect(!harness.stack.isHeld)
        user.move(by: 100)
        user.release()
        harness.settle()
        #expect(harness.stack.top === page)
        #expect(page.log.last == "didEnd false")
        #expect(!user.key(.escape))
    }

    @Test("Escape reverses a page that the user released, but not one that the program moves")
    func escapeAfterwards() throws {
        drag(to: 500)
        user.release()
        user.frame()
        #expect(harness.stack.cancelDrag(now: harness.now))
        harness.settle()
        #expect(harness.stack.top === page)
        harness.stack.pop(now: harness.now)
        user.frame()
        #expect(!harness.stack.cancelDrag(now: harness.now))
        user.press(999)
        #expect(harness.stack.isHeld)
        user.arbiter.cancelAll(now: harness.now)
        harness.settle()
        #expect(harness.stack.top === harness.root)
    }

    @Test("Losing focus, minimizing the window or losing the pointer cancels a page drag", arguments: [true, false])
    func lost(all: Bool) {
        drag(to: 700)
        if all { user.arbiter.cancelAll(now: harness.now) } else { user.loseIt() }
        harness.settle()
        #expect(harness.stack.top === page)
        #expect(page.log.last == "didEnd false")
        user.press(100)
        user.move(by: 10)
        #expect(harness.stack.isHeld)
    }

    @Test("A second button during a drag neither ends it nor starts another")
    func secondButton() {
        drag(to: 300)
        user.press(400, button: .secondary)
        user.release(button: .secondary)
        #expect(harness.stack.isHeld)
        user.move(by: 100)
        #expect(harness.stack.progress == 0.4)
        user.rest()
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(page.log.filter { $0 == "willBegin" }.count == 1)
    }

    @Test("A window resized during a drag keeps the page at its fraction, and it keeps following the pointer")
    func resized() {
        drag(to: 400)
        harness.stack.layout(Size(width: 500, height: 500))
        user.frame()
        #expect(harness.stack.progress == 0.4)
        user.move(by: 50)
        #expect(abs(harness.stack.progress! - 0.5) < 1e-9)
        user.rest()
        harness.settle()
        #expect(harness.stack.top === harness.root)
    }

    @Test(
        "Minimizing the window while a pop settles does not lose the pop",
        arguments: [Size.zero, Size(width: 0, height: 9)])
    func minimized(size: Size) {
        drag(to: 500)
        user.release()
        user.frame()
        harness.stack.layout(size)
        user.frame()
        harness.stack.layout(Size(width: 1000, height: 500))
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(page.log.last == "didEnd true")
    }

    @Test("A programmatic pop during a drag continues if the pointer is lost")
    func poppedThenLost() {
        drag(to: 100)
        harness.stack.pop(now: harness.now)
        user.move(by: 300)
        #expect(!harness.stack.isHeld)
        user.arbiter.cancelAll(now: harness.now)
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(page.log.last == "didEnd true")
    }

    @Test("The pointer's velocity over the last 100 ms decides how a drag ends", arguments: [true, false])
    func thrown(isThrown: Bool) {
        user.press(100)
        for _ in 0..<10 { user.move(by: 15) }
        if isThrown { user.release() } else { user.rest() }
        harness.settle()
        #expect(harness.stack.top === (isThrown ? harness.root : page))
    }

    // MARK: - Touchpads

    @Test("Horizontal scroll events drive a pop, which ends after a pause of 100 ms")
    func scrolled() {
        for _ in 0..<10 { user.scroll(1, 0.1) }
        user.frame(after: 1)
        #expect(harness.stack.isHeld)
        #expect(abs(harness.stack.progress! - 0.4) < 1e-9)
        user.frame(after: 98)
        #expect(harness.stack.isHeld)
        user.frame(after: 1)
        #expect(!harness.stack.isHeld)
        harness.settle()
        #expect(harness.stack.top === harness.root)
    }

    @Test("A vertical wheel does not catch a moving page, but a sideways scroll does")
    func wheel() {
        drag(to: 500)
        user.release()
        user.scroll(0, -1, at: Point(x: 990, y: 250))
        #expect(!harness.stack.isHeld)
        harness.settle()
        #expect(harness.stack.top === harness.root)
    }

    @Test("A sideways scroll catches a returning page and can still pop it")
    func scrollTakesHold() {
        drag(to: 300)
        user.rest()
        user.frame()
        let seen = harness.stack.progress!
        for _ in 0..<5 { user.scroll(1, 0, at: Point(x: 900, y: 250)) }
        #expect(harness.stack.isHeld)
        user.frame(after: 1)
        #expect(harness.stack.progress! > seen + 0.05)
        for _ in 0..<10 { user.scroll(1, 0, at: Point(x: 900, y: 250)) }
        user.frame(after: 101)
        harness.settle()
        #expect(harness.stack.top === harness.root)
        #expect(page.log.filter { $0 == "willBegin" }.count == 1)
    }
}
