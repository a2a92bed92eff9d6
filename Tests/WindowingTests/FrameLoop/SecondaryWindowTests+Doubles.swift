import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

// A loop on offscreen surfaces with a client and a pane that do as they are told.

extension SecondaryWindowTests {
    /// A surface of the loop that can be put away.
    final class Surface: FrameSurface {
        let inner: OffscreenLoopSurface
        var isShown = true
        /// How many frames were shown.
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
        /// Whether the window is about to change, so that no frame may be drawn.
        var isChanging = false
        func frameHoldDeadline(at now: HostTime) -> HostTime? { isChanging ? now + .milliseconds(5) : nil }
        /// Called after each frame.
        var onShown: () -> Void = {}
        func frameWasShown() {
            swaps += 1
            onShown()
        }
        /// Called when the loop asks whether the window is still as it was drawn for.
        var onCheck: () -> Void = {}
        var isCurrent: Bool {
            onCheck()
            return answers.isEmpty ? true : answers.removeFirst()
        }
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

    /// An output that cannot show what was drawn.
    final class BrokenOutput: SoftwareOutput {
        private let memory = SoftwareMemoryOutput()
        var methodName: String { memory.methodName }
        func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer? { try memory.takeBuffer(size) }
        func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError) {
            throw .presentation("it is gone")
        }
    }

    /// A pane that shows a colour.
    final class Pane: FrameLoopWindow {
        let screen: Surface
        var renderer: any Renderer
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
        var demand: WindowDemand {
            WindowDemand(isAnimating: isAnimating, needsRedraw: needsRedraw, showsFilm: showsFilm)
        }
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

    /// A film that has so many frames, 2 ms each.
    final class Film: FrameLoopFilm {
        let surface = SurfaceID(rawValue: 1)
        var framesLeft = 0
        var due: HostTime?
        var (takes, drops, counted) = (0, 0, 0)
        /// Whether the context that was current at the start was so at each look for a frame.
        var takeWasCurrent = true
        let context: GLContext?

        init() { context = GLContext.current }
        func play(_ frames: Int) {
            framesLeft = frames
            due = .now()
        }
        var nextFrameDue: HostTime? { framesLeft > 0 ? due : nil }
        func take(by time: HostTime) -> TakenFrame? {
            takes += 1
            takeWasCurrent = takeWasCurrent && GLContext.current === context
            guard framesLeft > 0, let due, due <= time else { return nil }
            framesLeft -= 1
            self.due = due + .milliseconds(2)
            return TakenFrame(due: nil)
        }
        func fit(isLaidOut: Bool) {}
        func willPresent() {}
        func leaveOut(isDropped: Bool) {
            drops += 1
            if isDropped { counted += 1 }
        }
        func end() {}
        func postpone() { drops += 1 }
        func didPresent(at time: HostTime) {}
        var threadSource: (any FilmThreadSource)? { nil }
    }

    /// A client that ends when `isDone` says so.
    final class Client: FrameLoopClient {
        var secondaryWindows: [any FrameLoopWindow] = []
        let shown = Film()
        var film: (any FrameLoopFilm)? { shown }
        var isAnimating = false
        var needsRedraw = false
        var showsFilm = true
        var (composes, presents) = (0, 0)
        var isDone: (Client) -> Bool = { _ in true }
        var rounds = 0
        var failure: RenderingError?
        private let end = HostTime.now() + .seconds(20)
        private var isFinished = false
        /// Whether `isDone` was asked in this round: once, after all windows have advanced.
        private var isJudged = false

        var demand: LoopDemand {
            if !isJudged {
                isJudged = true
                isFinished = isDone(self) || HostTime.now() > end
            }
            return LoopDemand(
                window: WindowDemand(isAnimating: isAnimating, needsRedraw: needsRedraw, showsFilm: showsFilm),
                isFinished: isFinished, failure: failure)
        }
        var displayRate: Double?
        func handle(_ event: WindowEvent, now: HostTime) {
            if case .displayRateChanged(let rate) = event { displayRate = rate }
        }
        func advance(to now: HostTime) {
            rounds += 1
            isJudged = false
        }
        /// Whether it has a wake of its own, beside its end.
        var wakes = true
        func nextWake(now: HostTime) -> HostTime? { wakes ? now + .milliseconds(50) : end }
        func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
            composes += 1
            needsRedraw = false
            list.items = [.fill(PixelRect(size: list.viewport), .gray)]
        }
        func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { nil }
        func didPresent(at time: HostTime) { presents += 1 }
    }

    /// A loop with a pane on surfaces that share.
    @MainActor struct Stand {
        let surface: Surface
        let compositor: Compositor
        /// What draws the main window.
        var renderer: any Renderer
        let pane: Pane
        let client: Client
        let log = FrameLog()

        init() throws {
            let signal = WakeSignal()
            let first = try OffscreenSurface(size: PixelSize(width: 32, height: 24))
            compositor = Compositor(device: try GLDevice())
            renderer = GLRenderer(compositor)
            client = Client()
            surface = Surface(first, signal)
            let second = try OffscreenSurface(size: PixelSize(width: 16, height: 9), sharing: first)
            pane = Pane(Surface(second, signal), Compositor(sharing: compositor))
            client.secondaryWindows = [pane]
        }

        func run(until isDone: @escaping (Client) -> Bool) throws {
            client.isDone = isDone
            try FrameLoop(surface: surface, renderer: renderer, client: client, log: log).run()
            surface.makeCurrent()
        }
    }
}
