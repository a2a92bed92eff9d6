public import GlissadeGeometry
public import GlissadeInput

/// An event of a window. Events arrive in order.
public enum WindowEvent: Hashable, Sendable {
    /// User input.
    case input(InputEvent)
    /// The window's size changed to this value, in device pixels.
    case resized(PixelSize)
    /// The scale changed to this number of device pixels per point.
    case scaleChanged(Double)
    /// The top-left corner of the window's content moved to this point, in the window system's units.
    case moved(Point)
    /// The window manager made the window fullscreen (true) or restored it (false), without a request from the program.
    case fullscreenChanged(Bool)
    /// The user asked to close the window. The window stays open until the program releases it.
    case closeRequested
    /// The window gained (true) or lost (false) the keyboard focus.
    case focusChanged(Bool)
    /// The window was iconified (true) or restored (false).
    case iconified(Bool)
    /// The window must be drawn again, for instance because its content was damaged.
    case needsRedraw
    /// The measured refresh rate of the display that paces the film has changed to this many Hz; nil if it is unknown or
    /// variable. Only the main window gets this event, from the frame loop.
    case displayRateChanged(Double?)
    /// Files, folders or links were dropped on the window; the strings are their paths or URLs.
    case filesDropped([String])
}
