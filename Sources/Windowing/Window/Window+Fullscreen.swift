import GlissadeCGLFW
public import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
public import GlissadeTime

/// The state of a window's transitions to and from fullscreen. Areas are in the window system's units.
struct FullscreenState {
    /// Whether the last request, by the program or through the window manager, was for fullscreen.
    var isWanted = false
    /// Whether the window manager has not yet fulfilled the last request.
    var isPending = false
    /// Whether the last request that was made, or the last change by the window manager, was for fullscreen.
    var isRequested = false
    /// The latest time at which a waiting request is made; nil if no request is waiting. A request waits for a frame
    /// and then, if `awaitsDisplay` is true, for the display.
    var requestDeadline: HostTime?
    /// Whether the waiting request is made as soon as the display has shown all frames.
    var awaitsDisplay = false
    /// Until this time after a request, no frame is drawn for the old area while content is held; nil before the first
    /// request, and on displays with refreshes.
    var frameHoldDeadline: HostTime?
    /// Until this time, the state reported by the window manager may still reflect an earlier request.
    var requestGraceDeadline: HostTime?
    /// The window's area before fullscreen. Kept until the window has returned to that area.
    var restoredArea: PixelRect?
    /// The window's last known area.
    var area: PixelRect?
    /// The area of the monitor that the window is on.
    var monitor: PixelRect?
    /// The window's last known area outside fullscreen.
    var windowedArea: PixelRect?
    /// Until this time, a window as large as the monitor may still be leaving fullscreen. Some window managers restore
    /// the position before the size.
    var exitDeadline: HostTime?

    /// Whether the window covers the monitor because of fullscreen, or is still leaving fullscreen.
    var isEnlarged: Bool {
        guard let area, let monitor else { return false }
        if area.contains(monitor) { return isWanted || area != restoredArea }
        return isPartlyRestored && exitDeadline.map { HostTime.now() < $0 } ?? false
    }

    /// Whether fullscreen is no longer wanted, but the window still has the size of the monitor.
    var isPartlyRestored: Bool {
        guard !isWanted, let area, let monitor, let restoredArea else { return false }
        return area.size == monitor.size && restoredArea.size != area.size
    }
}

/// Fullscreen through the window manager, which may respond late, refuse, or change the state on its own.
///
/// Requests go directly to the window manager rather than through GLFW. GLFW would tie the window to a
/// monitor and end fullscreen when that monitor is unplugged. GLFW also does not notice when the user or another
/// program ends fullscreen.
extension Window {
    /// How long a change of the window's geometry may take. During this time, the window's current area is queried from
    /// the server before each swap.
    private static let settling = Duration.seconds(1)
    /// A request waits at most this long for the next frame: longer than one frame at 24 Hz.
    private static let requestDelay = Duration.milliseconds(50)
    /// How long frames wait for the display before a request, and for the window manager after it: longer than one
    /// refresh at 60 Hz.
    private static let frameHold = Duration.milliseconds(25)
    /// The interval at which a request that waits for the display is checked.
    private static let displayPoll = Duration.milliseconds(2)

    /// The window's area before fullscreen, in the window system's units; nil unless fullscreen is wanted or the window
    /// is still leaving fullscreen.
    public var restoredArea: PixelRect? {
        fullscreen.isWanted || fullscreen.isEnlarged ? fullscreen.restoredArea : nil
    }

    /// The window's area before fullscreen, relative to the window's current top-left corner, in points. Nil unless the
    /// window covers the monitor in fullscreen or is still leaving fullscreen. Updated by events and at the start of
    /// each frame.
    ///
    /// Content drawn in this rectangle stays in place on the screen while the window grows or shrinks around it.
    public var restoreFrame: Rect? {
        guard fullscreen.isEnlarged, let area = fullscreen.area, let restored = fullscreen.restoredArea else {
            return nil
        }
        let units = unitsPerPoint
        return Rect(
            x: Double(restored.minX - area.minX) / units, y: Double(restored.minY - area.minY) / units,
            width: Double(restored.width) / units, height: Double(restored.height) / units)
    }

    /// Enters fullscreen without changing the display mode, or leaves fullscreen and restores the window's previous
    /// area.
    ///
    /// Asks the window manager, which may take some time to respond. If this is called again in the
    /// meantime, the last call wins. Without a window manager that supports fullscreen, sets the window's area
    /// directly.
    ///
    /// If frames are being shown, the request is made as soon as the next frame is on the screen. If the window manager
    /// answers soon enough, the window changes between two frames. Call `frameWasShown` after each frame, and
    /// `pollGeometry` at `nextGeometryPoll`; otherwise the request is never made.
    public func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != fullscreen.isWanted else { return }
        if isFullscreen {
            let area = area
            // If a change is still in progress, keep the area from before it.
            if restoredArea == nil, fullscreen.restoredArea == nil || !isChanging { fullscreen.restoredArea = area }
            fullscreen.area = area
            fullscreen.monitor = GLFW.monitor(under: area)?.area
        }
        let isWaiting = fullscreen.requestDeadline != nil
        if isWaiting, isFullscreen == fullscreen.isRequested { return withdrawRequest() }
        if fullscreen.isPending, !isWaiting { fullscreen.requestGraceDeadline = .now() + Self.settling / 2 }
        fullscreen.isWanted = isFullscreen
        fullscreen.isPending = true
        geometryChanges()
        fullscreen.exitDeadline = isFullscreen ? nil : settledAt
        guard isShown else { return }
        let now = HostTime.now()
        let wasShownLately = lastShown.map { now - $0 < Self.requestDelay } ?? false
        if isFrameBegun || wasShownLately {
            fullscreen.requestDeadline = now + Self.requestDelay
        } else {
            applyFullscreen(holdsContent: true)
        }
    }

    /// Forgets a request that has not been made, because the state before it is wanted again.
    private func withdrawRequest() {
        forgetWaitingRequest()
        fullscreen.isWanted = fullscreen.isRequested
        fullscreen.exitDeadline = nil
        // An earlier request may still be pending.
        geometryChanges()
    }

    public func frameWasShown() {
        updateHeldContent()
        lastShown = .now()
        isFrameBegun = false
        guard fullscreen.requestDeadline != nil, !fullscreen.awaitsDisplay else { return }
        if hasQueuedFrames {
            fullscreen.awaitsDisplay = true
            fullscreen.requestDeadline = .now() + Self.frameHold
        } else {
            applyWaitingRequest()
        }
    }

    /// Whether the X server shows frames without waiting for a refresh. Otherwise, frames need not be held after a
    /// request, and would be late: with XWayland, the answer may take longer than a frame.
    private var showsFramesAtOnce: Bool { RenderLock.withLock { (try? XConnection.shared())?.hasDisplay == false } }

    /// Makes the waiting request if it is due.
    private func pollRequest(at now: HostTime) {
        guard let deadline = fullscreen.requestDeadline else { return }
        if now >= deadline || fullscreen.awaitsDisplay && !hasQueuedFrames { applyWaitingRequest() }
    }

    private func applyWaitingRequest() {
        geometryChanges()
        if fullscreen.requestGraceDeadline != nil {
            fullscreen.requestGraceDeadline = .now() + Self.settling / 2
        }
        if fullscreen.exitDeadline != nil { fullscreen.exitDeadline = settledAt }
        applyFullscreen(holdsContent: true)
    }

    /// Applies the requested fullscreen state. Call when the window is shown, or about to be shown.
    ///
    /// - Parameter holdsContent: Whether the window has content, which must stay in place on the screen.
    func applyFullscreen(holdsContent: Bool = false) {
        forgetWaitingRequest()
        guard fullscreen.isPending else { return }
        let area = fullscreen.isWanted ? fullscreen.monitor : fullscreen.restoredArea
        heldContent = nil
        fullscreen.isRequested = fullscreen.isWanted
        if x11.isManaged(knowing: x11.atoms.fullscreen) {
            if holdsContent, let area { holdContent(until: area) }
            x11.request(fullscreen.isWanted, x11.atoms.fullscreen)
            fullscreen.frameHoldDeadline = showsFramesAtOnce ? .now() + Self.frameHold : nil
        } else if let area {
            // Here, the window's static gravity keeps the content in place.
            fullscreen.isPending = false
            if !fullscreen.isWanted { x11.forget(x11.atoms.fullscreen) }
            // The last frame must reach the window before the window is resized. GLFW's connection may overtake that
            // of the output.
            if holdsContent, let output { RenderLock.withLock { output.connection.waitForServer() } }
            x11.setArea(area)
        }
        x11.setBypassesCompositor(fullscreen.isWanted)
    }

    func forgetWaitingRequest() { (fullscreen.requestDeadline, fullscreen.awaitsDisplay) = (nil, false) }

    /// Keeps the content in place on the screen until the window has the area `area`.
    private func holdContent(until area: PixelRect) {
        guard let start = x11.area, let connection = try? XConnection.shared() else { return }
        heldContent = RenderLock.withLock {
            try? XHeldContent(of: UInt32(x11.window), on: connection, from: start, to: area)
        }
    }

    // MARK: - Tracking the window manager

    /// Whether the window's geometry changed, or a change was requested, within the last second.
    var isChanging: Bool {
        guard let changedAt else { return false }
        return HostTime.now() - changedAt < Self.settling
    }

    /// When the current change counts as finished. Nil if no change is in progress, or if the window system is not X11.
    private var settledAt: HostTime? { changedAt.map { $0 + Self.settling } }

    public func frameHoldDeadline(at now: HostTime) -> HostTime? {
        let held = heldContent == nil ? nil : fullscreen.frameHoldDeadline
        guard let deadline = fullscreen.awaitsDisplay ? fullscreen.requestDeadline : held, now < deadline else {
            return nil
        }
        return deadline
    }

    public var nextGeometryPoll: HostTime? {
        func earlier(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
            guard let a, let b else { return a ?? b }
            return min(a, b)
        }
        let request = fullscreen.awaitsDisplay ? .now() + Self.displayPoll : fullscreen.requestDeadline
        return earlier(settledAt, earlier(output?.nextPoll, request))
    }

    public func pollGeometry(at now: HostTime) {
        if let output, output.poll(at: now) { eventQueue.record(.needsRedraw) }
        pollRequest(at: now)
        guard let settledAt, now >= settledAt else { return }
        changedAt = nil
        heldContent = nil
        // If the window is still only partly restored, the window manager evidently intends that. Redraw the window at
        // its full size.
        if fullscreen.exitDeadline != nil, fullscreen.isPartlyRestored { eventQueue.record(.needsRedraw) }
        fullscreen.exitDeadline = nil
        followManager()
    }

    /// Records that the window's geometry has changed, or that a change was requested.
    func geometryChanges() {
        changedAt = .now()
        isPolled = false
    }

    /// Records a geometry change reported by GLFW. The server is queried after the pending events.
    func geometryChanged() {
        geometryChanges()
        setNeedsPoll(isResized: true)
    }

    /// The changed windows whose area is still to be queried from the server. One change causes several events, and
    /// each query takes a round trip. So the server is queried once, after the last event.
    private static var changed: [Change] = []

    private struct Change {
        weak var window: Window?
        var isResized: Bool
    }

    func setNeedsPoll(isResized: Bool = false) {
        if let index = Self.changed.firstIndex(where: { $0.window === self }) {
            Self.changed[index].isResized = isResized || Self.changed[index].isResized
        } else {
            Self.changed.append(Change(window: self, isResized: isResized))
        }
    }

    /// Whether GLFW has reported a new size since the server was last queried. If so, a new position must not be
    /// combined with the last known size.
    private var isResized: Bool { Self.changed.contains { $0.window === self && $0.isResized } }

    /// Queries the server about all windows that have changed. Call after all events have been processed.
    static func pollChanged() {
        while let next = changed.popLast() {
            guard let window = next.window else { continue }
            if window.isChanging {
                window.take(window.area)
                window.isPolled = true
            }
            window.followManager()
        }
    }

    /// Records a new position reported by GLFW.
    func wasMoved(to corner: Point) {
        // Outside of fullscreen transitions, the position does not affect what is drawn, and dragging causes many of
        // these events. So the server is not queried.
        guard fullscreen.restoredArea == nil, !isResized, let size = fullscreen.area?.size else {
            return geometryChanged()
        }
        let (x, y) = (Int(corner.x), Int(corner.y))
        fullscreen.area = PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height)
        noteWindowed()
    }

    private func noteWindowed() {
        guard let area = fullscreen.area, !fullscreen.isWanted, !fullscreen.isPending else { return }
        if fullscreen.isEnlarged { return }
        if let monitor = fullscreen.monitor, area.contains(monitor) { return }
        fullscreen.windowedArea = area
    }

    private func take(_ area: PixelRect) {
        // The server has painted the held content by now, or the window manager has chosen an unexpected size.
        if let held = heldContent, area.size != held.start.size { heldContent = nil }
        if area.size != fullscreen.area?.size || fullscreen.monitor == nil || fullscreen.restoredArea != nil {
            fullscreen.monitor = GLFW.monitor(under: area)?.area
        }
        fullscreen.area = area
    }

    /// Adopts the fullscreen state that the window manager reports. The window manager may have fulfilled the last
    /// request, or changed the state on its own.
    func followManager() {
        // The window manager does not know of a request that waits for a frame.
        guard isShown, fullscreen.requestDeadline == nil else { return }
        if let end = fullscreen.requestGraceDeadline, fullscreen.isPending, HostTime.now() < end { return }
        fullscreen.requestGraceDeadline = nil
        let states = x11.states
        let isFullscreen = states.contains(x11.atoms.fullscreen)
        if fullscreen.isPending {
            fullscreen.isPending = isFullscreen != fullscreen.isWanted
        } else if isFullscreen != fullscreen.isWanted, x11.isManaged(knowing: x11.atoms.fullscreen) {
            if isFullscreen, fullscreen.restoredArea == nil || !fullscreen.isEnlarged {
                fullscreen.restoredArea = fullscreen.windowedArea ?? fullscreen.area
            }
            (fullscreen.isWanted, fullscreen.isRequested) = (isFullscreen, isFullscreen)
            geometryChanges()
            fullscreen.exitDeadline = isFullscreen ? nil : settledAt
            x11.setBypassesCompositor(isFullscreen)
            eventQueue.record(.fullscreenChanged(isFullscreen))
        }
        if isFullscreen { return }
        if !fullscreen.isWanted, !fullscreen.isPending, !fullscreen.isEnlarged { fullscreen.restoredArea = nil }
        noteWindowed()
    }

    /// Records the area for which the next frame will be drawn. Returns false if the size of that area differs from the
    /// size that the events have reported. The caller must then process the pending events before drawing.
    public func beginFrame() -> Bool {
        isFrameBegun = true
        defer { isPolled = false }
        // An area queried after the last event is recent enough: `isCurrent` checks again before the frame is shown.
        guard isChanging, let area = isPolled ? fullscreen.area : x11.area else {
            drawnArea = nil
            return true
        }
        if !isPolled {
            take(area)
            followManager()
        }
        drawnArea = area
        if pixelSize == area.size { return true }
        eventQueue.resized()
        return false
    }

    /// Whether the window still has the size for which the frame was drawn. During fullscreen transitions, the position
    /// must match too.
    ///
    /// For a second after each change, reading this property takes a round trip to the server: several milliseconds on
    /// a busy machine.
    public var isCurrent: Bool {
        // A change may have been requested since the frame was started, so `drawnArea` may be nil.
        guard isChanging, let drawnArea = drawnArea ?? fullscreen.area, let area = x11.area else { return true }
        if area.size != drawnArea.size { return false }
        return fullscreen.restoredArea == nil || area == drawnArea
    }
}
