import CGLFW
public import Geometry

/// What a window is like when it is made.
public struct WindowOptions: Sendable {
    /// The text of the title bar.
    public var title: String
    /// Of the content, in points.
    public var size: Size
    /// Where the content's top left corner goes, in the window system's units; nil leaves it to the window manager.
    public var position: Point?
    /// No frame, no title bar.
    public var isBorderless = false
    /// Whether it covers its monitor from the start.
    public var isFullscreen = false
    /// Above other windows.
    public var isFloating = false
    /// On every desktop, where there are several. Only X11 lets a window ask for that.
    public var isOnAllDesktops = false
    /// Whether the window gets the keyboard when it is shown.
    public var takesFocus = true
    /// The shape that the content keeps while it is resized, as any size of that shape.
    public var aspect: Size?
    /// The least size of the content, in points.
    public var minimumSize: Size?
    /// Whether the CPU draws: the window has no context, but an output that shows frames.
    public var isDrawnByCPU = false
    public init(title: String = "Glissade", size: Size, position: Point? = nil) {
        self.title = title
        self.size = size
        self.position = position
    }

    /// A length that a window may have; 0, which GLFW refuses, for what is none. No X server has longer ones.
    static func length(_ value: Double) -> Int32 {
        value.isFinite ? Int32(max(0, min(value.rounded(), 32767))) : 0
    }

    /// Tells GLFW; the hints hold for the next window. `contextInterface` is one of GLFW's `…_CONTEXT_API`, or
    /// GLFW_NO_API for none.
    @MainActor func hint(_ contextInterface: Int32) {
        func hint(_ name: Int32, _ value: Int32) { glfwWindowHint(name, value) }
        glfwDefaultWindowHints()
        hint(GLFW_CLIENT_API, contextInterface == GLFW_NO_API ? GLFW_NO_API : GLFW_OPENGL_ES_API)
        if contextInterface != GLFW_NO_API { hint(GLFW_CONTEXT_CREATION_API, contextInterface) }
        hint(GLFW_CONTEXT_VERSION_MAJOR, 3)
        hint(GLFW_CONTEXT_VERSION_MINOR, 0)
        // GLFW asks for 24 bits of depth and 8 of stencil unless told otherwise: memory that nothing here reads.
        for unused in [GLFW_DEPTH_BITS, GLFW_STENCIL_BITS, GLFW_ALPHA_BITS, GLFW_SAMPLES] { hint(unused, 0) }
        hint(GLFW_VISIBLE, GLFW_FALSE)
        hint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE)
        // A fullscreen player beside the window one works in stays where it is.
        hint(GLFW_AUTO_ICONIFY, GLFW_FALSE)
        hint(GLFW_DECORATED, isBorderless ? GLFW_FALSE : GLFW_TRUE)
        hint(GLFW_FLOATING, isFloating ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUS_ON_SHOW, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUSED, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        glfwWindowHintString(GLFW_X11_CLASS_NAME, "glissade")
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glissade")
    }
}
