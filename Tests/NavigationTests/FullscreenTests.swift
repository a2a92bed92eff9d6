import Geometry
import Testing
import Time

@testable import Navigation

@Suite("Fullscreen: enter and leave") @MainActor struct FullscreenTests {
    private let stage = FullscreenStage()
    private var fullscreen: FullscreenController { stage.fullscreen }
    private var element: RecordingElement { stage.element }

    // MARK: - Entering

    @Test("Enter: grows from where it is seen to the whole window in 0.5 s, eased in and out")
    func enter() {
        #expect(fullscreen.enter(element, now: stage.now))
        #expect(
            stage.seen
                == FullscreenGeometry(
                    frame: Rect(x: 100, y: 100, width: 320, height: 180), cornerRadius: 12, progress: 0)
        )
        stage.frame(after: 250)
        #expect(abs(stage.seen.progress - 0.5) < 1e-6)
        #expect(stage.seen.frame.isNear(Rect(x: 50, y: 50, width: 660, height: 340), within: 1e-3))
        #expect(abs(stage.seen.cornerRadius - 6) < 1e-4)
        stage.frame(after: 249)
        #expect(fullscreen.state == .moving && stage.seen.progress < 1)
        stage.frame(after: 1)
        #expect(fullscreen.state == .fullscreen && !fullscreen.isAnimating)
        #expect(stage.seen == FullscreenGeometry(frame: FullscreenStage.bounds))
        #expect(stage.takeDiary() == ["willLeave", "window true", "moving", "fullscreen"])
    }

    @Test("Progress goes forward only, in every frame, and each figure is shown once")
    func monotonous() {
        fullscreen.enter(element, now: stage.now)
        stage.settle()
        let steps = element.figures.map(\.progress)
        #expect(steps == steps.sorted() && Set(steps).count == steps.count)
        #expect(steps.first == 0 && steps.last == 1)
        #expect(!stage.frame() && element.figures.count == steps.count)
    }

    @Test("Without animation, and where its place is not known, it is there at once")
    func atOnce() {
        fullscreen.enter(element, isAnimated: false, now: stage.now)
        #expect(
            fullscreen.state == .fullscreen && element.figures == [FullscreenGeometry(frame: FullscreenStage.bounds)])
        #expect(stage.takeDiary() == ["willLeave", "window true", "fullscreen"])
        let other = FullscreenStage()
        other.element.inlinePlace = nil
        #expect(other.fullscreen.enter(other.element, now: other.now))
        #expect(other.fullscreen.state == .fullscreen)
    }

    @Test("A request in a minimized window is refused, and one in a window that has no area yet")
    func refused() {
        fullscreen.isRefused = { true }
        #expect(!fullscreen.enter(element, now: stage.now))
        #expect(fullscreen.state == .inline && fullscreen.element == nil && stage.takeDiary().isEmpty)
        let none = FullscreenController()
        #expect(!none.enter(element, now: stage.now))
    }

    @Test("While one element is fullscreen, or on its way, a second one is refused")
    func second() {
        let other = RecordingElement()
        fullscreen.enter(element, now: stage.now)
        #expect(!fullscreen.enter(other, now: stage.now))
        stage.settle()
        #expect(!fullscreen.enter(other, now: stage.now) && !fullscreen.enter(element, now: stage.now))
        stage.leave()
        #expect(!fullscreen.enter(other, now: stage.now))
        stage.settle()
        #expect(fullscreen.enter(other, now: stage.now))
        #expect(other.diary == ["willLeave"])
    }

    // MARK: - Leaving

    @Test("Leave: goes back to its place in 0.5 s, exactly, and the window leaves when the element has")
    func leave() {
        stage.enter()
        #expect(fullscreen.leave(now: stage.now))
        stage.frame(after: 499)
        #expect(fullscreen.state == .moving)
        stage.frame(after: 1)
        #expect(fullscreen.state == .inline && fullscreen.element == nil)
        #expect(
            stage.seen
                == FullscreenGeometry(
                    frame: Rect(x: 100, y: 100, width: 320, height: 180), cornerRadius: 12, progress: 0))
        #expect(stage.takeDiary() == ["returned", "moving", "window false", "inline"])
        #expect(!fullscreen.leave(now: stage.now))
    }

    @Test("Leave: to the place that its item has now, asked in each frame: a list that scrolls meanwhile is met")
    func scrolled() {
        stage.enter()
        element.inlinePlace = InlinePlace(frame: Rect(x: 0, y: 400, width: 100, height: 100), cornerRadius: 4)
        stage.leave()
        for _ in 0..<49 {
            element.inlinePlace?.frame.origin.y -= 5
            let before = stage.seen.frame
            stage.frame()
            #expect((stage.seen.frame - before).magnitude < 90)
        }
        element.inlinePlace?.frame.origin.y = 150
        element.inlinePlace?.frame.size.width = 120
        stage.settle()
        #expect(stage.seen.frame == Rect(x: 0, y: 150, width: 120, height: 100) && stage.seen.cornerRadius == 4)
        #expect(stage.takeDiary().first == "returned")
    }

    @Test("The pages' own corner counts: places are in their points, the figure in the window's")
    func home() {
        fullscreen.pagesFrame = Rect(x: 200, y: 60, width: 600, height: 400)
        fullscreen.enter(element, now: stage.now)
        #expect(stage.seen.frame.origin == Point(x: 300, y: 160))
        fullscreen.pagesFrame.origin.x = 100
        stage.frame(after: 0)
        #expect(stage.seen.frame.origin == Point(x: 200, y: 160), "also when it changes on the way")
    }

    @Test("Item gone when leaving begins: it fades out in place over the 0.5 s")
    func gone() {
        stage.enter()
        element.inlinePlace = nil
        stage.leave()
        stage.frame(after: 250)
        #expect(stage.seen.frame == FullscreenStage.bounds && abs(stage.seen.opacity - 0.5) < 1e-6)
        stage.frame(after: 250)
        #expect(stage.seen.frame == FullscreenStage.bounds && stage.seen.opacity == 0)
        #expect(stage.takeDiary() == ["gone", "moving", "window false", "inline"])
    }

    @Test(
        "Item gone on the way: the frame stays, and it fades over the rest of the time; also where the item comes back")
    func goneOnTheWay() {
        stage.enter()
        stage.leave()
        stage.frame(after: 300)
        let frozen = stage.seen
        let place = element.inlinePlace
        element.inlinePlace = nil
        stage.frame()
        element.inlinePlace = place
        var opacities = [stage.seen.opacity]
        for _ in 0..<18 {
            stage.frame()
            #expect(stage.seen.frame == frozen.frame && stage.seen.cornerRadius == frozen.cornerRadius)
            opacities.append(stage.seen.opacity)
        }
        #expect(opacities.first! == 1 && opacities == opacities.sorted(by: >) && opacities.last! > 0)
        stage.frame()
        #expect(stage.seen.opacity == 0 && stage.takeDiary().first == "gone")
    }

    @Test("The window left fullscreen by itself: inline at once, and the window is not asked to leave")
    func windowLeft() {
        stage.enter()
        fullscreen.windowLeft(now: stage.now)
        #expect(fullscreen.state == .inline && stage.takeDiary() == ["returned", "inline"])
        fullscreen.windowLeft(now: stage.now)
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 100)
        element.inlinePlace = nil
        fullscreen.windowLeft(now: stage.now)
        #expect(stage.takeDiary() == ["willLeave", "gone", "window true", "moving", "inline"])
        #expect(!stage.frame())
    }

    @Test("Left without animation it is at its place at once, or gone")
    func leaveAtOnce() {
        stage.enter()
        element.inlinePlace?.frame.origin.y = 7
        fullscreen.leave(isAnimated: false, now: stage.now)
        #expect(stage.seen.frame.minY == 7 && stage.takeDiary() == ["returned", "window false", "inline"])
        stage.enter()
        element.inlinePlace = nil
        fullscreen.leave(isAnimated: false, now: stage.now)
        #expect(stage.takeDiary() == ["gone", "window false", "inline"])
    }

    // MARK: - Turning back

    @Test("Requests while moving are dropped")
    func dropped() {
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 200)
        #expect(!fullscreen.enter(element, now: stage.now) && !fullscreen.beginDrag(now: stage.now))
        stage.settle()
        stage.leave()
        stage.frame(after: 200)
        #expect(!fullscreen.leave(now: stage.now) && !fullscreen.leave(isAnimated: false, now: stage.now))
        #expect(!fullscreen.beginDrag(now: stage.now))
        #expect(fullscreen.state == .moving)
    }

    @Test("Turning back is always possible: it continues from what is seen, in as much time as the way that it came")
    func turnedBack() {
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 200)
        let seen = stage.seen
        #expect(fullscreen.leave(now: stage.now))
        #expect(stage.seen == seen, "without a jump")
        stage.frame(after: 500 * seen.progress - 1)
        #expect(fullscreen.state == .moving)
        stage.frame(after: 1.1)
        #expect(fullscreen.state == .inline)
        #expect(stage.takeDiary() == ["willLeave", "returned", "window true", "moving", "window false", "inline"])
    }

    @Test("Turned back again and again, it never jumps, and leaves its place once")
    func turnedOften() {
        fullscreen.enter(element, now: stage.now)
        for turn in 0..<40 {
            for _ in 0..<(turn % 7 + 1) { stage.frame(after: 5) }
            guard fullscreen.state == .moving else { break }
            let seen = stage.seen
            let isTurned =
                turn.isMultiple(of: 2) ? fullscreen.leave(now: stage.now) : fullscreen.enter(element, now: stage.now)
            #expect(isTurned && stage.seen.frame.isNear(seen.frame) && stage.seen.opacity == 1)
        }
        #expect(stage.takeDiary().filter { $0 == "willLeave" }.count == 1)
    }

    @Test("Turned back while it fades, it grows from where it is seen, at the opacity that it had; and back again")
    func turnedBackFading() {
        stage.enter()
        stage.leave()
        stage.frame(after: 300)
        element.inlinePlace = nil
        stage.frame(after: 0)
        stage.frame(after: 50)
        var seen = stage.seen
        #expect(seen.opacity < 1)
        fullscreen.enter(element, now: stage.now)
        #expect(stage.seen.frame.isNear(seen.frame) && abs(stage.seen.opacity - seen.opacity) < 1e-9)
        stage.frame(after: 60)
        seen = stage.seen
        element.inlinePlace = InlinePlace(frame: Rect(x: 900, y: 400, width: 90, height: 50))
        stage.frame(after: 0)
        #expect(stage.seen.frame.isNear(seen.frame), "the item that is back makes it jump nowhere")
        stage.leave()
        #expect(stage.seen.frame.isNear(seen.frame) && abs(stage.seen.opacity - seen.opacity) < 1e-9)
        stage.settle()
        #expect(stage.seen.frame == Rect(x: 900, y: 400, width: 90, height: 50) && stage.seen.opacity == 1)
        #expect(stage.takeDiary().first == "returned")
    }

    @Test("Turned back while it fades, it fills the window wholly")
    func turnedBackFadingToEnd() {
        stage.enter()
        element.inlinePlace = nil
        stage.leave()
        stage.frame(after: 300)
        fullscreen.enter(element, now: stage.now)
        stage.settle()
        #expect(stage.seen == FullscreenGeometry(frame: FullscreenStage.bounds) && fullscreen.state == .fullscreen)
    }

    @Test("Whoever is told may turn it round, end it, or begin again, while told")
    func reentrant() {
        fullscreen.enter(element, now: stage.now)
        var isTurned = false
        element.onShow = { [unowned stage] in
            guard stage.seen.progress == 1, !isTurned else { return }
            isTurned = true
            stage.leave()
        }
        stage.settle()
        stage.settle()
        #expect(fullscreen.state == .inline && isTurned)
        element.onShow = { [unowned stage] in
            if stage.seen.progress > 0.5 { stage.fullscreen.windowLeft(now: stage.now) }
        }
        fullscreen.enter(element, now: stage.now)
        stage.settle()
        #expect(fullscreen.state == .inline && fullscreen.element == nil && !fullscreen.isAnimating)
        element.onShow = nil
        fullscreen.onWindow = { [unowned stage] isOn in
            if !isOn { stage.fullscreen.enter(stage.element, now: stage.now) }
        }
        stage.enter()
        stage.leave()
        for _ in 0..<60 where fullscreen.state == .moving && fullscreen.mover?.end == 0 { stage.frame() }
        #expect(fullscreen.state == .moving && fullscreen.mover?.end == 1)
    }
}
