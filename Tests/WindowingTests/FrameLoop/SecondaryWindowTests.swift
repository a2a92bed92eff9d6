import Foundation
import Geometry
import Layers
import Platform
import Rendering
import Testing
import TestSupport
import Time

@testable import Presentation
@testable import Windowing

/// The frame loop with a window beside its own, on real surfaces.
@MainActor @Suite("Secondary windows") struct SecondaryWindowTests {
    /// A surface of the loop that can be put away.
    final class Surface: FrameSurface {
        let inner: OffscreenLoopSurface
        var isShown = true
        var swaps = 0
        /// What the window system will have of the geometry, one answer a frame; then it is current.
        var answers: [Bool] = []

        init(_ surface: OffscreenSurface, _ signal: WakeSignal) {
            inner = OffscreenLoopSurface(surface, signal: signal)
        }
        /// As the window system has it, where that is not what there is to draw into.
        var size: PixelSize?
        var pixelSize: PixelSize { size ?? inner.pixelSize }
        var scale: Double { inner.scale }
        var isVisible: Bool { isShown }
        var refreshRate: Double? { 60 }
        func makeCurrent() { inner.makeCurrent() }
        /// What keeps it from being shown.
        var failure: RenderingError?
        func swap() throws(RenderingError) {
            if let failure { throw failure }
            swaps += 1
            try inner.swap()
        }
        var events: [WindowEvent] = []
        func drainEvents(into taken: inout [WindowEvent]) {
            taken += events
            events = []
        }
        func wait(until deadline: HostTime?) { inner.wait(until: deadline) }
        var onHold: () -> Void = {}
        func hold(until time: HostTime) {
            onHold()
            time.sleep()
        }
        /// Whether the display holds frames back, as of a covered window.
        var isHeldBack = false
        func isReady(at now: HostTime) -> Bool { !isHeldBack }
        var isCurrent: Bool { answers.isEmpty ? true : answers.removeFirst() }
        var nextGeometryPoll: HostTime?
        /// The rate of the display that reports its refreshes; nil if none does.
        var displayRate: Double?
        private var lastRefresh: Int64 = 0
        func takeReports(into taken: inout [DisplayReport]) {
            guard let displayRate else { return }
            let count = Int64(Double(HostTime.now().nanoseconds) * displayRate / 1e9)
            guard count > lastRefresh else { return }
            lastRefresh = count
            let time = HostTime(nanoseconds: Int64(Double(count) / displayRate * 1e9))
            taken.append(DisplayReport(.refreshed, at: time, refreshCount: count))
        }
        var looks = 0
        func pollGeometry(at now: HostTime) {
            guard let nextGeometryPoll, now >= nextGeometryPoll else { return }
            self.nextGeometryPoll = nil
            looks += 1
        }
    }

    /// A pane that shows a colour.
    final class Pane: FrameLoopWindow {
        let screen: Surface
        let renderer: any Renderer
        var color = Color.gray
        var isAnimating = false
        var needsRedraw = false
        var showsFilm = false
        /// Whether there is a video surface in it.
        var hasSurface = false
        var wake: HostTime?
        var events: [WindowEvent] = []
        var presents = 0
        var wakings = 0
        var onEvent: () -> Void = {}
        var onCompose: () -> Void = {}
        /// Whether there is something else to draw as soon as something was drawn.
        var isRestless = false

        init(_ screen: Surface, _ compositor: Compositor) {
            self.screen = screen
            renderer = GLRenderer(compositor)
        }
        var surface: any FrameSurface { screen }
        func handle(_ event: WindowEvent, now: HostTime) {
            events.append(event)
            onEvent()
        }
        func advance(to now: HostTime) {
            guard let wake, now >= wake else { return }
            self.wake = now + .milliseconds(5)
            wakings += 1
            needsRedraw = true
        }
        func nextWake(now: HostTime) -> HostTime? { wake }
        func wantsDraw(hasNewFrame: Bool) -> Bool { isAnimating || hasNewFrame && showsFilm }
        func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
            needsRedraw = false
            onCompose()
            let all = PixelRect(size: list.viewport)
            list.items = [.fill(all, color)]
            if hasSurface {
                list.items.append(
                    .surface(SurfacePlacement(surface: SurfaceID(rawValue: 1), destination: all, clip: all)))
            }
        }
        func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { nil }
        func didPresent(at time: HostTime) {
            presents += 1
            needsRedraw = isRestless
        }
    }

    /// A client whose film has so many frames, 2 ms each; it ends when `isDone` says so.
    final class Client: FrameLoopClient {
        var secondaryWindows: [any FrameLoopWindow] = []
        var framesLeft = 0
        var due: HostTime?
        var isAnimating = false
        var needsRedraw = false
        var showsFilm = true
        var (updates, composes, presents, skips) = (0, 0, 0, 0)
        var updateWasCurrent = true
        var isDone: (Client) -> Bool = { _ in true }
        var rounds = 0
        let context: GLContext?
        private let end = HostTime.now() + .seconds(20)

        init() { context = GLContext.current }
        let videoSurface: SurfaceID? = SurfaceID(rawValue: 1)
        var displayRate: Double?
        func displayRateChanged(to rate: Double?) { displayRate = rate }
        func play(_ frames: Int) {
            framesLeft = frames
            due = .now()
        }
        func handle(_ event: WindowEvent, now: HostTime) {}
        func advance(to now: HostTime) { rounds += 1 }
        var nextFrameDue: HostTime? { framesLeft > 0 ? due : nil }
        /// Whether it has a wake of its own, beside its end.
        var wakes = true
        func nextWake(now: HostTime) -> HostTime? { wakes ? now + .milliseconds(50) : end }
        func skip(to time: HostTime) {
            skips += 1
            framesLeft = 0
        }
        func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool {
            updates += 1
            updateWasCurrent = updateWasCurrent && GLContext.current === context
            guard framesLeft > 0, let due, due <= framesBy else { return false }
            framesLeft -= 1
            self.due = due + .milliseconds(2)
            return true
        }
        func wantsDraw(hasNewFrame: Bool) -> Bool { isAnimating || hasNewFrame && showsFilm }
        func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
            composes += 1
            needsRedraw = false
            list.items = [.fill(PixelRect(size: list.viewport), .gray)]
        }
        func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { nil }
        func willPresent(_ pixels: PixelSize) {}
        func didPresent(at time: HostTime) { presents += 1 }
        var isFinished: Bool { isDone(self) || HostTime.now() > end }
        var failure: RenderingError?
    }

    /// A loop with a pane on surfaces that share.
    @MainActor struct Stand {
        let surface: Surface
        let compositor: Compositor
        let pane: Pane
        let client: Client
        let log = FrameLog()

        init() throws {
            let signal = WakeSignal()
            let first = try OffscreenSurface(size: PixelSize(width: 32, height: 24))
            compositor = Compositor(device: try GLDevice())
            client = Client()
            surface = Surface(first, signal)
            let second = try OffscreenSurface(size: PixelSize(width: 16, height: 9), sharing: first)
            pane = Pane(Surface(second, signal), Compositor(sharing: compositor))
            client.secondaryWindows = [pane]
        }

        func run(until isDone: @escaping (Client) -> Bool) throws {
            client.isDone = isDone
            try FrameLoop(surface: surface, renderer: GLRenderer(compositor), client: client, log: log).run()
            surface.makeCurrent()
        }
    }

    @Test("A secondary window's own clock draws it and not the main window")
    func clock() throws {
        let stand = try Stand()
        stand.pane.wake = .now()
        try stand.run { _ in stand.pane.presents >= 5 }
        #expect(stand.pane.presents >= 5)
        #expect(stand.client.composes == 0 && stand.surface.swaps == 0)
        #expect(stand.log.presentCount == 0 && stand.log.floatingCount == stand.pane.presents)
    }

    @Test("A video frame is taken once and drawn in each window that shows it", arguments: [true, false])
    func film(paneShows: Bool) throws {
        let stand = try Stand()
        stand.pane.showsFilm = paneShows
        stand.client.play(6)
        try stand.run { $0.framesLeft == 0 && $0.nextFrameDue == nil }
        #expect(stand.client.presents == 6)
        #expect(stand.pane.presents == (paneShows ? 6 : 0), "a pane that says no is left alone")
        #expect(stand.client.updateWasCurrent)
    }

    @Test("A video shown only in a secondary window does not draw the main window")
    func elsewhere() throws {
        let stand = try Stand()
        stand.client.showsFilm = false
        stand.pane.showsFilm = true
        stand.client.play(6)
        try stand.run { $0.framesLeft == 0 }
        #expect(stand.client.composes == 0 && stand.pane.presents == 6)
    }

    @Test("The display of the window that shows the video decides when frames are taken", arguments: [true, false])
    func displays(paneShows: Bool) throws {
        let stand = try Stand()
        (stand.surface.displayRate, stand.pane.screen.displayRate) = (60, 100)
        stand.pane.hasSurface = paneShows
        stand.pane.showsFilm = true
        stand.client.isAnimating = true
        let rate = paneShows ? 100.0 : 60
        stand.client.play(.max)
        try stand.run { abs(($0.displayRate ?? 0) - rate) < 1 && stand.pane.presents > 20 }
        #expect(abs(try #require(stand.client.displayRate) - rate) < 1)
        #expect(stand.pane.presents > 20 && stand.client.presents > 0)
    }

    @Test("With the main window hidden a visible secondary window continues and gets its frames")
    func putAway() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.showsFilm = true
        stand.client.needsRedraw = true
        stand.client.isAnimating = true
        stand.client.play(6)
        try stand.run { $0.framesLeft == 0 }
        #expect(stand.client.skips == 0 && stand.client.composes == 0 && stand.surface.swaps == 0)
        #expect(stand.pane.presents == 6 && stand.client.updateWasCurrent)
    }

    @Test("Frames are dropped only when no window is visible")
    func nobody() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.screen.isShown = false
        stand.pane.needsRedraw = true
        stand.client.play(6)
        try stand.run { $0.skips > 0 }
        #expect(stand.client.updates == 0 && stand.pane.presents == 0)
    }

    @Test("An animating window with nothing to draw does not make the loop spin")
    func contradiction() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.isAnimating = true
        try stand.run { _ in stand.pane.presents >= 3 }
        let began = HostTime.now()
        let before = stand.client.rounds
        stand.pane.isAnimating = false
        stand.pane.wake = nil
        try stand.run { $0.rounds > before + 8 }
        // A round each 50 ms, by the client's wake; spinning, eight take microseconds.
        #expect(HostTime.now() - began > .milliseconds(100))
    }

    @Test("A secondary window may appear and disappear within the loop and its own handler")
    func comesAndGoes() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.screen.events = [.focusChanged(true), .closeRequested, .focusChanged(false)]
        pane.onEvent = { if pane.events.last == .closeRequested { client.secondaryWindows = [] } }
        client.play(3)
        try stand.run { $0.framesLeft == 0 }
        #expect(pane.events == [.focusChanged(true), .closeRequested], "what comes after its end is nobody's")
        #expect(pane.presents == 0)
        client.secondaryWindows = [pane]
        pane.needsRedraw = true
        try stand.run { _ in pane.presents == 1 }
        #expect(pane.presents == 1)
    }

    @Test("A frame drawn for an outdated geometry is not shown but drawn again")
    func outdated() throws {
        let stand = try Stand()
        stand.surface.answers = [false, false, true]
        stand.client.needsRedraw = true
        try stand.run { $0.presents == 1 }
        #expect(stand.client.composes == 3 && stand.surface.swaps == 1)
        // One that never stays is shown as it was found at last.
        stand.surface.answers = [Bool](repeating: false, count: 20)
        stand.client.needsRedraw = true
        try stand.run { $0.presents == 2 }
        #expect(stand.surface.swaps == 2)
    }

    @Test("A handler called between two attempts at a frame finds the loop's context current")
    func meanwhile() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.needsRedraw = true
        pane.screen.answers = [false]
        var composes = 0
        pane.onCompose = {
            #expect(GLContext.current !== client.context)
            composes += 1
            if composes == 1 { pane.screen.events = [.focusChanged(true)] }
        }
        var wasCurrent: Bool?
        pane.onEvent = { wasCurrent = GLContext.current === client.context }
        try stand.run { _ in pane.presents == 1 }
        #expect(composes == 2 && wasCurrent == true)
    }

    @Test("A secondary window closed between two attempts at its frame is neither drawn nor logged")
    func closedMeanwhile() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.needsRedraw = true
        pane.screen.answers = [false]
        pane.onCompose = { pane.screen.events = [.closeRequested] }
        pane.onEvent = { client.secondaryWindows = [] }
        try stand.run { $0.secondaryWindows.isEmpty }
        #expect(pane.events == [.closeRequested] && pane.presents == 0 && pane.screen.swaps == 0)
        #expect(stand.log.floatingCount == 0)
    }

    @Test("A window that fails to present ends the loop, be it the main or a secondary one", arguments: [true, false])
    func notShown(isMain: Bool) throws {
        let stand = try Stand()
        stand.pane.needsRedraw = true
        stand.client.needsRedraw = true
        (isMain ? stand.surface : stand.pane.screen).failure = .presentation("it is gone")
        #expect(throws: RenderingError.presentation("it is gone")) { try stand.run { _ in false } }
        stand.surface.makeCurrent()
        #expect(stand.surface.swaps == (isMain ? 0 : 1) && stand.pane.screen.swaps == 0)
    }

    @Test("A client that cannot upload its frame ends the loop after drawing")
    func notBrought() throws {
        let stand = try Stand()
        let failure = RenderingError.allocation(PixelSize(width: 1, height: 1), code: 0x0505)
        stand.client.failure = failure
        stand.client.needsRedraw = true
        #expect(throws: failure) { try stand.run { _ in false } }
        #expect(stand.surface.swaps == 1)
    }

    @Test("A secondary window that always needs drawing is drawn once per tick")
    func restless() throws {
        let stand = try Stand()
        stand.pane.isRestless = true
        stand.pane.needsRedraw = true
        let began = HostTime.now()
        try stand.run { _ in stand.pane.presents == 13 }
        // Twelve ticks of 17 ms, less what drawing takes; without ticks they take a millisecond.
        #expect(HostTime.now() - began > .milliseconds(60))
    }

    @Test(
        "A hidden secondary window is woken at its requested time while another window is visible",
        arguments: [true, false])
    func unseen(mainIsSeen: Bool) throws {
        let stand = try Stand()
        stand.client.wakes = false
        stand.surface.isShown = mainIsSeen
        stand.pane.screen.isShown = false
        stand.pane.wake = .now()
        try stand.run { _ in stand.pane.wakings >= 3 }
        #expect(stand.pane.wakings == 3 && stand.pane.presents == 0)
    }

    @Test("A window may poll its geometry without drawing", arguments: [true, false])
    func looks(mainIsSeen: Bool) throws {
        let stand = try Stand()
        stand.client.wakes = false
        stand.surface.isShown = mainIsSeen
        stand.surface.nextGeometryPoll = .now() + .milliseconds(3)
        stand.pane.screen.nextGeometryPoll = .now() + .milliseconds(6)
        try stand.run { _ in stand.surface.looks + stand.pane.screen.looks == 2 }
        #expect(stand.surface.looks == 1 && stand.pane.screen.looks == 1)
    }

    @Test("The report counts secondary windows separately, and has null without any")
    func report() throws {
        func report(_ log: FrameLog) throws -> [String: Any] {
            let report = FrameReport(
                log,
                of: FrameReport.Run(
                    file: "film", renderer: "", window: PixelSize(width: 1, height: 1), scenario: "play",
                    started: .now()),
                film: FrameReport.Film())
            let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
            return try #require(json as? [String: Any])
        }
        let log = FrameLog()
        log.recordUpload(.milliseconds(1))
        let before = try report(log)
        #expect(before["floating"] is NSNull)
        #expect((before["video"] as? [String: Any])?["uploaded"] as? Int == 1)
        log.recordFloatingPresent(draw: .milliseconds(2), swap: .milliseconds(1), interval: nil)
        var floating = try #require(try report(log)["floating"] as? [String: Any])
        #expect(Set(floating.keys) == ["present", "draw", "swap"])
        #expect((floating["present"] as? [String: Any])?["interval_ms"] is NSNull)
        log.recordFloatingPresent(draw: .milliseconds(2), swap: .milliseconds(1), interval: .milliseconds(40))
        floating = try #require(try report(log)["floating"] as? [String: Any])
        #expect((floating["present"] as? [String: Any])?["count"] as? Int == 2)
        let after = try report(log)
        #expect((after["present"] as? [String: Any])?["count"] as? Int == 0)
    }
}
