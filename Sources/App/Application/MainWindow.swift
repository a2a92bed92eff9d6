import Geometry
import Presentation
import Windowing

/// The program's main window, or the surface that replaces it offscreen. Main thread.
@MainActor final class MainWindow {
    /// The window; nil offscreen.
    let window: Window?
    let surface: any FrameSurface
    /// The size of the content, in points.
    private(set) var size: Size
    /// Whether the window is closed while the program continues in floating windows.
    var isClosed = false
    /// The measured refresh rate of the display with the video, in Hz; nil if it is unknown or varies.
    var refreshRate: Double?
    private(set) var isOnTop: Bool
    private var hasVariableRefresh = false

    init(_ window: Window?, surface: any FrameSurface, isOnTop: Bool) {
        self.window = window
        self.surface = surface
        self.isOnTop = isOnTop
        size = surface.size
    }

    /// Whether floating windows are possible.
    var canFloat: Bool { window != nil }
    /// Whether the window is shown and not minimized; false offscreen.
    var isVisible: Bool { window?.isVisible == true }
    /// Device pixels per point.
    var scale: Double { surface.scale }
    var bounds: Rect { Rect(origin: .zero, size: size) }

    func updateSize() { size = surface.size }

    func setTitle(_ title: String) { window?.setTitle(title) }

    /// Turns "always on top" on or off. Returns false offscreen.
    func toggleOnTop() -> Bool {
        guard let window else { return false }
        isOnTop.toggle()
        window.setFloating(isOnTop)
        return true
    }

    /// Sets whether the display may adapt its refresh rate to the window's frames.
    func setVariableRefresh(_ isVariable: Bool) {
        guard isVariable != hasVariableRefresh else { return }
        hasVariableRefresh = isVariable
        window?.setVariableRefresh(isVariable)
    }

    var isFullscreen: Bool { window?.isFullscreen ?? false }

    /// Reopens and raises the window.
    func open() {
        guard let window else { return }
        isClosed = false
        window.show()
        window.raise()
    }
}
