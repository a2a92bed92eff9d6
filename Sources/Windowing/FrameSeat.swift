import Host
import Motion
import Rendering
import Stage

/// One window as the frame loop has it: what was last listed for it, and who draws it. Main thread.
@MainActor final class FrameSeat {
    /// Nil for the loop's own window.
    let pane: (any FramePane)?
    let surface: any FrameSurface
    let renderer: any Renderer
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// What there was of text and images when it was drawn last.
    private var generation = 0
    /// When it was last shown, and in which stretch of the log.
    var lastPresent: (time: HostTime, stretch: Int)?

    /// When the parts of a frame's work began and ended.
    struct Times {
        var composeBegan: HostTime
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

    init(pane: (any FramePane)?, surface: any FrameSurface, renderer: any Renderer) {
        self.pane = pane
        self.surface = surface
        self.renderer = renderer
    }

    /// Whether its last frame lacked something that can be drawn now.
    var hasNews: Bool { renderer.lacksStills && renderer.images.generation != generation }

    /// Draws what `compose` lists and shows it.
    ///
    /// Nothing is shown that was drawn for a place or a size that the window no longer has: that would be seen as a jump.
    /// It is drawn anew then, after `catchUp` has taken what happened; or not at all, nil, where that says that the window
    /// is gone. Whatever context `catchUp` leaves current, the window's own is so again after it.
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
            let composeBegan = HostTime.now()
            compose(&list)
            // What was composed may have asked for another window.
            if !surface.isCurrent, attempt < Self.attempts {
                guard catchUp() else { return nil }
                continue
            }
            let drawBegan = HostTime.now()
            generation = renderer.images.generation
            try renderer.draw(list, surfaces: targets)
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
            surface.swap()
            return Times(
                composeBegan: composeBegan, drawBegan: drawBegan, drawn: drawn, held: held,
                presentCalled: presentCalled, returned: .now())
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
