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
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// The generation of text and images at the last draw.
    private var generation = 0
    /// When it was last shown, and in which stretch of the log.
    var lastPresent: (time: HostTime, stretch: Int)?
    /// When to retry a frame that was left out; nil if none was.
    private(set) var retryTime: HostTime?

    /// When the parts of a frame's work began and ended.
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
    /// A window whose frames have been held back for this long is not seen. Displays of 24 Hz and more show a frame sooner.
    private static let unseenAfter = Duration.milliseconds(60)

    /// After this many attempts, a window that keeps changing is shown as drawn.
    private static let attempts = 3
    /// The time from a frame that was left out to the retry.
    private static let retryInterval = Duration.milliseconds(50)

    init(content: (any FrameLoopWindow)?, surface: any FrameSurface, renderer: any Renderer) {
        self.content = content
        self.surface = surface
        self.renderer = renderer
    }

    /// Whether its last frame lacked an image that is available now.
    var hasPendingDamage: Bool { renderer.lacksImages && renderer.images.generation != generation }

    /// Whether it is time to retry a frame that was left out.
    func isRetryDue(at now: HostTime) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// Whether the window can be seen, as far as is known. If not, nothing is drawn in it and nothing waits for it.
    func isSeen(at now: HostTime) -> Bool {
        guard surface.isVisible else {
            heldBackSince = nil
            return false
        }
        return isReady(at: now) || heldBackSince.map { now - $0 < Self.unseenAfter } ?? true
    }

    /// Whether a frame can be drawn now without waiting for earlier ones.
    func isReady(at now: HostTime) -> Bool {
        if surface.isReady(at: now) {
            heldBackSince = nil
            return true
        }
        heldBackSince = heldBackSince ?? now
        return false
    }

    /// When to poll the window, retry a frame, or look whether the display shows frames again.
    func nextWake(now: HostTime) -> HostTime? {
        var wake = surface.nextGeometryPoll
        guard surface.isVisible else { return wake }
        if let retryTime { wake = wake.map { min($0, retryTime) } ?? retryTime }
        if let heldBackSince {
            // The longer it lasts, the rarer: ten times a second at least.
            let poll = now + min(max((now - heldBackSince) / 4, .milliseconds(2)), .milliseconds(100))
            wake = wake.map { min($0, poll) } ?? poll
        }
        return wake
    }

    /// Draws what `compose` lists and shows it.
    ///
    /// A frame drawn for a position or size that the window no longer has is not shown, since that would be seen as a
    /// jump. After `catchUp` has handled the events it is drawn again; or not at all (nil), if `catchUp` says that the
    /// window is gone or the renderer leaves the frame out (`retryTime`). The window's own context is made current
    /// again whatever `catchUp` leaves current.
    ///
    /// - Parameter presentTime: The frame is not shown before this time.
    func present(
        presentTime: HostTime? = nil,
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
            willPresent(list.viewport)
            let presentCalled = HostTime.now()
            try renderer.present()
            try surface.swap()
            retryTime = nil
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

    /// The window's content was damaged: the next frame is shown whole.
    func setDamaged() { renderer.invalidate() }
}
