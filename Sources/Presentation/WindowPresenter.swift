import Geometry
import Layers
import Platform
import Rendering
import Time

/// Draws and shows one window of the frame loop, and keeps the window's last display list. Main thread.
@MainActor final class WindowPresenter {
    /// The content of a secondary window; nil for the main window.
    let content: (any FrameLoopWindow)?
    let surface: any FrameSurface
    let renderer: any Renderer
    let pacing: WindowPacing
    /// Whether the last frame that was shown contained the video.
    private(set) var showsVideo = false
    /// Whether the window, if it is a secondary window, was visible at the last check. Not used for the main window.
    var wasSeen = false
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// The image cache's generation at the time of the last draw.
    private var generation = 0
    /// When the window, if it is a secondary window, was last shown, and the log's `stretch` at that time.
    var lastPresent: (time: HostTime, stretch: Int)?
    /// When to retry a frame that was skipped; nil if no frame needs a retry.
    private(set) var retryTime: HostTime?

    /// When the stages of a frame began and ended.
    struct Times {
        var drawBegan: HostTime
        /// When drawing was complete.
        var drawn: HostTime
        /// How long the frame was held before it was shown, including the frame's earlier attempts.
        var held: Duration
        var presentCalled: HostTime
        var returned: HostTime
    }

    /// Since when the display has been holding frames back; nil if it is not.
    private var heldBackSince: HostTime?
    /// How long a window's frames must be held back before the window counts as not visible. Displays with at least 24
    /// Hz show a frame sooner than this.
    private static let unseenAfter = Duration.milliseconds(60)
    /// When the window was last found not to be visible; nil once the display shows frames promptly again.
    private var unseenAt: HostTime?
    /// If frames are held back again within this time after `unseenAt`, the window still counts as not visible. Servers
    /// take one frame a second from an invisible window. Without this interval, each of those frames would delay the
    /// film by `unseenAfter`.
    private static let unseenInterval = Duration.seconds(2)

    /// The maximum number of attempts to draw a frame while the window keeps changing. The frame of the last attempt is
    /// shown even if the window has changed again.
    private static let attempts = 3
    /// The delay before a skipped frame is retried.
    private static let retryInterval = Duration.milliseconds(50)

    init(content: (any FrameLoopWindow)?, surface: any FrameSurface, renderer: any Renderer) {
        self.content = content
        self.surface = surface
        self.renderer = renderer
        pacing = WindowPacing(surface: surface)
    }

    /// Whether the last frame lacked an image and the image cache has changed since.
    var hasPendingDamage: Bool { renderer.lacksImages && renderer.images.generation != generation }

    /// Whether it is time to retry a skipped frame.
    func isRetryDue(at now: HostTime) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// Whether the window counts as visible. If it does not, nothing is drawn in it, and nothing waits for it.
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

    /// Whether a frame can be drawn now without waiting for earlier frames.
    func isReady(at now: HostTime) -> Bool {
        if surface.isReady(at: now) {
            if let heldBackSince, now - heldBackSince < Self.unseenAfter { unseenAt = nil }
            heldBackSince = nil
            return true
        }
        heldBackSince = heldBackSince ?? now
        return false
    }

    /// Returns when to poll the window, retry a frame, or check whether the display shows frames again; nil if none of
    /// these is needed.
    func nextWake(now: HostTime) -> HostTime? {
        var wake = surface.nextGeometryPoll
        guard surface.isVisible else { return wake }
        if let retryTime { wake = wake.map { min($0, retryTime) } ?? retryTime }
        if let heldBackSince {
            // Polls less often the longer frames are held back, but at least ten times a second.
            let poll = now + min(max((now - heldBackSince) / 4, .milliseconds(2)), .milliseconds(100))
            wake = wake.map { min($0, poll) } ?? poll
        }
        return wake
    }

    /// Draws the list made by `compose` and shows it.
    ///
    /// If the window changes its position or size before the frame is shown, `catchUp` handles the events and the frame
    /// is drawn again, because an outdated frame would be visible as a jump. The frame is also drawn again if the film
    /// thread has shown another frame in the meantime. After a few attempts, the frame is shown as it is. The frame is
    /// drawn and shown with the window's own OpenGL context current, even if `catchUp` has made another context
    /// current.
    ///
    /// - Parameters:
    ///   - presentTime: The earliest time at which to show the frame; nil to show it at once.
    ///   - video: The surface with the video; nil if there is none.
    /// - Returns: The frame's times. Nil if `catchUp` returns false because the window no longer exists, or if the
    ///   renderer skips the frame (`retryTime`).
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
            // While the frame was held, the film thread may have shown another one.
            let presentCalled = try RenderLock.withLock { () throws(RenderingError) -> HostTime? in
                if renderer.isOvertaken {
                    guard attempt >= Self.attempts else { return nil }
                    // Otherwise, a film thread that is always faster would keep this frame from ever being shown.
                    guard try renderer.draw(list, surfaces: targets) else { return nil }
                }
                willPresent(list.viewport)
                let presentCalled = HostTime.now()
                try renderer.present()
                try surface.swap()
                return presentCalled
            }
            guard let presentCalled else { continue }
            retryTime = nil
            showsVideo = list.items.contains {
                if case .surface(let placement) = $0 { placement.surface == video } else { false }
            }
            return Times(
                drawBegan: drawBegan, drawn: drawn, held: held, presentCalled: presentCalled, returned: .now())
        }
    }

    /// Begins a frame at the window's current position and size, after the client has caught up with both. Returns
    /// false if the window no longer exists.
    private func begin(_ attempt: inout Int, _ catchUp: () -> Bool) -> Bool {
        while !surface.beginFrame() {
            guard catchUp() else { return false }
            if attempt >= Self.attempts { break }
            attempt += 1
        }
        return true
    }

    /// Hands the display list that is on screen to the film thread.
    func handOver(
        to thread: FilmThread, film: any FilmThreadSource, start: LateStart,
        target: (SurfaceID) -> (any VideoTarget)?
    ) {
        thread.show(&list, renderer: renderer, film: film, start: start, target: target)
    }

    /// Forces the next frame to be drawn in full, because the window's content was damaged.
    func setDamaged() { renderer.invalidate() }
}
