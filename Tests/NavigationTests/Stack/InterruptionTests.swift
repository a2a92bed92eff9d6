import Geometry
import Gestures
import Layers
import Testing
import Time

@testable import Navigation

@Suite("A drag and what comes between") @MainActor struct InterruptionTests {
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

    @Test("WillBegin, didDrag, didEnd come in this order, also when a second hold interrupts the settle")
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

    @Test("A press on the page beneath, while the one above moves, does nothing")
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

    @Test("A press takes hold of a page that the program moves; a click lets it continue, a drag decides")
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

    @Test("Escape cancels the drag")
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

    @Test("Escape turns back a page that was let go of, too; what the program sent off is not the user's to take back")
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

    @Test("Losing the pointer cancels: focus lost, window minimized, pointer cancelled", arguments: [true, false])
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

    @Test("A second button during a drag neither ends it nor begins another")
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

    @Test("A window resized in mid-drag: the page keeps its share, and follows the user on")
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
        "A window minimized in the middle of a settle loses no pop", arguments: [Size.zero, Size(width: 0, height: 9)])
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

    @Test("A pop by the program during a drag continues though the pointer is lost then")
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

    @Test("The end is decided by the speed of the user's last 100 ms", arguments: [true, false])
    func thrown(isThrown: Bool) {
        user.press(100)
        for _ in 0..<10 { user.move(by: 15) }
        if isThrown { user.release() } else { user.rest() }
        harness.settle()
        #expect(harness.stack.top === (isThrown ? harness.root : page))
    }

    // MARK: - Touchpads

    @Test("Horizontal scroll events drive the pop; it ends with a pause of 100 ms")
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

    @Test("A wheel that turns while a page moves does not take hold of it; a scroll along its way does")
    func wheel() {
        drag(to: 500)
        user.release()
        user.scroll(0, -1, at: Point(x: 990, y: 250))
        #expect(!harness.stack.isHeld)
        harness.settle()
        #expect(harness.stack.top === harness.root)
    }

    @Test("A scroll along its way takes hold of a page that goes back, and pops it after all")
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
