import Geometry
import Presentation
import Windowing

/// The program's main window, or its offscreen stand-in. Main thread.
@MainActor final class MainWindow {
    /// Nil offscreen.
    let window: Window?
    let surface: any FrameSurface
    /// In points.
    private(set) var size: Size
    /// Whether the user closed it while something floats in another window.
    var isClosed = false
    /// The measured refresh rate of its display, in Hz; nil while it is unknown.
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
    /// Whether a window is on the screen; false offscreen.
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

    /// Sets whether the display may vary its refresh rate with the frames of the window.
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
