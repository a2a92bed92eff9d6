public import Geometry
public import Input

/// What happens to a window, in the order in which it happened.
public enum WindowEvent: Hashable, Sendable {
    /// What a hand did.
    case input(InputEvent)
    /// The window is `pixelSize` device pixels large now.
    case resized(PixelSize)
    /// There are `scale` device pixels per point now.
    case scaleChanged(Double)
    /// The window's content has another top left corner, in the window system's own units.
    case moved(Point)
    /// The window manager has made the window fullscreen, or ended that, without being asked by the program.
    case fullscreenChanged(Bool)
    /// Somebody wants the window closed. It stays open until the program lets go of it.
    case closeRequested
    /// Keys come to this window now, or no longer.
    case focusChanged(Bool)
    /// The window was put away, or brought back.
    case iconified(Bool)
    /// The content was damaged: what was drawn last must be drawn again.
    case needsRedraw
    /// Files (or folders) were dropped on the window, by their paths.
    case filesDropped([String])
}
