import Geometry
import Layers
import Platform
import Rendering
import Time

/// One window as the frame loop has it: what was last listed for it, and who draws it. Main thread.
@MainActor final class WindowPresenter {
    /// Nil for the loop's own window.
    let pane: (any FrameLoopWindow)?
    let surface: any FrameSurface
    let renderer: any Renderer
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// What there was of text and images when it was drawn last.
    private var generation = 0
    /// When it was last shown, and in which stretch of the log.
    var lastPresent: (time: HostTime, stretch: Int)?
    /// When to draw again what was left out; nil where nothing was.
    private(set) var retryTime: HostTime?

    /// When the parts of a frame's work began and ended.
    struct Times {
        var drawBegan: HostTime
        /// When it was all drawn.
        var drawn: HostTime
        /// How long it was held before it was shown, and attempts before it.
        var held: Duration
        var presentCalled: HostTime
        var returned: HostTime
    }

    /// A window that changes all the time is drawn as it was found after so many attempts.
    private static let attempts = 3
    /// From a frame that was left out to the next attempt, where nothing else asks for one.
    private static let retryInterval = Duration.milliseconds(50)

    init(pane: (any FrameLoopWindow)?, surface: any FrameSurface, renderer: any Renderer) {
        self.pane = pane
        self.surface = surface
        self.renderer = renderer
    }

    /// Whether its last frame lacked something that can be drawn now.
    var hasPendingDamage: Bool { renderer.lacksImages && renderer.images.generation != generation }

    /// Whether what it shows is out of date because a frame was left out, and it is time for another attempt.
    func isRetryDue(at now: HostTime) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// When the window is to be looked at, or drawn again, though nothing asks for that.
    var nextWake: HostTime? {
        guard surface.isVisible, let retryTime else { return surface.nextLook }
        return surface.nextLook.map { min($0, retryTime) } ?? retryTime
    }

    /// Draws what `compose` lists and shows it.
    ///
    /// Nothing is shown that was drawn for a place or a size that the window no longer has: that would be seen as a jump.
    /// It is drawn anew then, after `catchUp` has taken what happened; or not at all, nil, where that says that the window
    /// is gone, or where the renderer leaves the frame out (`retryTime`). Whatever context `catchUp` leaves current, the window's own is so again after it.
    /// - Parameter presentTime: before that it is not shown.
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
            // What was composed may have asked for another window.
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

    /// Takes note of where the window is, and sees to it that who composes knows of that. False where it is gone.
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
