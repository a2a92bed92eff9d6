import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Fullscreen transition") @MainActor struct FullscreenTests {
    private let harness = FullscreenHarness()
    private var fullscreen: FullscreenController { harness.fullscreen }
    private var element: RecordingElement { harness.element }

    // MARK: - Entering

    @Test("Entering grows the element from its current frame to the whole window in 0.5 s, eased in and out")
    func enter() {
        #expect(fullscreen.enter(element, now: harness.now))
        #expect(
            harness.seen
                == FullscreenGeometry(
                    frame: Rect(x: 100, y: 100, width: 320, height: 180), cornerRadius: 12, progress: 0)
        )
        harness.frame(after: 250)
        #expect(abs(harness.seen.progress - 0.5) < 1e-6)
        #expect(harness.seen.frame.isNear(Rect(x: 50, y: 50, width: 660, height: 340), within: 1e-3))
        #expect(abs(harness.seen.cornerRadius - 6) < 1e-4)
        harness.frame(after: 249)
        #expect(fullscreen.state == .moving && harness.seen.progress < 1)
        harness.frame(after: 1)
        #expect(fullscreen.state == .fullscreen && !fullscreen.isAnimating)
        #expect(harness.seen == FullscreenGeometry(frame: FullscreenHarness.bounds))
        #expect(harness.takeLog() == ["willLeave", "window true", "moving", "fullscreen"])
    }

    @Test("Progress increases with every frame, and each geometry is shown once")
    func monotonous() {
        fullscreen.enter(element, now: harness.now)
        harness.settle()
        let steps = element.figures.map(\.progress)
        #expect(steps == steps.sorted() && Set(steps).count == steps.count)
        #expect(steps.first == 0 && steps.last == 1)
        #expect(!harness.frame() && element.figures.count == steps.count)
    }

    @Test("Without animation, or without a known place, entering takes effect at once")
    func atOnce() {
        fullscreen.enter(element, isAnimated: false, now: harness.now)
        #expect(
            fullscreen.state == .fullscreen && element.figures == [FullscreenGeometry(frame: FullscreenHarness.bounds)])
        #expect(harness.takeLog() == ["willLeave", "window true", "fullscreen"])
        let other = FullscreenHarness()
        other.element.inlinePlace = nil
        #expect(other.fullscreen.enter(other.element, now: other.now))
        #expect(other.fullscreen.state == .fullscreen)
    }

    @Test("Entering is refused in a minimized window and in one without a size")
    func refused() {
        fullscreen.isRefused = { true }
        #expect(!fullscreen.enter(element, now: harness.now))
        #expect(fullscreen.state == .inline && fullscreen.element == nil && harness.takeLog().isEmpty)
        let none = FullscreenController()
        #expect(!none.enter(element, now: harness.now))
    }

    @Test("While one element is fullscreen or in transition, a second one is refused")
    func second() {
        let other = RecordingElement()
        fullscreen.enter(element, now: harness.now)
        #expect(!fullscreen.enter(other, now: harness.now))
        harness.settle()
        #expect(!fullscreen.enter(other, now: harness.now) && !fullscreen.enter(element, now: harness.now))
        harness.leave()
        #expect(!fullscreen.enter(other, now: harness.now))
        harness.settle()
        #expect(fullscreen.enter(other, now: harness.now))
        #expect(other.log == ["willLeave"])
    }

    // MARK: - Leaving

    @Test("Leaving returns to the item's place in exactly 0.5 s, and then the window leaves fullscreen")
    func leave() {
        harness.enter()
        #expect(fullscreen.leave(now: harness.now))
        harness.frame(after: 499)
        #expect(fullscreen.state == .moving)
        harness.frame(after: 1)
        #expect(fullscreen.state == .inline && fullscreen.element == nil)
        #expect(
            harness.seen
                == FullscreenGeometry(
                    frame: Rect(x: 100, y: 100, width: 320, height: 180), cornerRadius: 12, progress: 0))
        #expect(harness.takeLog() == ["returned", "moving", "window false", "inline"])
        #expect(!fullscreen.leave(now: harness.now))
    }

    @Test("Leaving follows the item's place in each frame, for example in a scrolling list")
    func scrolled() {
        harness.enter()
        element.inlinePlace = InlinePlace(frame: Rect(x: 0, y: 400, width: 100, height: 100), cornerRadius: 4)
        harness.leave()
        for _ in 0..<49 {
            element.inlinePlace?.frame.origin.y -= 5
            let before = harness.seen.frame
            harness.frame()
            #expect((harness.seen.frame - before).magnitude < 90)
        }
        element.inlinePlace?.frame.origin.y = 150
        element.inlinePlace?.frame.size.width = 120
        harness.settle()
        #expect(harness.seen.frame == Rect(x: 0, y: 150, width: 120, height: 100) && harness.seen.cornerRadius == 4)
        #expect(harness.takeLog().first == "returned")
    }

    @Test("Item places are in the pages' coordinates, and geometry is in the window's")
    func home() {
        fullscreen.pagesFrame = Rect(x: 200, y: 60, width: 600, height: 400)
        fullscreen.enter(element, now: harness.now)
        #expect(harness.seen.frame.origin == Point(x: 300, y: 160))
        fullscreen.pagesFrame.origin.x = 100
        harness.frame(after: 0)
        #expect(harness.seen.frame.origin == Point(x: 200, y: 160), "also when it changes on the way")
    }

    @Test("If the item is gone when leaving starts, the element fades out in place over 0.5 s")
    func gone() {
        harness.enter()
        element.inlinePlace = nil
        harness.leave()
        harness.frame(after: 250)
        #expect(harness.seen.frame == FullscreenHarness.bounds && abs(harness.seen.opacity - 0.5) < 1e-6)
        harness.frame(after: 250)
        #expect(harness.seen.frame == FullscreenHarness.bounds && harness.seen.opacity == 0)
        #expect(harness.takeLog() == ["gone", "moving", "window false", "inline"])
    }

    @Test(
        "If the item disappears while leaving, the element fades out in place, even if the item comes back")
    func goneOnTheWay() {
        harness.enter()
        harness.leave()
        harness.frame(after: 300)
        let frozen = harness.seen
        let place = element.inlinePlace
        element.inlinePlace = nil
        harness.frame()
        element.inlinePlace = place
        var opacities = [harness.seen.opacity]
        for _ in 0..<18 {
            harness.frame()
            #expect(harness.seen.frame == frozen.frame && harness.seen.cornerRadius == frozen.cornerRadius)
            opacities.append(harness.seen.opacity)
        }
        #expect(opacities.first! == 1 && opacities == opacities.sorted(by: >) && opacities.last! > 0)
        harness.frame()
        #expect(harness.seen.opacity == 0 && harness.takeLog().first == "gone")
    }

    @Test("If the window leaves fullscreen by itself, the element is inline at once and the window is not asked")
    func windowLeft() {
        harness.enter()
        fullscreen.windowLeft(now: harness.now)
        #expect(fullscreen.state == .inline && harness.takeLog() == ["returned", "inline"])
        fullscreen.windowLeft(now: harness.now)
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 100)
        element.inlinePlace = nil
        fullscreen.windowLeft(now: harness.now)
        #expect(harness.takeLog() == ["willLeave", "gone", "window true", "moving", "inline"])
        #expect(!harness.frame())
    }

    @Test("Leaving without animation puts the element in its place at once, or hides it")
    func leaveAtOnce() {
        harness.enter()
        element.inlinePlace?.frame.origin.y = 7
        fullscreen.leave(isAnimated: false, now: harness.now)
        #expect(harness.seen.frame.minY == 7 && harness.takeLog() == ["returned", "window false", "inline"])
        harness.enter()
        element.inlinePlace = nil
        fullscreen.leave(isAnimated: false, now: harness.now)
        #expect(harness.takeLog() == ["gone", "window false", "inline"])
    }

    // MARK: - Turning back

    @Test("Repeated requests during the transition are dropped")
    func dropped() {
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 200)
        #expect(!fullscreen.enter(element, now: harness.now) && !fullscreen.beginDrag(now: harness.now))
        harness.settle()
        harness.leave()
        harness.frame(after: 200)
        #expect(!fullscreen.leave(now: harness.now) && !fullscreen.leave(isAnimated: false, now: harness.now))
        #expect(!fullscreen.beginDrag(now: harness.now))
        #expect(fullscreen.state == .moving)
    }

    @Test("The transition can always be reversed, and takes as long back as it took so far")
    func turnedBack() {
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 200)
        let seen = harness.seen
        #expect(fullscreen.leave(now: harness.now))
        #expect(harness.seen == seen, "without a jump")
        harness.frame(after: 500 * seen.progress - 1)
        #expect(fullscreen.state == .moving)
        harness.frame(after: 1.1)
        #expect(fullscreen.state == .inline)
        #expect(harness.takeLog() == ["willLeave", "returned", "window true", "moving", "window false", "inline"])
    }

    @Test("Reversed repeatedly, the element never jumps and leaves its place only once")
    func turnedOften() {
        fullscreen.enter(element, now: harness.now)
        for turn in 0..<40 {
            for _ in 0..<(turn % 7 + 1) { harness.frame(after: 5) }
            guard fullscreen.state == .moving else { break }
            let seen = harness.seen
            let isTurned =
                turn.isMultiple(of: 2)
                ? fullscreen.leave(now: harness.now) : fullscreen.enter(element, now: harness.now)
            #expect(isTurned && harness.seen.frame.isNear(seen.frame) && harness.seen.opacity == 1)
        }
        #expect(harness.takeLog().filter { $0 == "willLeave" }.count == 1)
    }

    @Test("Reversed while fading out, the element grows from its frame and opacity, and back again")
    func turnedBackFading() {
        harness.enter()
        harness.leave()
        harness.frame(after: 300)
        element.inlinePlace = nil
        harness.frame(after: 0)
        harness.frame(after: 50)
        var seen = harness.seen
        #expect(seen.opacity < 1)
        fullscreen.enter(element, now: harness.now)
        #expect(harness.seen.frame.isNear(seen.frame) && abs(harness.seen.opacity - seen.opacity) < 1e-9)
        harness.frame(after: 60)
        seen = harness.seen
        element.inlinePlace = InlinePlace(frame: Rect(x: 900, y: 400, width: 90, height: 50))
        harness.frame(after: 0)
        #expect(harness.seen.frame.isNear(seen.frame), "the item that is back makes it jump nowhere")
        harness.leave()
        #expect(harness.seen.frame.isNear(seen.frame) && abs(harness.seen.opacity - seen.opacity) < 1e-9)
        harness.settle()
        #expect(harness.seen.frame == Rect(x: 900, y: 400, width: 90, height: 50) && harness.seen.opacity == 1)
        #expect(harness.takeLog().first == "returned")
    }

    @Test("Reversed while fading out, the element fills the whole window")
    func turnedBackFadingToEnd() {
        harness.enter()
        element.inlinePlace = nil
        harness.leave()
        harness.frame(after: 300)
        fullscreen.enter(element, now: harness.now)
        harness.settle()
        #expect(harness.seen == FullscreenGeometry(frame: FullscreenHarness.bounds) && fullscreen.state == .fullscreen)
    }

    @Test("Callbacks may reverse, end or restart the transition")
    func reentrant() {
        fullscreen.enter(element, now: harness.now)
        var isTurned = false
        element.onShow = { [unowned harness] in
            guard harness.seen.progress == 1, !isTurned else { return }
            isTurned = true
            harness.leave()
        }
        harness.settle()
        harness.settle()
        #expect(fullscreen.state == .inline && isTurned)
        element.onShow = { [unowned harness] in
            if harness.seen.progress > 0.5 { harness.fullscreen.windowLeft(now: harness.now) }
        }
        fullscreen.enter(element, now: harness.now)
        harness.settle()
        #expect(fullscreen.state == .inline && fullscreen.element == nil && !fullscreen.isAnimating)
        element.onShow = nil
        fullscreen.onWindow = { [unowned harness] isOn in
            if !isOn { harness.fullscreen.enter(harness.element, now: harness.now) }
        }
        harness.enter()
        harness.leave()
        for _ in 0..<60 where fullscreen.state == .moving && fullscreen.mover?.end == 0 { harness.frame() }
        #expect(fullscreen.state == .moving && fullscreen.mover?.end == 1)
    }
}
