import GlissadeGeometry
import GlissadePresentation
import GlissadeWindowing

/// The program's main window or, offscreen, the surface used instead. Main thread.
@MainActor final class MainWindow {
    let window: Window?
    let surface: any FrameSurface
    /// The size of the content, in points.
    private(set) var size: Size
    /// Whether the window is closed while the program continues in floating windows.
    var isClosed = false
    /// The measured refresh rate, in Hz, of the display that paces the video; nil if the rate is unknown or variable.
    var refreshRate: Double?
    private(set) var isOnTop: Bool
    private var hasVariableRefresh = false

    init(_ window: Window?, surface: any FrameSurface, isOnTop: Bool) {
        self.window = window
        self.surface = surface
        self.isOnTop = isOnTop
        size = surface.size
    }

    /// Whether floating windows are possible; false offscreen.
    var canFloat: Bool { window != nil }
    /// Whether the window is shown, is not minimized and has a nonempty size; false offscreen.
    var isVisible: Bool { window?.isVisible == true }
    /// Device pixels per point.
    var scale: Double { surface.scale }
    /// The height of the screen in device pixels; nil if unknown, and offscreen.
    var screenLines: Int? { window?.monitorHeight }
    var bounds: Rect { Rect(origin: .zero, size: size) }

    func updateSize() { size = surface.size }

    func setTitle(_ title: String) { window?.setTitle(title) }

    /// Copies text to the clipboard. Does nothing offscreen.
    func copy(_ text: String) { window?.setClipboard(text) }

    /// Switches "always on top" on or off. Returns false, and does nothing, if the program runs offscreen.
    func toggleOnTop() -> Bool {
        guard let window else { return false }
        isOnTop.toggle()
        window.setAlwaysOnTop(isOnTop)
        return true
    }

    /// Sets whether the display may adapt its refresh rate to the window's frames. Has no effect offscreen.
    func setVariableRefresh(_ isVariable: Bool) {
        guard isVariable != hasVariableRefresh else { return }
        hasVariableRefresh = isVariable
        window?.setVariableRefresh(isVariable)
    }

    var isFullscreen: Bool { window?.isFullscreen ?? false }

    /// Reopens the window if it is closed, and raises it. Does nothing offscreen.
    func open() {
        guard let window else { return }
        isClosed = false
        window.show()
        window.raise()
    }
}
