import CGLES
import Host
public import Motion
public import Rendering
public import Stage

/// What the frame loop runs: takes in what happens, and says what there is to see.
@MainActor public protocol FrameClient: AnyObject {
    /// One thing that happened, in its order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Time has passed; news from threads may have come.
    func advance(to now: HostTime)
    /// When the next video frame is to be seen.
    var nextFrameDue: HostTime? { get }
    /// When `advance` must be called again in any case.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether something moves that wants the display's rate.
    var isAnimating: Bool { get }
    /// Whether something has changed that is not on screen yet.
    var needsRedraw: Bool { get }
    /// Nobody sees the window: lets go of the frames that are due by `time`.
    func skip(to time: HostTime)
    /// What is to be seen at `time`, with the newest video frame due by `framesBy`; uploads what it needs.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime, framesBy: HostTime)
    /// The picture for a surface of the list.
    func texture(for surface: SurfaceID) -> SurfaceTexture?
    /// The frame was drawn and is about to be swapped: it can still be read back.
    func willPresent(_ pixels: PixelSize)
    /// The frame is on screen since `time`.
    func didPresent(at time: HostTime)
    /// Whether the loop is to end.
    var isFinished: Bool { get }
}

/// Something that a frame loop can be run on: where it draws, and where its events come from.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Hands over what has happened since the last call.
    func takeEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event, a wake-up from another thread, or `deadline`; nil waits for as long as it takes, a deadline
    /// that has passed only looks.
    func wait(until deadline: HostTime?)
}

/// The frame loop: sleeps until something is to be done, then takes in all events, advances to the time at which the
/// frame will be seen, draws, swaps and logs. On the main thread; it blocks on nothing but its sleep and the swap.
@MainActor public final class FrameLoop {
    public let log: FrameLog
    private let surface: any FrameSurface
    private let compositor: Compositor
    private let client: any FrameClient
    private var pacer: FramePacer
    private var events: [WindowEvent] = []
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))

    public init(surface: any FrameSurface, compositor: Compositor, client: any FrameClient, log: FrameLog) {
        self.surface = surface
        self.compositor = compositor
        self.client = client
        self.log = log
        pacer = FramePacer(swapBlocks: surface.swapBlocks, refreshRate: surface.refreshRate)
    }

    /// Runs until the client is finished.
    ///
    /// - Throws: what keeps the compositor from drawing at all.
    public func run() throws(RenderingError) {
        while true {
            takeEvents()
            var now = HostTime.now()
            client.advance(to: now)
            if client.isFinished { return }
            guard surface.isVisible else {
                client.skip(to: now)
                log.interrupt()
                surface.wait(until: earliest(client.nextFrameDue, client.nextWake(now: now)))
                continue
            }
            now = .now()
            let plan = pacer.plan(
                now: now, frameDue: client.nextFrameDue, isAnimating: client.isAnimating,
                needsRedraw: client.needsRedraw, wake: client.nextWake(now: now))
            switch plan {
            case .draw(let visible, let framesBy): try draw(visibleAt: visible, framesBy: framesBy)
            case .sleep(let deadline): surface.wait(until: deadline)
            }
        }
    }

    private func takeEvents() {
        // A look at the window system, without waiting: a loop that always has something to draw hears it too.
        surface.wait(until: HostTime(nanoseconds: 0))
        events.removeAll(keepingCapacity: true)
        surface.takeEvents(into: &events)
        if events.isEmpty { return }
        let now = HostTime.now()
        for event in events {
            if case .moved = event { pacer.setRefreshRate(surface.refreshRate) }
            client.handle(event, now: now)
        }
    }

    private func draw(visibleAt visible: HostTime, framesBy: HostTime) throws(RenderingError) {
        let began = HostTime.now()
        surface.makeCurrent()
        if list.viewport != surface.pixelSize {
            // Mesa's rasterizers on the CPU look at a window's size after a swap: without one, the first frame in a new
            // size would be drawn at a place of the old one, and be lost where nothing follows it. What is swapped here
            // is what was on show anyway.
            if compositor.device.isSoftware { surface.swap() }
            list.viewport = surface.pixelSize
        }
        client.compose(&list, scale: surface.scale, visibleAt: visible, framesBy: framesBy)
        let drawBegan = HostTime.now()
        try compositor.draw(list) { client.texture(for: $0) }
        // A software rasterizer draws when it is waited for. The swap would wait just as well; this way the time it
        // takes stands where it belongs.
        if compositor.device.isSoftware { glFinish() }
        client.willPresent(list.viewport)
        let swapCalled = HostTime.now()
        surface.swap()
        let returned = HostTime.now()
        pacer.didSwap(began: began, swapCalled: swapCalled, returned: returned)
        log.recordPresent(draw: swapCalled - drawBegan, swap: returned - swapCalled, at: returned)
        client.didPresent(at: returned)
    }

    private func earliest(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
