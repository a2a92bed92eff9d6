import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Dragging the fullscreen element down") @MainActor struct FullscreenDragTests {
    private let harness = FullscreenHarness()
    private var fullscreen: FullscreenController { harness.fullscreen }
    private var element: RecordingElement { harness.element }
    private let middle = Point(x: 500, y: 250)

    init() { harness.enter() }

    @Test(
        "While dragged, progress is 1 - dy / (0.6 of the height), clamped to 0…1",
        arguments: [(0.0, 1.0), (30, 0.9), (150, 0.5), (300, 0), (450, 0), (-100, 1)])
    func scales(dy: Double, progress: Double) {
        harness.drag(0, dy)
        #expect(fullscreen.isHeld && fullscreen.state == .moving && !fullscreen.isAnimating)
        #expect(abs(harness.seen.progress - progress) < 1e-9)
        #expect(abs(harness.seen.frame.size.width - (320 + 680 * progress)) < 1e-6)
        #expect(abs(harness.seen.cornerRadius - 12 * (1 - progress)) < 1e-9)
    }

    @Test("While dragged the center follows the pointer sideways and down, but not above the top")
    func follows() {
        harness.drag(-40, 120)
        #expect((harness.seen.frame.centre - middle - Point(x: -40, y: 120)).magnitude < 1e-9)
        harness.drag(60, 420)
        #expect((harness.seen.frame.centre - middle - Point(x: 60, y: 420)).magnitude < 1e-9)
        harness.drag(20, -80)
        #expect((harness.seen.frame.centre - middle - Point(x: 20, y: 0)).magnitude < 1e-9)
    }

    @Test(
        "Dragged to either side instead of down, it shrinks with the distance to that side and follows the pointer",
        arguments: [(FullscreenController.DragDirection.left, -1.0), (.right, 1)])
    func sideways(direction: FullscreenController.DragDirection, sign: Double) {
        #expect(fullscreen.beginDrag(direction, now: harness.now))
        // 0.6 of the width of 1000.
        harness.drag(sign * 150, 40)
        #expect(abs(harness.seen.progress - 0.75) < 1e-9)
        #expect((harness.seen.frame.centre - middle - Point(x: sign * 150, y: 40)).magnitude < 1e-9)
        harness.drag(-sign * 80, -20)
        #expect(harness.seen.progress == 1, "not beyond the whole window on the other side")
        #expect((harness.seen.frame.centre - middle - Point(x: 0, y: -20)).magnitude < 1e-9)
        harness.drag(sign * 200, 0)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 500, height: 500)
        harness.drag(sign * 230, 0)
        let progress = 1 - 200.0 / 600 - 30.0 / 300
        #expect(abs(harness.seen.progress - progress) < 1e-9, "the last 30 in a window that has become smaller")
        fullscreen.endDrag(velocity: Point(x: sign * 400, y: 0), now: harness.now)
        harness.settle()
        #expect(fullscreen.state == .inline)
    }

    @Test("Catching the element reports movement without changing its frame")
    func begin() {
        let count = element.figures.count
        #expect(fullscreen.beginDrag(now: harness.now) && !fullscreen.beginDrag(now: harness.now))
        harness.frame()
        #expect(element.figures.count == count && harness.takeLog() == ["moving"])
    }

    @Test(
        "Released, it returns if it would coast beyond 0.35 of the way within 0.25 s, else it springs back",
        arguments: [
            (104.0, 0.0, false), (105, 0, true), (0, 0, false), (30, 299, false), (30, 301, true), (200, -500, false),
            (200, -300, true), (400, 0, true),
        ])
    func lettingGo(dy: Double, speed: Double, goesBack: Bool) {
        harness.drag(0, dy)
        fullscreen.endDrag(velocity: Point(x: 0, y: speed), now: harness.now)
        #expect(fullscreen.isAnimating || dy == 0)
        harness.settle()
        #expect(fullscreen.state == (goesBack ? .inline : .fullscreen))
        let place = Rect(x: 100, y: 100, width: 320, height: 180)
        #expect(harness.seen.frame == (goesBack ? place : FullscreenHarness.bounds), "exactly")
        #expect(
            harness.takeLog()
                == (goesBack ? ["returned", "moving", "window false", "inline"] : ["moving", "fullscreen"]))
    }

    @Test(
        "Settling takes over the pointer's velocity without a jump",
        arguments: [Point(x: 0, y: 600), Point(x: -400, y: 900), Point(x: 300, y: -700), Point(x: 2000, y: 3000)])
    func continuous(velocity: Point) {
        harness.drag(-30, 140)
        let held = harness.seen
        fullscreen.endDrag(velocity: velocity, now: harness.now)
        #expect(harness.seen.frame.isNear(held.frame) && harness.seen.progress == held.progress)
        harness.frame(after: 0.01)
        let moved = (harness.seen.frame.centre - held.frame.centre).scaled(by: 1 / 1e-5)
        #expect((moved - velocity).magnitude < 0.01 * velocity.magnitude + 10)
        let faster = (harness.seen.progress - held.progress) / 1e-5
        #expect(abs(faster + velocity.y / 300) < 0.01 * abs(velocity.y / 300) + 0.05)
    }

    @Test(
        "Settling visibly takes at most 0.5 s, however fast the fling",
        arguments: [
            Point.zero, Point(x: 0, y: 20_000), Point(x: 1e9, y: 1e9), Point(x: 0, y: -1e12),
            Point(x: .nan, y: .infinity),
        ])
    func settleLimit(velocity: Point) {
        for (x, y) in [(0.0, 10.0), (-900, 299), (3000, 4000)] {
            harness.drag(x, y)
            fullscreen.endDrag(velocity: velocity, now: harness.now)
            for _ in 0..<50 where fullscreen.isAnimating {
                harness.frame()
                #expect((0...1).contains(harness.seen.progress) && harness.seen.frame.magnitude.isFinite)
            }
            #expect(!fullscreen.isAnimating && fullscreen.state != .moving)
            harness.enter()
        }
    }

    @Test("A press while settling catches the element where it is, in either direction", arguments: [0.0, 800])
    func takesHold(speed: Double) {
        harness.drag(80, 90)
        fullscreen.endDrag(velocity: Point(x: 0, y: speed), now: harness.now)
        harness.frame(after: 60)
        let seen = harness.seen
        #expect(fullscreen.beginDrag(now: harness.now))
        harness.frame(after: 30)
        #expect(harness.seen.frame.isNear(seen.frame) && abs(harness.seen.progress - seen.progress) < 1e-9)
        harness.drag(5, 30)
        #expect((harness.seen.frame.centre - seen.frame.centre - Point(x: 5, y: 30)).magnitude < 1e-6)
        #expect(abs(harness.seen.progress - (seen.progress - 0.1)) < 1e-9)
        fullscreen.endDrag(velocity: .zero, now: harness.now)
        harness.settle()
        #expect(fullscreen.state != .moving)
    }

    @Test("Losing the pointer springs the element back to fullscreen from anywhere")
    func lost() {
        harness.drag(50, 290)
        fullscreen.cancelDrag(now: harness.now)
        #expect(!fullscreen.isHeld)
        harness.settle()
        #expect(fullscreen.state == .fullscreen && harness.seen == FullscreenGeometry(frame: FullscreenHarness.bounds))
        fullscreen.cancelDrag(now: harness.now)
        fullscreen.endDrag(velocity: Point(x: 0, y: 9000), now: harness.now)
        #expect(fullscreen.state == .fullscreen)
    }

    @Test("Released, the element follows its item's place in each frame")
    func followsItem() {
        harness.drag(0, 250)
        fullscreen.endDrag(velocity: .zero, now: harness.now)
        harness.frame(after: 100)
        element.inlinePlace = InlinePlace(frame: Rect(x: 600, y: 20, width: 200, height: 100), cornerRadius: 3)
        harness.settle()
        #expect(harness.seen.frame == Rect(x: 600, y: 20, width: 200, height: 100) && harness.seen.cornerRadius == 3)
    }

    @Test("If the item disappears during a drag, the element fades out on release, or springs back if flung up")
    func gone() {
        harness.drag(40, 320)
        element.inlinePlace = nil
        harness.frame()
        let held = harness.seen
        #expect(held.opacity == 1)
        fullscreen.endDrag(velocity: .zero, now: harness.now)
        harness.frame(after: 50)
        #expect(harness.seen.frame == held.frame && harness.seen.opacity < 1 && harness.seen.opacity > 0)
        #expect(!fullscreen.beginDrag(now: harness.now), "what fades is not held")
        harness.settle()
        #expect(harness.takeLog().first == "gone")
        harness.enter()
        harness.drag(0, 200)
        fullscreen.endDrag(velocity: Point(x: 0, y: -3000), now: harness.now)
        harness.settle()
        #expect(harness.seen == FullscreenGeometry(frame: FullscreenHarness.bounds))
    }

    @Test("An element without a place shrinks about its center")
    func nowhere() {
        let other = FullscreenHarness()
        other.element.inlinePlace = nil
        other.enter()
        other.drag(0, 300)
        #expect(other.seen.frame.isNear(Rect(x: 250, y: 425, width: 500, height: 250)))
    }

    @Test(
        "A request during a drag ends the drag, and during settling it reverses without a jump"
    )
    func requests() {
        harness.drag(30, 60)
        var seen = harness.seen
        #expect(fullscreen.leave(now: harness.now) && !fullscreen.isHeld && harness.seen.frame.isNear(seen.frame))
        harness.frame(after: 80)
        seen = harness.seen
        #expect(!fullscreen.leave(now: harness.now) && fullscreen.enter(element, now: harness.now))
        #expect(harness.seen.frame.isNear(seen.frame))
        harness.settle()
        #expect(fullscreen.state == .fullscreen)
        harness.drag(0, 200)
        #expect(fullscreen.enter(element, now: harness.now))
        harness.settle()
        #expect(fullscreen.state == .fullscreen)
    }

    @Test("Resizing the window during a drag keeps the progress and then uses the new height")
    func resized() {
        harness.drag(20, 60)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 2000, height: 1000)
        harness.frame()
        #expect(abs(harness.seen.progress - 0.8) < 1e-9)
        #expect((harness.seen.frame.centre - Point(x: 1020, y: 560)).magnitude < 1e-6)
        harness.drag(20, 120)
        #expect(abs(harness.seen.progress - 0.7) < 1e-9)
        fullscreen.bounds = .zero
        harness.frame()
        #expect(abs(harness.seen.progress - 0.7) < 1e-9)
    }

    @Test("Non-finite and huge translations are ignored", arguments: [Double.nan, .infinity, 1e300])
    func nonsense(value: Double) {
        harness.drag(0, 60)
        let seen = harness.seen
        harness.drag(value, 0)
        harness.drag(0, value)
        #expect(harness.seen == seen)
        fullscreen.endDrag(velocity: Point(x: value, y: value), now: harness.now)
        harness.settle()
        #expect(fullscreen.state != .moving)
    }

    @Test("Nothing can be caught outside of fullscreen, and a drag without catching does nothing")
    func nothing() {
        let empty = FullscreenHarness()
        #expect(!empty.fullscreen.beginDrag(now: empty.now))
        empty.fullscreen.drag(by: Point(x: 1, y: 1), now: empty.now)
        empty.fullscreen.endDrag(velocity: .zero, now: empty.now)
        empty.fullscreen.cancelDrag(now: empty.now)
        #expect(!empty.fullscreen.advance(to: empty.now) && empty.takeLog().isEmpty)
    }

    @Test("After any sequence of input the transition ends, callbacks are paired and frames finite")
    func noise() {
        var state: UInt64 = 7
        func random(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let place = element.inlinePlace
        for _ in 0..<20_000 {
            switch random(12) {
            case 0: fullscreen.enter(element, isAnimated: random(8) > 0, now: harness.now)
            case 1: fullscreen.leave(isAnimated: random(8) > 0, now: harness.now)
            case 2: _ = fullscreen.beginDrag(now: harness.now)
            case 3, 4:
                fullscreen.drag(by: Point(x: Double(random(900)) - 450, y: Double(random(900)) - 300), now: harness.now)
            case 5:
                fullscreen.endDrag(
                    velocity: Point(x: Double(random(4000)) - 2000, y: Double(random(4000)) - 2000), now: harness.now)
            case 6: fullscreen.cancelDrag(now: harness.now)
            case 7: element.inlinePlace = random(3) == 0 ? nil : place
            case 8:
                if random(6) == 0 {
                    fullscreen.bounds = Rect(x: 0, y: 0, width: Double(random(2000)), height: Double(random(2000)))
                }
            case 9: if random(9) == 0 { fullscreen.windowLeft(now: harness.now) }
            default: harness.frame(after: Double(random(80)))
            }
            let seen = harness.seen
            #expect((0...1).contains(seen.progress) && (0...1).contains(seen.opacity))
            #expect(seen.frame.magnitude.isFinite && seen.frame.size.width >= 0)
            #expect((fullscreen.element == nil) == (fullscreen.state == .inline))
            element.figures.removeAll(keepingCapacity: true)
            element.figures.append(seen)
        }
        fullscreen.leave(now: harness.now)
        fullscreen.cancelDrag(now: harness.now)
        harness.settle()
        fullscreen.leave(now: harness.now)
        harness.settle()
        #expect(fullscreen.state == .inline)
        let told = element.log
        for (index, line) in told.enumerated() { #expect((line != "willLeave") == index.isMultiple(of: 2)) }
    }
}
