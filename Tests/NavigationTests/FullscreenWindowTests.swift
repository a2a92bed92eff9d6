import Geometry
import Testing
import Time

@testable import Navigation

@Suite("Fullscreen: the window, and turned pictures") @MainActor struct FullscreenWindowTests {
    private let stage = FullscreenStage()
    private var fullscreen: FullscreenController { stage.fullscreen }
    private var element: RecordingElement { stage.element }

    // MARK: - The window's size

    @Test("Bounds that change on the way: the frame is computed again, from the same progress")
    func resized() {
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 250)
        let progress = stage.seen.progress
        fullscreen.bounds = Rect(x: 10, y: 20, width: 1920, height: 1080)
        #expect(stage.frame(after: 0))
        #expect(stage.seen.progress == progress)
        #expect(stage.seen.frame.isNear(Rect(x: 55, y: 60, width: 1120, height: 630), within: 1e-3))
        stage.settle()
        #expect(stage.seen.frame == fullscreen.bounds)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 800, height: 600)
        #expect(stage.frame() && stage.seen.frame == fullscreen.bounds, "also where it rests")
    }

    @Test("Minimized in the middle, it continues in the size that it had; nonsense is not taken either")
    func minimized() {
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 250)
        for nonsense in [
            Rect.zero, Rect(x: 0, y: 0, width: -1, height: 100), Rect(x: .nan, y: 0, width: 10, height: 10),
            Rect(x: 0, y: 0, width: .infinity, height: 10), Rect(x: 0, y: 1e300, width: 10, height: 10),
        ] {
            fullscreen.bounds = nonsense
            #expect(fullscreen.bounds == FullscreenStage.bounds)
        }
        fullscreen.pagesFrame = Rect(x: .nan, y: 0, width: 10, height: 10)
        #expect(fullscreen.pagesFrame == FullscreenStage.bounds)
        stage.settle()
        #expect(stage.seen.frame == FullscreenStage.bounds && fullscreen.state == .fullscreen)
    }

    @Test("A place of no numbers, or huge, or inside out, is not taken: it goes back to the last good one")
    func badPlace() {
        stage.enter()
        stage.leave()
        stage.frame(after: 100)
        for frame in [
            Rect(x: .nan, y: 0, width: 10, height: 10), Rect(x: 0, y: 0, width: .infinity, height: 1),
            Rect(x: 0, y: 0, width: -10, height: 10), Rect(x: 1e300, y: 0, width: 10, height: 10),
        ] {
            element.inlinePlace = InlinePlace(frame: frame, cornerRadius: .nan)
            stage.frame()
            #expect(stage.seen.frame.magnitude.isFinite && stage.seen.opacity == 1)
        }
        stage.settle()
        #expect(stage.seen.frame == Rect(x: 100, y: 100, width: 320, height: 180))
        #expect(stage.takeDiary().first == "returned")
    }

    @Test("A place without a size, or corners that are no number, do no harm")
    func emptyPlace() {
        element.inlinePlace = InlinePlace(frame: Rect(x: 5, y: 5, width: 0, height: 0), cornerRadius: -.infinity)
        stage.enter()
        stage.leave()
        stage.settle()
        #expect(stage.seen.frame == Rect(x: 5, y: 5, width: 0, height: 0) && stage.seen.cornerRadius == 0)
    }

    @Test("Time that runs back shows the begin again, and harms nothing")
    func backwards() {
        fullscreen.enter(element, now: stage.now)
        stage.frame(after: 200)
        stage.frame(after: -1000)
        #expect(stage.seen.progress == 0)
        stage.now = HostTime(nanoseconds: .max)
        stage.frame(after: 0)
        #expect(fullscreen.state == .fullscreen)
    }

    // MARK: - Turned

    @Test(
        "Rotate: an upright picture in a window that lies, and the reverse, is turned by a quarter; a square never is",
        arguments: [
            (Size(width: 1080, height: 1920), true), (Size(width: 1920, height: 1080), false),
            (Size(width: 500, height: 500), false), (Size(width: .nan, height: 9), false),
            (Size(width: 1, height: .infinity), false), (Size.zero, false),
        ])
    func turned(picture: Size, isTurned: Bool) {
        fullscreen.shape = .rotate
        element.pictureSize = picture
        fullscreen.enter(element, now: stage.now)
        #expect(stage.seen.turn == 0)
        stage.frame(after: 250)
        #expect(stage.seen.turn == (isTurned ? stage.seen.progress : 0))
        stage.settle()
        #expect(stage.seen.turn == (isTurned ? 1 : 0))
        let whole = isTurned ? Rect(x: 250, y: -250, width: 500, height: 1000) : FullscreenStage.bounds
        #expect(stage.seen.frame == whole, "before it is turned, about the window's middle")
    }

    @Test(
        "Rotate: a window that is upright turns a picture that lies; a window that becomes so, too; back it is upright")
    func turnedInUprightWindow() {
        fullscreen.shape = .rotate
        stage.enter()
        #expect(stage.seen.turn == 0)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 500, height: 1000)
        stage.frame()
        #expect(stage.seen.turn == 1 && stage.seen.frame == Rect(x: -250, y: 250, width: 1000, height: 500))
        stage.leave()
        stage.settle()
        #expect(stage.seen.turn == 0 && stage.seen.frame == Rect(x: 100, y: 100, width: 320, height: 180))
    }

    @Test("Fit, the default, and a picture of unknown size are never turned")
    func fit() {
        element.pictureSize = Size(width: 9, height: 16)
        stage.enter()
        #expect(stage.seen.turn == 0)
        fullscreen.shape = .rotate
        element.pictureSize = nil
        stage.frame()
        #expect(stage.seen.turn == 0 && stage.seen.frame == FullscreenStage.bounds)
    }
}
