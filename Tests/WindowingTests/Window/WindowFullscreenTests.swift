import GlissadeGeometry
import GlissadeTime
import Testing

@testable import GlissadeWindowing

/// A state to which expectations can tell something.
@dynamicMemberLookup private final class Model {
    private var state = WindowFullscreen()

    subscript<Value>(dynamicMember path: KeyPath<WindowFullscreen, Value>) -> Value { state[keyPath: path] }

    func enter(from area: PixelRect, monitor: PixelRect?, isShown: Bool, at now: HostTime) -> WindowFullscreen.Effect? {
        state.enter(from: area, monitor: monitor, isShown: isShown, at: now)
    }
    func leave(isShown: Bool, at now: HostTime) -> WindowFullscreen.Effect? { state.leave(isShown: isShown, at: now) }
    func setHome(_ home: PixelRect) { state.setHome(home) }
    func windowIsShown() -> WindowFullscreen.Effect? { state.windowIsShown() }
    func windowIsHidden() { state.windowIsHidden() }
    func locate(_ area: PixelRect, findMonitor: () -> PixelRect?) { state.locate(area, findMonitor: findMonitor) }
    func move(toX x: Int, y: Int) -> Bool { state.move(toX: x, y: y) }
    func heedsManager(at now: HostTime) -> Bool { state.heedsManager(at: now) }
    func follow(
        isFullscreen: Bool, isManaged: Bool, currentArea: PixelRect, at now: HostTime
    ) -> WindowFullscreen.Effect? {
        state.follow(isFullscreen: isFullscreen, isManaged: isManaged, currentArea: currentArea, at: now)
    }
    func changes(at now: HostTime) { state.changes(at: now) }
    func wasPolled() { state.wasPolled() }
    func poll(at now: HostTime, hasQueuedFrames: Bool) -> [WindowFullscreen.Effect] {
        state.poll(at: now, hasQueuedFrames: hasQueuedFrames)
    }
    func beginFrame(for area: PixelRect?) { state.beginFrame(for: area) }
    func frameWasShown(at now: HostTime, hasQueuedFrames: Bool) -> WindowFullscreen.Effect? {
        state.frameWasShown(at: now, hasQueuedFrames: hasQueuedFrames)
    }
    func enlargedFrom(at now: HostTime) -> PixelRect? { state.enlargedFrom(at: now) }
    func home(at now: HostTime) -> PixelRect? { state.home(at: now) }
    func isChanging(at now: HostTime) -> Bool { state.isChanging(at: now) }
    func nextPoll(at now: HostTime) -> HostTime? { state.nextPoll(at: now) }
    func fits(_ area: PixelRect) -> Bool { state.fits(area) }
}

/// When a window asks for fullscreen, and where it counts as being, without any window.
@Suite("States of fullscreen") struct WindowFullscreenTests {
    typealias Effect = WindowFullscreen.Effect

    private static let monitor = PixelRect(minX: 0, minY: 0, maxX: 1920, maxY: 1080)
    private static let home = PixelRect(minX: 200, minY: 150, maxX: 520, maxY: 390)
    private let start = HostTime(nanoseconds: 1_000_000_000_000)

    private func enter(
        _ state: Model, after delay: Duration = .zero, isShown: Bool = true,
        from area: PixelRect = home
    ) -> Effect? {
        state.enter(from: area, monitor: Self.monitor, isShown: isShown, at: start + delay)
    }

    private func leave(_ state: Model, after delay: Duration, isShown: Bool = true) -> Effect? {
        state.leave(isShown: isShown, at: start + delay)
    }

    private func request(_ isFullscreen: Bool, holdsContent: Bool = true) -> Effect {
        .request(
            isFullscreen: isFullscreen, area: isFullscreen ? Self.monitor : Self.home, holdsContent: holdsContent)
    }

    private func follow(_ state: Model, _ isFullscreen: Bool, after delay: Duration) -> Effect? {
        guard state.heedsManager(at: start + delay) else { return nil }
        return state.follow(
            isFullscreen: isFullscreen, isManaged: true, currentArea: Self.home, at: start + delay)
    }

    /// A window that covers the monitor, since two seconds.
    private func covering() -> Model {
        let state = Model()
        state.locate(Self.home) { Self.monitor }
        #expect(enter(state, after: .seconds(-2)) == request(true))
        #expect(follow(state, true, after: .seconds(-2)) == nil)
        state.locate(Self.monitor) { Self.monitor }
        #expect(state.poll(at: start - .seconds(1), hasQueuedFrames: false) == [.releaseContent, .queryManager])
        #expect(state.request == .settled && state.geometry == .settled)
        return state
    }

    @Test("Without recent frames, a request is made at once, and it is fulfilled when the window manager says so")
    func atOnce() {
        let state = Model()
        #expect(enter(state) == request(true))
        #expect(state.request == .sent(grace: nil) && state.place == .covering(home: Self.home))
        #expect(follow(state, false, after: .milliseconds(5)) == nil && state.isPending)
        #expect(follow(state, true, after: .milliseconds(9)) == nil && !state.isPending)
        #expect(enter(state, after: .milliseconds(10)) == nil, "it is wanted already")
        #expect(leave(state, after: .seconds(1)) == request(false))
    }

    @Test("A frame that was given up does not make a later request wait")
    func givenUp() {
        var state = Model()
        state.beginFrame(for: nil)
        #expect(state.poll(at: start, hasQueuedFrames: false).isEmpty)
        #expect(enter(state) == request(true))
        // Nor does one after a frame that was shown long ago.
        state = Model()
        _ = state.frameWasShown(at: start - WindowFullscreen.requestDelay, hasQueuedFrames: false)
        state.beginFrame(for: Self.home)
        #expect(state.drawnArea == Self.home)
        #expect(state.poll(at: start, hasQueuedFrames: false).isEmpty)
        #expect(state.drawnArea == nil && enter(state) == request(true))
    }

    @Test("While frames are shown, a request waits for the next one, for 50 ms at most", arguments: [true, false])
    func awaitsFrame(isBegun: Bool) {
        func waiting() -> Model {
            let state = Model()
            if isBegun {
                state.beginFrame(for: nil)
            } else {
                _ = state.frameWasShown(at: start - .milliseconds(49), hasQueuedFrames: false)
            }
            #expect(enter(state) == nil)
            #expect(state.request == .waiting(.frame(until: start + .milliseconds(50)), grace: nil))
            #expect(state.nextPoll(at: start) == start + .milliseconds(50))
            #expect(!state.heedsManager(at: start))
            return state
        }
        var state = waiting()
        #expect(state.frameWasShown(at: start + .milliseconds(9), hasQueuedFrames: false) == request(true))
        #expect(state.request == .sent(grace: nil))
        state = waiting()
        #expect(state.poll(at: start + .nanoseconds(49_999_999), hasQueuedFrames: false).isEmpty)
        #expect(state.poll(at: start + .milliseconds(50), hasQueuedFrames: false) == [request(true)])
    }

    @Test("A request waits for the display to show the last frame, and is made once it has, or after 25 ms")
    func awaitsDisplay() {
        func waiting() -> Model {
            let state = Model()
            state.beginFrame(for: nil)
            #expect(enter(state) == nil && state.displayDeadline == nil)
            #expect(state.frameWasShown(at: start, hasQueuedFrames: true) == nil)
            #expect(state.displayDeadline == start + .milliseconds(25))
            #expect(state.nextPoll(at: start) == start + .milliseconds(2))
            #expect(state.frameWasShown(at: start + .milliseconds(1), hasQueuedFrames: true) == nil)
            #expect(state.displayDeadline == start + .milliseconds(25), "a frame does not put the request off")
            #expect(state.poll(at: start + .milliseconds(2), hasQueuedFrames: true).isEmpty)
            return state
        }
        var state = waiting()
        #expect(state.poll(at: start + .milliseconds(4), hasQueuedFrames: false) == [request(true)])
        #expect(state.displayDeadline == nil && state.request == .sent(grace: nil))
        state = waiting()
        #expect(state.poll(at: start + .milliseconds(25), hasQueuedFrames: true) == [request(true)])
    }

    @Test("A request that is withdrawn while it waits is not made, and an earlier one is still heeded")
    func withdrawn() {
        var state = Model()
        state.beginFrame(for: nil)
        #expect(enter(state) == nil && leave(state, after: .milliseconds(1)) == nil)
        #expect(state.request == .sent(grace: nil) && !state.isWanted)
        #expect(state.frameWasShown(at: start + .milliseconds(2), hasQueuedFrames: false) == nil)
        #expect(follow(state, false, after: .milliseconds(3)) == nil)
        #expect(state.request == .settled && state.place == .windowed)
        // Of three, the last one counts.
        for index in 0..<3 {
            let delay = Duration.milliseconds(10 + index)
            #expect((index % 2 == 0 ? enter(state, after: delay) : leave(state, after: delay)) == nil)
        }
        #expect(state.isWanted && state.isPending)
        #expect(state.frameWasShown(at: start + .milliseconds(20), hasQueuedFrames: false) == request(true))
        // Withdrawing the way back leaves the window where it is.
        state = covering()
        state.beginFrame(for: nil)
        #expect(leave(state, after: .zero) == nil && enter(state, after: .zero, from: Self.monitor) == nil)
        #expect(state.place == .covering(home: Self.home) && state.request == .sent(grace: nil))
    }

    @Test("For half a second after a request that follows an unanswered one, the reported state is not heeded")
    func grace() {
        var state = Model()
        #expect(enter(state) == request(true))
        #expect(leave(state, after: .milliseconds(10)) == request(false))
        #expect(state.request == .sent(grace: start + .milliseconds(510)))
        #expect(!state.heedsManager(at: start + .milliseconds(509)))
        #expect(state.heedsManager(at: start + .milliseconds(510)) && state.request == .sent(grace: nil))
        // If the later request waits for a frame, the time counts from when it is made.
        state = Model()
        #expect(enter(state) == request(true))
        state.beginFrame(for: nil)
        #expect(leave(state, after: .milliseconds(10)) == nil)
        #expect(state.frameWasShown(at: start + .milliseconds(30), hasQueuedFrames: false) == request(false))
        #expect(state.request == .sent(grace: start + .milliseconds(530)))
        #expect(state.place == .leaving(home: Self.home, until: start + .milliseconds(1030)))
    }

    @Test("A request to a hidden window is made when it is shown, and hiding the window puts off one that waits")
    func hidden() {
        var state = Model()
        #expect(state.windowIsShown() == nil, "nothing is wanted")
        #expect(enter(state, isShown: false) == nil)
        #expect(state.request == .waiting(.show, grace: nil) && state.nextPoll(at: start) == start + .seconds(1))
        #expect(state.poll(at: start + .milliseconds(60), hasQueuedFrames: false).isEmpty)
        #expect(state.windowIsShown() == request(true, holdsContent: false))
        state = covering()
        state.beginFrame(for: nil)
        #expect(leave(state, after: .zero) == nil)
        state.windowIsHidden()
        #expect(state.request == .waiting(.show, grace: nil) && state.frame == .none)
        #expect(state.windowIsShown() == request(false, holdsContent: false))
    }

    @Test("A window manager that starts or ends fullscreen by itself is followed, if it supports fullscreen")
    func byTheManager() {
        var state = covering()
        #expect(follow(state, false, after: .zero) == .adopt(isFullscreen: false))
        #expect(state.place == .leaving(home: Self.home, until: start + .seconds(1)))
        state.locate(Self.home) { Self.monitor }
        #expect(follow(state, false, after: .milliseconds(1)) == nil && state.place == .windowed)
        let moved = PixelRect(minX: 7, minY: 9, maxX: 327, maxY: 249)
        #expect(state.move(toX: 7, y: 9) && state.area == moved)
        state.locate(Self.monitor) { Self.monitor }
        #expect(follow(state, true, after: .seconds(3)) == .adopt(isFullscreen: true))
        #expect(state.place == .covering(home: moved), "the last area outside fullscreen")
        #expect(!state.move(toX: 1, y: 1), "the position matters")
        state = covering()
        #expect(
            state.follow(isFullscreen: false, isManaged: false, currentArea: Self.home, at: start) == nil
                && state.isWanted)
    }

    @Test("A window that has moved but not yet resized is still leaving, for a second, and is then drawn as it is")
    func halfWayBack() {
        let state = covering()
        #expect(state.enlargedFrom(at: start) == Self.home)
        #expect(leave(state, after: .zero) == request(false))
        let half = PixelRect(minX: 200, minY: 150, maxX: 2120, maxY: 1230)
        state.locate(half) { Self.monitor }
        #expect(state.enlargedFrom(at: start + .milliseconds(999)) == Self.home)
        #expect(state.home(at: start) == Self.home)
        #expect(state.enlargedFrom(at: start + .seconds(1)) == nil)
        #expect(follow(state, false, after: .milliseconds(20)) == nil && state.place != .windowed)
        let effects = state.poll(at: start + .seconds(1), hasQueuedFrames: false)
        #expect(effects == [.releaseContent, .redraw, .queryManager])
        #expect(follow(state, false, after: .seconds(1)) == nil && state.place == .windowed)
        #expect(state.nextPoll(at: start) == nil)
    }

    @Test("A window that wants fullscreen again while it is still leaving returns to the area before both")
    func again() {
        var state = covering()
        #expect(leave(state, after: .zero) == request(false))
        #expect(enter(state, after: .milliseconds(5), from: Self.monitor) == request(true))
        #expect(state.place == .covering(home: Self.home))
        // Once it has returned, its area counts.
        state = covering()
        #expect(leave(state, after: .zero) == request(false))
        let other = PixelRect(minX: 1, minY: 2, maxX: 301, maxY: 202)
        state.locate(other) { Self.monitor }
        #expect(enter(state, after: .seconds(2), from: other) != nil && state.place == .covering(home: other))
        state.setHome(Self.home)
        #expect(state.place == .covering(home: Self.home))
    }

    @Test("A frame fits a window of its size, and during a transition only at its place")
    func frames() {
        let moved = PixelRect(minX: 0, minY: 0, maxX: 320, maxY: 240)
        let state = Model()
        #expect(state.fits(moved), "nothing is known")
        state.changes(at: start)
        state.locate(Self.home) { Self.monitor }
        state.wasPolled()
        #expect(state.polledArea == Self.home)
        state.beginFrame(for: Self.home)
        #expect(state.polledArea == nil && state.fits(moved) && !state.fits(Self.monitor))
        _ = enter(state)
        #expect(!state.fits(moved) && state.fits(Self.home))
        state.wasPolled()
        state.changes(at: start)
        #expect(state.polledArea == nil && state.isChanging(at: start + .milliseconds(999)))
        #expect(!state.isChanging(at: start + .seconds(1)))
    }
}
