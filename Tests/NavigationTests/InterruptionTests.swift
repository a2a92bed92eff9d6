import Geometry
import Gestures
import Layers
import Testing
import Time

@testable import Navigation

@Suite("A drag and what comes between") @MainActor struct InterruptionTests {
    private let table = Table()
    private let page: RecordingPage
    private let hand: Hand

    init() throws {
        page = try table.pushed()
        hand = Hand(table)
    }

    private func drag(to points: Double, from x: Double = 100) {
        hand.press(x)
        hand.move(by: 10)
        hand.move(by: points - 10)
    }

    @Test("WillBegin, didDrag, didEnd come in this order, also when a second hold interrupts the settle")
    func order() throws {
        drag(to: 500)
        hand.release()
        hand.frame()
        let seen = try #require(table.stack.progress)
        hand.press(990)
        hand.frame(after: 300)
        #expect(table.stack.progress == seen)
        hand.move(by: -100)
        #expect(abs(table.stack.progress! - (seen - 0.1)) < 1e-9)
        hand.rest()
        table.settle()
        let calls = page.diary.map { $0.hasPrefix("drag") ? "drag" : $0 }.filter { !$0.hasSuffix("ppear") }
        #expect(calls.first == "willBegin" && calls.last == "didEnd true")
        #expect(calls.dropFirst().dropLast().allSatisfy { $0 == "drag" })
        #expect(Set(page.diary.filter { $0.hasPrefix("drag") }).count > 4)
    }

    @Test("A press on the page beneath, while the one above moves, does nothing")
    func beneath() {
        let part = Part(Rect(x: 0, y: 0, width: 1000, height: 500), on: table.root)
        drag(to: 500)
        hand.release()
        hand.frame(after: 20)
        let seen = table.stack.progress! * 1000
        hand.press(seen - 5)
        #expect(!table.stack.isHeld)
        hand.move(by: 200)
        hand.release()
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(part.heard.isEmpty)
    }

    @Test("A press takes hold of a page that the program moves; a click lets it continue, a drag decides")
    func programmed() throws {
        table.stack.pop(animated: false, now: table.now)
        let next = RecordingPage("next")
        try table.stack.push(next, now: table.now)
        hand.frame(after: 20)
        #expect(table.stack.progress! > 0.8)
        hand.click(995)
        table.settle()
        #expect(table.stack.top === next)

        table.stack.pop(now: table.now)
        hand.frame(after: 40)
        hand.press(990)
        #expect(table.stack.isHeld)
        hand.move(by: -300)
        hand.rest()
        table.settle()
        #expect(table.stack.top === next)
        #expect(table.stack.pages.count == 2)
    }

    @Test("A press before the first frame of a push is on neither page")
    func beforeFirstFrame() throws {
        let next = RecordingPage("next")
        try table.stack.push(next, now: table.now)
        hand.press(500)
        #expect(!table.stack.isHeld)
        hand.release()
        table.settle()
        #expect(table.stack.top === next)
    }

    @Test("Escape cancels the drag")
    func escape() {
        drag(to: 700)
        #expect(hand.key(.escape))
        #expect(!table.stack.isHeld)
        hand.move(by: 100)
        hand.release()
        table.settle()
        #expect(table.stack.top === page)
        #expect(page.diary.last == "didEnd false")
        #expect(!hand.key(.escape))
    }

    @Test("Escape turns back a page that was let go of, too; what the program sent off is not the user's to take back")
    func escapeAfterwards() throws {
        drag(to: 500)
        hand.release()
        hand.frame()
        #expect(table.stack.cancelDrag(now: table.now))
        table.settle()
        #expect(table.stack.top === page)
        table.stack.pop(now: table.now)
        hand.frame()
        #expect(!table.stack.cancelDrag(now: table.now))
        hand.press(999)
        #expect(table.stack.isHeld)
        hand.arbiter.cancelAll(now: table.now)
        table.settle()
        #expect(table.stack.top === table.root)
    }

    @Test("Losing the pointer cancels: focus lost, window minimized, pointer cancelled", arguments: [true, false])
    func lost(all: Bool) {
        drag(to: 700)
        if all { hand.arbiter.cancelAll(now: table.now) } else { hand.loseIt() }
        table.settle()
        #expect(table.stack.top === page)
        #expect(page.diary.last == "didEnd false")
        hand.press(100)
        hand.move(by: 10)
        #expect(table.stack.isHeld)
    }

    @Test("A second button during a drag neither ends it nor begins another")
    func secondButton() {
        drag(to: 300)
        hand.press(400, button: .secondary)
        hand.release(button: .secondary)
        #expect(table.stack.isHeld)
        hand.move(by: 100)
        #expect(table.stack.progress == 0.4)
        hand.rest()
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(page.diary.filter { $0 == "willBegin" }.count == 1)
    }

    @Test("A window resized in mid-drag: the page keeps its share, and follows the user on")
    func resized() {
        drag(to: 400)
        table.stack.layout(Size(width: 500, height: 500))
        hand.frame()
        #expect(table.stack.progress == 0.4)
        hand.move(by: 50)
        #expect(abs(table.stack.progress! - 0.5) < 1e-9)
        hand.rest()
        table.settle()
        #expect(table.stack.top === table.root)
    }

    @Test(
        "A window minimized in the middle of a settle loses no pop", arguments: [Size.zero, Size(width: 0, height: 9)])
    func minimized(size: Size) {
        drag(to: 500)
        hand.release()
        hand.frame()
        table.stack.layout(size)
        hand.frame()
        table.stack.layout(Size(width: 1000, height: 500))
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(page.diary.last == "didEnd true")
    }

    @Test("A pop by the program during a drag continues though the pointer is lost then")
    func poppedThenLost() {
        drag(to: 100)
        table.stack.pop(now: table.now)
        hand.move(by: 300)
        #expect(!table.stack.isHeld)
        hand.arbiter.cancelAll(now: table.now)
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(page.diary.last == "didEnd true")
    }

    @Test("The end is decided by the speed of the user's last 100 ms", arguments: [true, false])
    func thrown(isThrown: Bool) {
        hand.press(100)
        for _ in 0..<10 { hand.move(by: 15) }
        if isThrown { hand.release() } else { hand.rest() }
        table.settle()
        #expect(table.stack.top === (isThrown ? table.root : page))
    }

    // MARK: - Touchpads

    @Test("Horizontal scroll events drive the pop; it ends with a pause of 100 ms")
    func scrolled() {
        for _ in 0..<10 { hand.scroll(1, 0.1) }
        hand.frame(after: 1)
        #expect(table.stack.isHeld)
        #expect(abs(table.stack.progress! - 0.4) < 1e-9)
        hand.frame(after: 98)
        #expect(table.stack.isHeld)
        hand.frame(after: 1)
        #expect(!table.stack.isHeld)
        table.settle()
        #expect(table.stack.top === table.root)
    }

    @Test("A wheel that turns while a page moves does not take hold of it; a scroll along its way does")
    func wheel() {
        drag(to: 500)
        hand.release()
        hand.scroll(0, -1, at: Point(x: 990, y: 250))
        #expect(!table.stack.isHeld)
        table.settle()
        #expect(table.stack.top === table.root)
    }

    @Test("A scroll along its way takes hold of a page that goes back, and pops it after all")
    func scrollTakesHold() {
        drag(to: 300)
        hand.rest()
        hand.frame()
        let seen = table.stack.progress!
        for _ in 0..<5 { hand.scroll(1, 0, at: Point(x: 900, y: 250)) }
        #expect(table.stack.isHeld)
        hand.frame(after: 1)
        #expect(table.stack.progress! > seen + 0.05)
        for _ in 0..<10 { hand.scroll(1, 0, at: Point(x: 900, y: 250)) }
        hand.frame(after: 101)
        table.settle()
        #expect(table.stack.top === table.root)
        #expect(page.diary.filter { $0 == "willBegin" }.count == 1)
    }
}
