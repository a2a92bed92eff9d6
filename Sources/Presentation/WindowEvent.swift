public import Geometry
public import Input

/// An event of a window. Events come in order.
public enum WindowEvent: Hashable, Sendable {
    /// User input.
    case input(InputEvent)
    /// The window's size changed to `pixelSize` device pixels.
    case resized(PixelSize)
    /// The scale changed to `scale` device pixels per point.
    case scaleChanged(Double)
    /// The top-left corner of the window's content moved, in the window system's units.
    case moved(Point)
    /// The window manager entered or left fullscreen on its own.
    case fullscreenChanged(Bool)
    /// The user asked to close the window. It stays open until the program releases it.
    case closeRequested
    /// The window gained or lost the keyboard focus.
    case focusChanged(Bool)
    /// The window was iconified or restored.
    case iconified(Bool)
    /// The content was damaged and must be drawn again.
    case needsRedraw
    /// Files or folders were dropped on the window; their paths.
    case filesDropped([String])
}
