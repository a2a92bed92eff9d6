import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Fullscreen: window changes and rotation") @MainActor struct FullscreenWindowTests {
    private let harness = FullscreenHarness()
    private var fullscreen: FullscreenController { harness.fullscreen }
    private var element: RecordingElement { harness.element }

    // MARK: - The window's size

    @Test("If the window's bounds change during the transition, the frame is computed again from the same progress")
    func resized() {
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 250)
        let progress = harness.seen.progress
        fullscreen.bounds = Rect(x: 10, y: 20, width: 1920, height: 1080)
        #expect(harness.frame(after: 0))
        #expect(harness.seen.progress == progress)
        #expect(harness.seen.frame.isNear(Rect(x: 55, y: 60, width: 1120, height: 630), within: 1e-3))
        harness.settle()
        #expect(harness.seen.frame == fullscreen.bounds)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 800, height: 600)
        #expect(harness.frame() && harness.seen.frame == fullscreen.bounds, "also where it rests")
    }

    @Test("Minimized or resized to an invalid size, the transition continues at the last size")
    func minimized() {
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 250)
        for nonsense in [
            Rect.zero, Rect(x: 0, y: 0, width: -1, height: 100), Rect(x: .nan, y: 0, width: 10, height: 10),
            Rect(x: 0, y: 0, width: .infinity, height: 10), Rect(x: 0, y: 1e300, width: 10, height: 10),
        ] {
            fullscreen.bounds = nonsense
            #expect(fullscreen.bounds == FullscreenHarness.bounds)
        }
        fullscreen.pagesFrame = Rect(x: .nan, y: 0, width: 10, height: 10)
        #expect(fullscreen.pagesFrame == FullscreenHarness.bounds)
        harness.settle()
        #expect(harness.seen.frame == FullscreenHarness.bounds && fullscreen.state == .fullscreen)
    }

    @Test("A non-finite, huge or inverted place is ignored in favor of the last valid one")
    func badPlace() {
        harness.enter()
        harness.leave()
        harness.frame(after: 100)
        for frame in [
            Rect(x: .nan, y: 0, width: 10, height: 10), Rect(x: 0, y: 0, width: .infinity, height: 1),
            Rect(x: 0, y: 0, width: -10, height: 10), Rect(x: 1e300, y: 0, width: 10, height: 10),
        ] {
            element.inlinePlace = InlinePlace(frame: frame, cornerRadius: .nan)
            harness.frame()
            #expect(harness.seen.frame.magnitude.isFinite && harness.seen.opacity == 1)
        }
        harness.settle()
        #expect(harness.seen.frame == Rect(x: 100, y: 100, width: 320, height: 180))
        #expect(harness.takeLog().first == "returned")
    }

    @Test("An empty place and non-finite corners do no harm")
    func emptyPlace() {
        element.inlinePlace = InlinePlace(frame: Rect(x: 5, y: 5, width: 0, height: 0), cornerRadius: -.infinity)
        harness.enter()
        harness.leave()
        harness.settle()
        #expect(harness.seen.frame == Rect(x: 5, y: 5, width: 0, height: 0) && harness.seen.cornerRadius == 0)
    }

    @Test("Time that runs backwards shows the start of the transition again")
    func backwards() {
        fullscreen.enter(element, now: harness.now)
        harness.frame(after: 200)
        harness.frame(after: -1000)
        #expect(harness.seen.progress == 0)
        harness.now = HostTime(nanoseconds: .max)
        harness.frame(after: 0)
        #expect(fullscreen.state == .fullscreen)
    }

    // MARK: - Turned

    @Test(
        "In rotate mode video is turned by a quarter if its orientation differs from the window's, and square video never",
        arguments: [
            (Size(width: 1080, height: 1920), true), (Size(width: 1920, height: 1080), false),
            (Size(width: 500, height: 500), false), (Size(width: .nan, height: 9), false),
            (Size(width: 1, height: .infinity), false), (Size.zero, false),
        ])
    func turned(picture: Size, isTurned: Bool) {
        fullscreen.shape = .rotate
        element.pictureSize = picture
        fullscreen.enter(element, now: harness.now)
        #expect(harness.seen.quarterTurns == 0)
        harness.frame(after: 250)
        #expect(harness.seen.quarterTurns == (isTurned ? harness.seen.progress : 0))
        harness.settle()
        #expect(harness.seen.quarterTurns == (isTurned ? 1 : 0))
        let whole = isTurned ? Rect(x: 250, y: -250, width: 500, height: 1000) : FullscreenHarness.bounds
        #expect(harness.seen.frame == whole, "before it is turned, about the window's middle")
    }

    @Test(
        "In rotate mode landscape video is turned in a portrait window, and back when the window changes")
    func turnedInUprightWindow() {
        fullscreen.shape = .rotate
        harness.enter()
        #expect(harness.seen.quarterTurns == 0)
        fullscreen.bounds = Rect(x: 0, y: 0, width: 500, height: 1000)
        harness.frame()
        #expect(harness.seen.quarterTurns == 1 && harness.seen.frame == Rect(x: -250, y: 250, width: 1000, height: 500))
        harness.leave()
        harness.settle()
        #expect(harness.seen.quarterTurns == 0 && harness.seen.frame == Rect(x: 100, y: 100, width: 320, height: 180))
    }

    @Test("In fit mode, the default, and for video of unknown size nothing is rotated")
    func fit() {
        element.pictureSize = Size(width: 9, height: 16)
        harness.enter()
        #expect(harness.seen.quarterTurns == 0)
        fullscreen.shape = .rotate
        element.pictureSize = nil
        harness.frame()
        #expect(harness.seen.quarterTurns == 0 && harness.seen.frame == FullscreenHarness.bounds)
    }
}
