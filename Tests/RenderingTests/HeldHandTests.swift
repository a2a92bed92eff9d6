import Gestures
import Host
import Motion
import Rendering
import Stage
import Testing

@testable import Windowing

/// What a hand does before there is anything to draw its doing with.
@MainActor @Suite(.serialized) struct HeldHandTests {
    /// A window that holds the first hand but for what `answersAtOnce` says, and what shows its pictures without OpenGL; nil where
    /// OpenGL may be a GPU's work.
    private func open(
        answersAtOnce: @escaping @MainActor (InputEvent) -> Bool
    ) throws -> (Window, DirectPictures)? {
        var options = WindowOptions(title: "waits", size: Size(width: 64, height: 48))
        options.mayBeginDirect = true
        let window = try Window(options)
        window.holdsFirstHand = true
        window.answersAtOnce = answersAtOnce
        return window.direct.map { (window, $0) }
    }

    private func key(_ key: Key) -> WindowEvent {
        .input(.key(KeyEvent(key: key, time: HostTime(nanoseconds: 1))))
    }

    private func press() -> WindowEvent {
        .input(
            .pointer(
                PointerEvent(
                    phase: .pressed, position: Point(x: 5, y: 5), button: .primary, time: HostTime(nanoseconds: 1))))
    }

    @Test(
        "what needs nothing drawn comes at once, unless something waits before it; the order stays",
        .enabled(if: XDoTool.isUsable, "no X display"))
    func order() throws {
        let opened = try open { input in
            guard case .key(let event) = input else { return false }
            return event.key == .right
        }
        guard let (window, direct) = opened else { return }
        func taken(_ happened: WindowEvent...) -> [WindowEvent] {
            var events = happened
            direct.holdHand(&events, isSeen: true)
            return events
        }
        #expect(window.isDirect)
        #expect(
            taken(key(.right), .focusChanged(true), key(.right)) == [key(.right), .focusChanged(true), key(.right)])
        #expect(taken(press(), key(.right), .focusChanged(false)) == [.focusChanged(false)], "a press came before")
        #expect(taken(key(.right)) == [])
        // The driver was begun by the first of them.
        try #require(SecondWindowTests.wait(window) { (try? window.settle()) == true })
        #expect(!window.isDirect && !window.isHandWaiting)
        #expect(taken() == [], "nothing was drawn yet")
        direct.contextShown()
        #expect(window.isHandWaiting)
        #expect(taken(key(.left)) == [])
        window.admitHand()
        #expect(taken(key(.up)) == [press(), key(.right), key(.right), key(.left), key(.up)])
        #expect(taken(key(.left)) == [key(.left)])
    }

    @Test(
        "one that is answered at once has the driver begun, and what it was not asked for waits after that, too",
        .enabled(if: XDoTool.isUsable, "no X display"))
    func begins() throws {
        guard let (window, direct) = try open(answersAtOnce: { if case .key = $0 { true } else { false } }) else {
            return
        }
        var events = [key(.right)]
        direct.holdHand(&events, isSeen: true)
        #expect(events == [key(.right)])
        #expect(!direct.hasBegunDriver, "the key may have ended the program")
        events = []
        direct.holdHand(&events, isSeen: true)
        #expect(direct.hasBegunDriver)
        try #require(SecondWindowTests.wait(window) { (try? window.settle()) == true })
        #expect(!window.expectsHand)
        direct.contextShown()
        #expect(window.expectsHand)
        events = [key(.left), press(), key(.left)]
        direct.holdHand(&events, isSeen: true)
        #expect(events == [key(.left)])
        #expect(window.isHandWaiting)
        window.admitHand()
        #expect(!window.expectsHand && !window.isHandWaiting)
    }
}
