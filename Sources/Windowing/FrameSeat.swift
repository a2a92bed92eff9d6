import CGLES
import Host
import Motion
import Rendering
import Stage

/// One window as the frame loop has it: what was last listed for it, and how its buffer stands. Main thread.
@MainActor final class FrameSeat {
    /// Nil for the loop's own window.
    let pane: (any FramePane)?
    let surface: any FrameSurface
    let compositor: Compositor
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// What it shows since the last frame.
    private var shown = DisplayList(viewport: PixelSize(width: 0, height: 0))
    private var kept = Kept.nothing
    /// How many parts were drawn since all of it was.
    private var parts = 0
    /// The size that the window had when something was drawn into it that is not swapped yet. Mesa's rasterizers on the
    /// CPU look at the window's size then, and again only after a swap.
    private var bufferSize: PixelSize?
    private var windowDraws = 0
    /// What there was of text and images when it was drawn last.
    private var generation = 0
    /// Whether the last frame was drawn in part, and the rest is to be drawn whatever happens.
    private(set) var owesRest = false
    /// When it was last shown, and in which stretch of the log.
    var lastPresent: (time: HostTime, stretch: Int)?

    /// What is known of the buffer that the next frame is drawn into.
    private enum Kept {
        case nothing
        /// It is as large as the window was for the last frame.
        case size
        /// All of that frame is in it.
        case frame
    }

    /// When the parts of a frame's work began and ended.
    struct Times {
        var composeBegan: HostTime
        var drawBegan: HostTime
        /// When it was all drawn.
        var drawn: HostTime
        /// How long it was held before the swap, and attempts before it.
        var held: Duration
        var swapCalled: HostTime
        var returned: HostTime
    }

    /// A window that changes all the time is drawn as it was found after so many attempts.
    private static let attempts = 3
    /// After so many parts it is drawn whole: what is seen no more, of text, goes only then.
    static let mostParts = 600

    init(pane: (any FramePane)?, surface: any FrameSurface, compositor: Compositor) {
        self.pane = pane
        self.surface = surface
        self.compositor = compositor
    }

    /// Whether its last frame lacked something that can be drawn now.
    var hasNews: Bool { owesRest || compositor.lacksStills && compositor.images.generation != generation }

    /// Draws what `compose` lists and shows it.
    ///
    /// Nothing is shown that was drawn for a place or a size that the window no longer has: that would be seen as a jump.
    /// It is drawn anew then, after `catchUp` has taken what happened; or not at all, nil, where that says that the window
    /// is gone. Whatever context `catchUp` leaves current, the window's own is so again after it.
    /// - Parameter swapTime: before that it is not shown.
    func present(
        swapTime: HostTime? = nil,
        compose: (inout DisplayList) -> Void, texture: (SurfaceID) -> SurfaceTexture?, willPresent: (PixelSize) -> Void,
        catchUp: () -> Bool
    ) throws(RenderingError) -> Times? {
        if let direct = surface.direct, direct.isDirect {
            return presentDirectly(direct, swapTime: swapTime, compose: compose, texture: texture, catchUp: catchUp)
        }
        let isSoftware = compositor.device.isSoftware
        // Whether the window changed about when the driver looked at its size.
        var isDoubtful = false
        var attempt = 0
        var held = Duration.zero
        while true {
            attempt += 1
            guard begin(&attempt, catchUp) else { return nil }
            surface.makeCurrent()
            list.viewport = surface.pixelSize
            if isDoubtful, bufferSize != nil { bufferSize = compositor.device.framebufferSize }
            isDoubtful = false
            let composeBegan = HostTime.now()
            compose(&list)
            let isNew = bufferSize == nil
            if isSoftware, isNew, surface.nextLook != nil || list.viewport != shown.viewport {
                // While the window changes, the driver is made to look at its size here, before it is asked for again. It
                // may have looked before: when the window was made current again, after another one.
                bufferSize = compositor.device.framebufferSize(expecting: list.viewport)
            }
            // What was composed may have asked for another window.
            if !surface.isCurrent, attempt < Self.attempts {
                isDoubtful = isSoftware && isNew
                guard catchUp() else { return nil }
                continue
            }
            let drawBegan = HostTime.now()
            // The buffer of another size is laid at the window's top left corner: it gets that part of the picture, which
            // is right where it is seen. What was in it before would not be. A driver that finds no other size has none.
            let isOther = isSoftware && bufferSize.map { $0 != list.viewport } ?? false
            let isBehind = isOther && attempt <= Self.attempts
            let keeps = keepsFrame && !isOther
            let part = keeps ? partToDraw : isSoftware && !isOther ? firstPart : nil
            generation = compositor.images.generation
            if part?.isEmpty != true {
                try compositor.draw(list, buffer: isBehind ? bufferSize : nil, part: part, surfaces: texture)
            }
            // Until it is shown, what is in the buffer is no frame.
            kept = .nothing
            if bufferSize == nil { bufferSize = list.viewport }
            // A software rasterizer draws when it is waited for. The swap would wait just as well; this way the time it
            // takes stands where it belongs.
            if isSoftware { glFinish() }
            let drawn = HostTime.now()
            // Drivers collect commands until a flush or a swap: without this, a GPU would begin only when the frame is due.
            if !isSoftware, !isBehind, let swapTime, swapTime > drawn { glFlush() }
            if !isBehind { held += hold(until: swapTime, from: drawn) }
            if !surface.isCurrent, attempt < Self.attempts {
                isDoubtful = isSoftware && isNew
                guard catchUp() else { return nil }
                continue
            }
            if isBehind {
                swap()
                continue
            }
            willPresent(list.viewport)
            let swapCalled = HostTime.now()
            owesRest = !keeps && part != nil
            if keeps || owesRest { show(part ?? PixelRect(size: list.viewport)) } else { swap() }
            if let part, owesRest, let color = list.background { surface.fill(around: part, of: list.viewport, color) }
            parts = part == nil ? 0 : parts + 1
            kept = keeps ? .frame : .size
            Swift.swap(&list, &shown)
            return Times(
                composeBegan: composeBegan, drawBegan: drawBegan, drawn: drawn, held: held, swapCalled: swapCalled,
                returned: .now()
            )
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

    /// Holds what is ready since `drawn`; for how long.
    private func hold(until swapTime: HostTime?, from drawn: HostTime) -> Duration {
        guard let swapTime, swapTime > drawn else { return .zero }
        surface.hold(until: swapTime)
        return .now() - drawn
    }

    /// The same without OpenGL, as far as that goes; what does not has the driver begun, and is drawn when it is there.
    private func presentDirectly(
        _ direct: DirectPictures, swapTime: HostTime?, compose: (inout DisplayList) -> Void,
        texture: (SurfaceID) -> SurfaceTexture?,
        catchUp: () -> Bool
    ) -> Times? {
        var attempt = 0
        var held = Duration.zero
        while true {
            attempt += 1
            guard begin(&attempt, catchUp) else { return nil }
            list.viewport = surface.pixelSize
            let composeBegan = HostTime.now()
            compose(&list)
            let drawn = HostTime.now()
            // What the window shows is in its memory by now.
            held += hold(until: swapTime, from: drawn)
            if !surface.isCurrent, attempt < Self.attempts {
                guard catchUp() else { return nil }
                continue
            }
            let swapCalled = HostTime.now()
            direct.show(list, surfaces: texture)
            return Times(
                composeBegan: composeBegan, drawBegan: drawn, drawn: drawn, held: held, swapCalled: swapCalled,
                returned: .now())
        }
    }

    private func swap() {
        surface.swap()
        bufferSize = nil
        windowDraws = compositor.windowDraws
    }

    /// The window's content was damaged, or nobody knows what it is: the next frame is drawn whole.
    func setDamaged() { kept = .nothing }

    /// It is somebody else's from now on, or nobody's: who begins anew counts on a driver that looks at the window's size. What
    /// is shown once more is what is seen; of a frame that was drawn in part, in a window that goes, more than that.
    func leave() {
        guard kept == .frame || owesRest else { return }
        owesRest = false
        surface.makeCurrent()
        swap()
        kept = .nothing
    }

    /// Whether the next frame is shown so that what was drawn stays, to be drawn upon.
    ///
    /// Only where the CPU draws, which takes as long as there are pixels; and not for films, of which nothing stays. The
    /// first frame in a new size is swapped: Mesa's rasterizers on the CPU look at the window's size after that alone.
    private var keepsFrame: Bool {
        compositor.device.isSoftware && surface.showsParts && kept != .nothing && shown.viewport == list.viewport
            && !list.hasSurfaces
    }

    /// What has to be drawn where the last frame is in the buffer still; nil where that is all.
    private var partToDraw: PixelRect? {
        guard kept == .frame, parts < Self.mostParts, compositor.windowDraws == windowDraws,
            compositor.images.generation == generation,
            !compositor.lacksStills
        else { return nil }
        return list.changes(since: shown)
    }

    /// What has to be drawn of the first frame of a window that has grown; nil where that is all, or nearly.
    ///
    /// The memory that a rasterizer on the CPU draws into is new then, and writing what nobody has touched yet takes several
    /// times as long. Films and where the window was are drawn at once, and the window system paints what is beside them, which
    /// it has memory for; the rest is drawn with the next frame.
    private var firstPart: PixelRect? {
        guard surface.showsParts, let area = surface.formerArea, area.size == shown.viewport,
            list.viewport != shown.viewport, list.background != nil
        else { return nil }
        let bounds = PixelRect(size: list.viewport)
        let part = (list.surfacesExtent?.union(area) ?? area).intersection(bounds)
        return part.width * part.height * 4 < bounds.width * bounds.height * 3 ? part : nil
    }

    private func show(_ part: PixelRect) {
        if !part.isEmpty { surface.show(part, of: list.viewport) }
        windowDraws = compositor.windowDraws
    }
}
