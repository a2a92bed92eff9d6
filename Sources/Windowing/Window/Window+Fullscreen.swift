import CGLFW
public import Geometry
import Platform
public import Time

/// How a window stands between its own place and the whole monitor.
struct FullscreenState {
    /// As it was last asked for.
    var isWanted = false
    /// Whether the window manager has not yet done what was last asked.
    var isPending = false
    /// Until when what the window manager says may be an answer to an earlier request than the last.
    var requestGraceDeadline: HostTime?
    /// Where the window was before, in the window system's units; kept until it is back.
    var restoredArea: PixelRect?
    /// Where the window was found last, and the monitor beneath it.
    var area: PixelRect?
    var monitor: PixelRect?
    /// Where it was found last when nobody had it fullscreen.
    var windowedArea: PixelRect?
    /// Until when it may be on its way back: a window manager that gives a window its place, and then its size, has it as large
    /// as the monitor at its own place for a moment.
    var leavesUntil: HostTime?

    /// Whether the window covers the monitor, or did until a moment ago, and is not at its own place by that.
    var isEnlarged: Bool {
        guard let area, let monitor else { return false }
        if area.contains(monitor) { return isWanted || area != restoredArea }
        return isHalfBack && leavesUntil.map { HostTime.now() < $0 } ?? false
    }

    /// Whether it is not wanted on the whole monitor, and at another place, but still as large.
    var isHalfBack: Bool {
        guard !isWanted, let area, let monitor, let restoredArea else { return false }
        return area.size == monitor.size && restoredArea.size != area.size
    }
}

/// Fullscreen, seen from the screen: the window manager takes its time, may refuse, and may change its mind.
///
/// Under X11 the window manager is asked in its own words rather than through GLFW, which would take a monitor for the
/// window and let go of both when the monitor goes; and which does not notice when somebody else ends it.
extension Window {
    /// For how long after a change the server is asked, before each swap, whether the window is still as it was drawn.
    private static let settling = Duration.seconds(1)

    /// Where the window was before it became fullscreen, in the window system's units; nil once it is there again.
    public var restoredArea: PixelRect? {
        fullscreen.isWanted || fullscreen.isEnlarged ? fullscreen.restoredArea : nil
    }

    /// The place that the window had before it became fullscreen, relative to its present corner, in points; nil while
    /// it does not cover the monitor, or not yet.
    ///
    /// Whatever is drawn there stays at its place on the screen when the window grows and shrinks around it. As of the
    /// last event, or frame begun.
    public var restoreFrame: Rect? {
        guard fullscreen.isEnlarged, let area = fullscreen.area, let home = fullscreen.restoredArea else { return nil }
        let units = unitsPerPoint
        return Rect(
            x: Double(home.minX - area.minX) / units, y: Double(home.minY - area.minY) / units,
            width: Double(home.width) / units, height: Double(home.height) / units)
    }

    /// All of the monitor that the window lies on, without changing its mode; or back to the former place and size.
    ///
    /// Asks the window manager where there is one that knows of it, which may take its time: the last call counts.
    /// Without one, the window just takes the monitor's place.
    public func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != fullscreen.isWanted else { return }
        if isFullscreen {
            let area = area
            // In the middle of a change, the place before it is still the one to go back to.
            if restoredArea == nil, fullscreen.restoredArea == nil || !isChanging { fullscreen.restoredArea = area }
            fullscreen.area = area
            fullscreen.monitor = GLFW.monitor(under: area)?.area
        }
        if fullscreen.isPending { fullscreen.requestGraceDeadline = .now() + Self.settling / 2 }
        fullscreen.isWanted = isFullscreen
        fullscreen.isPending = true
        geometryChanges()
        fullscreen.leavesUntil = isFullscreen ? nil : settledAt
        guard x11 != nil else { return setFullscreenByGLFW(isFullscreen) }
        if isShown { applyFullscreen() }
    }

    /// Has the window that is shown, or is about to be, become what is wanted.
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

    // MARK: - Following what happens

    /// Whether the window's geometry changes, or did a moment ago.
    var isChanging: Bool {
        guard let changedAt else { return false }
        return HostTime.now() - changedAt < Self.settling
    }

    /// The end of a change: nothing may have been drawn meanwhile that would have shown what the window manager did.
    private var settledAt: HostTime? { x11 == nil ? nil : changedAt.map { $0 + Self.settling } }

    public var nextLook: HostTime? {
        guard let settledAt, let next = output?.nextLook else { return settledAt ?? output?.nextLook }
        return min(settledAt, next)
    }

    public func look(at now: HostTime) {
        if let output, output.look(at: now) { recorder.record(.needsRedraw) }
        guard let settledAt, now >= settledAt else { return }
        changedAt = nil
        // Whoever leaves it half way for so long means it so: it is drawn as large as it is.
        if fullscreen.leavesUntil != nil, fullscreen.isHalfBack { recorder.record(.needsRedraw) }
        fullscreen.leavesUntil = nil
        followManager()
    }

    /// The window was asked to change, or has.
    func geometryChanges() {
        changedAt = .now()
        isLookedAt = false
    }

    /// GLFW has heard of another size.
    func geometryChanged() {
        geometryChanges()
        needsLook(isResized: true)
    }

    /// Windows of which events say that the server is to be asked. A change comes as a handful of events, and each answer takes
    /// a round trip, for which a busy machine may need some milliseconds: it is asked once, after the last.
    private static var changed: [Change] = []

    private struct Change {
        weak var window: Window?
        var isResized: Bool
    }

    func needsLook(isResized: Bool = false) {
        if let index = Self.changed.firstIndex(where: { $0.window === self }) {
            Self.changed[index].isResized = isResized || Self.changed[index].isResized
        } else {
            Self.changed.append(Change(window: self, isResized: isResized))
        }
    }

    /// Whether these events said that its size is another: what is known of that is no more to be combined with a place.
    private var isResized: Bool { Self.changed.contains { $0.window === self && $0.isResized } }

    /// To be called when all events were taken.
    static func lookAtChanged() {
        while let next = changed.popLast() {
            guard let window = next.window else { continue }
            if window.isChanging {
                window.take(window.area)
                window.isLookedAt = true
            }
            window.followManager()
        }
    }

    /// GLFW has heard of another place.
    func wasMoved(to corner: Point) {
        // Where a window stands that is not about to be fullscreen changes nothing in it, and a hand that drags it makes
        // many of these: the server is not asked.
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

    /// Sees whether the window manager has done what it was asked to, or something that it was not.
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
            fullscreen.leavesUntil = isFullscreen ? nil : settledAt
            x11.setBypassesCompositor(isFullscreen)
            recorder.record(.fullscreenChanged(isFullscreen))
        }
        if isFullscreen { return }
        if !fullscreen.isWanted, !fullscreen.isPending, !fullscreen.isEnlarged { fullscreen.restoredArea = nil }
        noteWindowed()
    }

    /// Takes note of where the window is: what is drawn from here on is for that. False where it is not what the events
    /// said so far: they are to be taken first.
    public func beginFrame() -> Bool {
        defer { isLookedAt = false }
        // What was found out with the last events holds: who draws asks once more before it is shown.
        guard isChanging, let x11, let area = isLookedAt ? fullscreen.area : x11.area else {
            drawnArea = nil
            return true
        }
        if !isLookedAt {
            take(area)
            followManager()
        }
        drawnArea = area
        if pixelSize == area.size { return true }
        recorder.resized()
        return false
    }

    /// Whether the window is still as large as when the frame was begun, and, where that matters, at the same place.
    ///
    /// Asks the server while the window changes, and for a second after: a round trip, for which a busy machine may need some
    /// milliseconds.
    public var isCurrent: Bool {
        // A change may have been asked for since the frame was begun.
        guard isChanging, let drawnArea = drawnArea ?? fullscreen.area, let area = x11?.area else { return true }
        if area.size != drawnArea.size { return false }
        return fullscreen.restoredArea == nil || area == drawnArea
    }
}
