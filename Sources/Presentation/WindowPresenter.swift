import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import GlissadeTime

/// Draws and shows one window of the frame loop, and keeps the window's last display list. Main thread.
@MainActor final class WindowPresenter {
    /// The content of a secondary window; nil for the main window.
    let content: (any FrameLoopWindow)?
    let surface: any FrameSurface
    let renderer: any Renderer
    let pacing: WindowPacing
    /// Whether the last frame that was shown contained the film.
    private(set) var showsFilm = false
    /// Whether a secondary window was visible at the last check. Not used for the main window.
    var wasSeen = false
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// The image cache's generation at the last draw.
    private var generation = 0
    /// When a secondary window's last frame was shown, and the log's `stretch` at that time. Not used for the main
    /// window.
    var lastPresent: (time: HostTime, stretch: Int)?
    /// When to retry a frame that was skipped; nil if no frame needs a retry.
    private(set) var retryTime: HostTime?

    /// The times of the stages of a frame.
    struct Times {
        var drawBegan: HostTime
        var drawn: HostTime
        /// How long the finished frame was held, in all attempts together.
        var held: Duration
        var presentCalled: HostTime
        var returned: HostTime
    }

    /// When the display began to hold frames back; nil if it is not holding frames back.
    private var heldBackSince: HostTime?
    /// If the display holds frames back for this long, the window counts as not visible. This is longer than one
    /// refresh at 24 Hz.
    private static let unseenAfter = Duration.milliseconds(60)
    /// When the window last counted as not visible; nil after the display has shown a frame promptly again.
    private var unseenAt: HostTime?
    /// If frames are held back again within this time after `unseenAt`, the window counts as not visible at once. X
    /// servers show one frame a second of an invisible window. Without this interval, the film would wait `unseenAfter`
    /// for each of them.
    private static let unseenInterval = Duration.seconds(2)

    /// The maximum number of attempts to draw a frame. The frame of the last attempt is shown even if the window has
    /// changed again.
    private static let attempts = 3
    /// The delay before a skipped frame is retried.
    private static let retryInterval = Duration.milliseconds(50)

    init(content: (any FrameLoopWindow)?, surface: any FrameSurface, renderer: any Renderer) {
        self.content = content
        self.surface = surface
        self.renderer = renderer
        pacing = WindowPacing(surface: surface)
    }

    /// Whether the last frame lacked an image, and the image cache has changed since that frame.
    var hasPendingDamage: Bool { renderer.lacksImages && renderer.images.generation != generation }

    func isRetryDue(at now: HostTime) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// Returns whether the window counts as visible. If false, the loop does not draw the window.
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

    /// Returns whether a frame can be drawn now without waiting for earlier frames.
    func isReady(at now: HostTime) -> Bool {
        if surface.isReady(at: now) {
            if let heldBackSince, now - heldBackSince < Self.unseenAfter { unseenAt = nil }
            heldBackSince = nil
            return true
        }
        heldBackSince = heldBackSince ?? now
        return false
    }

    /// Returns the earliest time at which to poll the window, retry a frame, or check whether the display shows frames
    /// again; nil if none of these is needed.
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
    /// If the window is moved or resized before the frame is shown, `catchUp` handles the events and the frame is drawn
    /// again. The frame is also drawn again if the film thread has shown another frame in the meantime. After
    /// `attempts` attempts, the frame is shown even if it is outdated. Each attempt makes the window's OpenGL context
    /// current, because `catchUp` may have changed the current context.
    ///
    /// - Parameters:
    ///   - presentTime: The earliest time at which to show the frame; nil to show it at once.
    ///   - film: The surface that shows the film; nil if there is none.
    /// - Returns: The frame's times. Nil if `catchUp` returns false because the window no longer exists, or if the
    ///   renderer skips the frame (`retryTime`).
    func present(
        presentTime: HostTime? = nil, film: SurfaceID? = nil,
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
                return presentCalled
            }
            guard let presentCalled else { continue }
            let returned = HostTime.now()
            surface.frameWasShown()
            retryTime = nil
            showsFilm = list.items.contains {
                if case .surface(let placement) = $0 { placement.surface == film } else { false }
            }
            return Times(
                drawBegan: drawBegan, drawn: drawn, held: held, presentCalled: presentCalled, returned: returned)
        }
    }

    /// Begins a frame at the window's current position and size. If no event has reported that size yet, calls
    /// `catchUp` first. Returns false if the window no longer exists.
    private func begin(_ attempt: inout Int, _ catchUp: () -> Bool) -> Bool {
        while !surface.beginFrame() {
            guard catchUp() else { return false }
            if attempt >= Self.attempts { break }
            attempt += 1
        }
        return true
    }

    /// Hands the last display list shown to the film thread.
    func handOver(
        to thread: FilmThread, film: any FilmThreadSource, start: LateStart,
        target: (SurfaceID) -> (any VideoTarget)?
    ) {
        thread.show(&list, renderer: renderer, film: film, start: start, target: target)
    }

    /// Records that the window's content was damaged, so that the next frame is shown in full.
    func setDamaged() { renderer.invalidate() }
}
