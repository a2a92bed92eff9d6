import CGLFW
public import Geometry
import Platform
public import Time

/// A window's state between windowed and fullscreen.
struct FullscreenState {
    /// Whether fullscreen was last requested.
    var isWanted = false
    /// Whether the window manager has yet to fulfill the last request.
    var isPending = false
    /// Until then, an answer of the window manager may be to an earlier request.
    var requestGraceDeadline: HostTime?
    /// The window's area before fullscreen, in the window system's units; kept until the window is back.
    var restoredArea: PixelRect?
    /// The window's last known area, and the monitor beneath it.
    var area: PixelRect?
    var monitor: PixelRect?
    /// The last known area while the window was not fullscreen.
    var windowedArea: PixelRect?
    /// Until then, the window may be leaving fullscreen: a window manager that sets a window's position before its size
    /// leaves it briefly as large as the monitor, at its old position.
    var exitDeadline: HostTime?

    /// Whether the window covers the monitor, or did until a moment ago, and does not have that area outside of
    /// fullscreen as well.
    var isEnlarged: Bool {
        guard let area, let monitor else { return false }
        if area.contains(monitor) { return isWanted || area != restoredArea }
        return isPartlyRestored && exitDeadline.map { HostTime.now() < $0 } ?? false
    }

    /// Whether it has left fullscreen and been moved, but not yet resized.
    var isPartlyRestored: Bool {
        guard !isWanted, let area, let monitor, let restoredArea else { return false }
        return area.size == monitor.size && restoredArea.size != area.size
    }
}

/// Fullscreen through the window manager, which may take some time, refuse, or change the state on its own.
///
/// Under X11, requests go to the window manager directly and not through GLFW. GLFW would take over a monitor for the
/// window and drop both when the monitor is unplugged, and it does not notice when the user or another program ends
/// fullscreen.
extension Window {
    /// For this long after a change, the server is queried before each swap whether the window still has the area that
    /// the frame was drawn for.
    private static let settling = Duration.seconds(1)

    /// The window's area before fullscreen, in the window system's units; nil once it is back there.
    public var restoredArea: PixelRect? {
        fullscreen.isWanted || fullscreen.isEnlarged ? fullscreen.restoredArea : nil
    }

    /// The window's area before fullscreen, relative to its current top left corner, in points; nil while it does not
    /// cover the monitor.
    ///
    /// Content drawn there stays in place on the screen while the window grows and shrinks around it. As of the last
    /// event, or of the last frame started.
    public var restoreFrame: Rect? {
        guard fullscreen.isEnlarged, let area = fullscreen.area, let restored = fullscreen.restoredArea else {
            return nil
        }
        let units = unitsPerPoint
        return Rect(
            x: Double(restored.minX - area.minX) / units, y: Double(restored.minY - area.minY) / units,
            width: Double(restored.width) / units, height: Double(restored.height) / units)
    }

    /// Covers the monitor that the window is on, without changing its mode, or returns to the previous area.
    ///
    /// Asks the window manager if there is one that supports it. The answer may take some time; the last call counts.
    /// Without such a window manager, the window simply takes the monitor's area.
    public func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != fullscreen.isWanted else { return }
        if isFullscreen {
            let area = area
            // In the middle of a change, the original area is still the one to return to.
            if restoredArea == nil, fullscreen.restoredArea == nil || !isChanging { fullscreen.restoredArea = area }
            fullscreen.area = area
            fullscreen.monitor = GLFW.monitor(under: area)?.area
        }
        if fullscreen.isPending { fullscreen.requestGraceDeadline = .now() + Self.settling / 2 }
        fullscreen.isWanted = isFullscreen
        fullscreen.isPending = true
        geometryChanges()
        fullscreen.exitDeadline = isFullscreen ? nil : settledAt
        guard x11 != nil else { return setFullscreenByGLFW(isFullscreen) }
        if isShown { applyFullscreen() }
    }

    /// Applies the requested state to a window that is shown or about to be.
    func applyFullscreen() {
        guard let x11, fullscreen.isPending else { return }
        if x11.isManaged(knowing: x11.atoms.fullscreen) {
            x11.request(fullscreen.isWanted, x11.atoms.fullscreen)
        } else if let area = fullscreen.isWanted ? fullscreen.monitor : fullscreen.restoredArea {
            fullscreen.isPending = false
            if !fullscreen.isWanted { x11.forget(x11.atoms.fullscreen) }
            x11.setArea(area)
        }
        x11.setBypassesCompositor(fullscreen.isWanted)
    }

    private func setFullscreenByGLFW(_ isFullscreen: Bool) {
        fullscreen.isPending = false
        if isFullscreen {
            guard let monitor = GLFW.monitor(under: area), case let mode = monitor.mode else { return }
            glfwSetWindowMonitor(handle, monitor.handle, 0, 0, mode.width, mode.height, mode.refreshRate)
        } else if let area = fullscreen.restoredArea {
            glfwSetWindowMonitor(
                handle, nil, Int32(clamping: area.minX), Int32(clamping: area.minY), Int32(clamping: area.width),
                Int32(clamping: area.height), GLFW_DONT_CARE)
        }
    }

    // MARK: - Tracking the window manager

    /// Whether the window's geometry is changing, or was until a moment ago.
    var isChanging: Bool {
        guard let changedAt else { return false }
        return HostTime.now() - changedAt < Self.settling
    }

    /// When the change counts as over, even if no frame was drawn since that would have noticed it.
    private var settledAt: HostTime? { x11 == nil ? nil : changedAt.map { $0 + Self.settling } }

    public var nextGeometryPoll: HostTime? {
        guard let settledAt, let next = output?.nextPoll else { return settledAt ?? output?.nextPoll }
        return min(settledAt, next)
    }

    public func pollGeometry(at now: HostTime) {
        if let output, output.poll(at: now) { eventQueue.record(.needsRedraw) }
        guard let settledAt, now >= settledAt else { return }
        changedAt = nil
        // A window left half restored for this long is meant to be so, and is drawn at its full size.
        if fullscreen.exitDeadline != nil, fullscreen.isPartlyRestored { eventQueue.record(.needsRedraw) }
        fullscreen.exitDeadline = nil
        followManager()
    }

    /// Call when the window has changed, or was requested to.
    func geometryChanges() {
        changedAt = .now()
        isPolled = false
    }

    /// Call when GLFW has reported a new size.
    func geometryChanged() {
        geometryChanges()
        setNeedsPoll(isResized: true)
    }

    /// Windows whose events require a query of the server. A change comes as several events, and each reply takes a
    /// round trip, some milliseconds on a busy machine. So the server is queried once, after the last event.
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

    /// Whether pending events report a new size. If so, the last known size must not be combined with a new position.
    private var isResized: Bool { Self.changed.contains { $0.window === self && $0.isResized } }

    /// Queries the server about changed windows. Must be called after all events have been processed.
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

    /// Call when GLFW has reported a new position.
    func wasMoved(to corner: Point) {
        // The position of a window that is not entering or leaving fullscreen affects nothing in it, and dragging
        // causes many of these events, so the server is not queried.
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
        if area.size != fullscreen.area?.size || fullscreen.monitor == nil || fullscreen.restoredArea != nil {
            fullscreen.monitor = GLFW.monitor(under: area)?.area
        }
        fullscreen.area = area
    }

    /// Checks whether the window manager has done what was requested, or has changed the state on its own.
    func followManager() {
        guard let x11, isShown else { return }
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
            fullscreen.isWanted = isFullscreen
            geometryChanges()
            fullscreen.exitDeadline = isFullscreen ? nil : settledAt
            x11.setBypassesCompositor(isFullscreen)
            eventQueue.record(.fullscreenChanged(isFullscreen))
        }
        if isFullscreen { return }
        if !fullscreen.isWanted, !fullscreen.isPending, !fullscreen.isEnlarged { fullscreen.restoredArea = nil }
        noteWindowed()
    }

    /// Records the area that the next frame is drawn for. False if it differs from what the events reported: they must
    /// be processed first.
    public func beginFrame() -> Bool {
        defer { isPolled = false }
        // The result of the last query is still valid: `isCurrent` checks again before the frame is shown.
        guard isChanging, let x11, let area = isPolled ? fullscreen.area : x11.area else {
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

    /// Whether the window still has the size for which the frame was drawn, and, if it matters, the position.
    ///
    /// While the window is changing and for a second after, this queries the server, which takes a round trip: some
    /// milliseconds on a busy machine.
    public var isCurrent: Bool {
        // A change may have been requested since the frame was started.
        guard isChanging, let drawnArea = drawnArea ?? fullscreen.area, let area = x11?.area else { return true }
        if area.size != drawnArea.size { return false }
        return fullscreen.restoredArea == nil || area == drawnArea
    }
}
