import Geometry
import Layers
import Platform
import Rendering
import Time

/// One window of the frame loop: its last display list and its renderer. Main thread.
@MainActor final class WindowPresenter {
    /// The content of a secondary window; nil for the loop's own.
    let content: (any FrameLoopWindow)?
    let surface: any FrameSurface
    let renderer: any Renderer
    let pacing: WindowPacing
    /// Whether the last frame shown had the video in it.
    private(set) var showsVideo = false
    /// Whether the window was visible in the last round of the loop.
    var wasSeen = false
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// The generation of text and images at the last draw.
    private var generation = 0
    /// When it was last shown, and in which stretch of the log.
    var lastPresent: (time: HostTime, stretch: Int)?
    /// When to retry a frame that was left out; nil if none was.
    private(set) var retryTime: HostTime?

    /// When the stages of a frame began and ended.
    struct Times {
        var drawBegan: HostTime
        /// When drawing was complete.
        var drawn: HostTime
        /// How long the frame was held before it was shown, including earlier attempts.
        var held: Duration
        var presentCalled: HostTime
        var returned: HostTime
    }

    /// Since when the display has held frames back; nil while it does not.
    private var heldBackSince: HostTime?
    /// A window whose frames were held back for this long counts as not visible. Displays of 24 Hz and more show a
    /// frame sooner.
    private static let unseenAfter = Duration.milliseconds(60)
    /// When it last counted as not seen, until the display shows frames promptly again.
    private var unseenAt: HostTime?
    /// Servers take one frame a second from a window that is not seen. One that is held back again within this time is
    /// still not seen; otherwise the film would stand for `unseenAfter` each second.
    private static let unseenInterval = Duration.seconds(2)

    /// After this many attempts, a window that keeps changing is shown as drawn.
    private static let attempts = 3
    /// The time from a frame that was left out to the retry.
    private static let retryInterval = Duration.milliseconds(50)

    init(content: (any FrameLoopWindow)?, surface: any FrameSurface, renderer: any Renderer) {
        self.content = content
        self.surface = surface
        self.renderer = renderer
        pacing = WindowPacing(surface: surface)
    }

    /// Whether its last frame lacked an image that is available now.
    var hasPendingDamage: Bool { renderer.lacksImages && renderer.images.generation != generation }

    /// Whether it is time to retry a frame that was left out.
    func isRetryDue(at now: HostTime) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// Whether the window is visible, as far as is known. If not, nothing is drawn in it and nothing waits for it.
    func isSeen(at now: HostTime) -> Bool {
        guard surface.isVisible else {
            heldBackSince = nil
            return false
        }
        if isReady(at: now) { return true }
        let isStillUnseen = unseenAt.map { now - $0 < Self.unseenInterval } ?? false
        if !isStillUnseen, let heldBackSince, now - heldBackSince < Self.unseenAfter { return true }
        unseenAt = now
        return false
    }

    /// Whether a frame can be drawn now without waiting for earlier ones.
    func isReady(at now: HostTime) -> Bool {
        if surface.isReady(at: now) {
            if let heldBackSince, now - heldBackSince < Self.unseenAfter { unseenAt = nil }
            heldBackSince = nil
            return true
        }
        heldBackSince = heldBackSince ?? now
        return false
    }

    /// When to poll the window, retry a frame, or check whether the display shows frames again.
    func nextWake(now: HostTime) -> HostTime? {
        var wake = surface.nextGeometryPoll
        guard surface.isVisible else { return wake }
        if let retryTime { wake = wake.map { min($0, retryTime) } ?? retryTime }
        if let heldBackSince {
            // The longer it lasts, the more rarely, but at least ten times a second.
            let poll = now + min(max((now - heldBackSince) / 4, .milliseconds(2)), .milliseconds(100))
            wake = wake.map { min($0, poll) } ?? poll
        }
        return wake
    }

    /// Draws the list made by `compose` and shows it.
    ///
    /// A frame drawn for a position or size that the window no longer has is not shown, since it would be visible as a
    /// jump. After `catchUp` has handled the events, the frame is drawn again. It is not drawn (nil) if `catchUp`
    /// reports that the window is gone, or if the renderer leaves the frame out (`retryTime`). Afterwards the window's
    /// own context is current, no matter which one `catchUp` has made current.
    ///
    /// - Parameters:
    ///   - presentTime: The frame is not shown before this time.
    ///   - video: The surface with the video; nil if there is none.
    func present(
        presentTime: HostTime? = nil, video: SurfaceID? = nil,
        compose: (inout DisplayList) -> Void, targets: (SurfaceID) -> (any VideoTarget)?,
        willPresent: (PixelSize) -> Void, catchUp: () -> Bool
    ) throws(RenderingError) -> Times? {
        var attempt = 0
        var held = Duration.zero
        while true {
            attempt += 1
            guard begin(&attempt, catchUp) else { return nil }
            surface.makeCurrent()
            list.viewport = surface.pixelSize
            compose(&list)
            // Composing may have changed the window.
            if !surface.isCurrent, attempt < Self.attempts {
                guard catchUp() else { return nil }
                continue
            }
            let drawBegan = HostTime.now()
            generation = renderer.images.generation
            guard try renderer.draw(list, surfaces: targets) else {
                retryTime = .now() + Self.retryInterval
                return nil
            }
            let drawn = HostTime.now()
            if let presentTime, presentTime > drawn {
                renderer.flush()
                surface.hold(until: presentTime)
                held += .now() - drawn
            }
            if !surface.isCurrent, attempt < Self.attempts {
                guard catchUp() else { return nil }
                continue
            }
            // While the frame was held, the film thread may have been faster.
            let presentCalled = try RenderLock.withLock { () throws(RenderingError) -> HostTime? in
                if renderer.isOvertaken { return nil }
                willPresent(list.viewport)
                let presentCalled = HostTime.now()
                try renderer.present()
                return presentCalled
            }
            guard let presentCalled else { continue }
            try surface.swap()
            retryTime = nil
            showsVideo = list.items.contains {
                if case .surface(let placement) = $0 { placement.surface == video } else { false }
            }
            return Times(
                drawBegan: drawBegan, drawn: drawn, held: held, presentCalled: presentCalled, returned: .now())
        }
    }

    /// Records the window's position and size and lets the client catch up with them. False if the window is gone.
    private func begin(_ attempt: inout Int, _ catchUp: () -> Bool) -> Bool {
        while !surface.beginFrame() {
            guard catchUp() else { return false }
            if attempt >= Self.attempts { break }
            attempt += 1
        }
        return true
    }

    /// Hands the list that is on screen over to the film's thread.
    func handOver(
        to thread: FilmThread, film: any LateFilm, start: LateStart,
        target: (SurfaceID) -> (any VideoTarget)?
    ) {
        thread.show(&list, renderer: renderer, film: film, start: start, target: target)
    }

    /// Forces the next frame to be drawn in full, because the window's content was damaged.
    func setDamaged() { renderer.invalidate() }
}
