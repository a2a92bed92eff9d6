import CGLFW
public import Geometry

/// How to create a window.
public struct WindowOptions: Sendable {
    /// The text of the title bar.
    public var title: String
    /// The size of the content, in points.
    public var size: Size
    /// The position of the content's top left corner, in the window system's units; nil leaves it to the window
    /// manager.
    public var position: Point?
    /// Whether it has no frame or title bar.
    public var isBorderless = false
    /// Whether it covers its monitor from the start.
    public var isFullscreen = false
    /// Whether it stays above other windows.
    public var isFloating = false
    /// Whether it is on every virtual desktop. Only X11 lets a window request that.
    public var isOnAllDesktops = false
    /// Whether it takes the keyboard focus when it is shown.
    public var takesFocus = true
    /// The aspect ratio that the content keeps while it is resized, given as any size of that shape.
    public var aspect: Size?
    /// The minimum size of the content, in points.
    public var minimumSize: Size?
    /// Whether the CPU draws: the window then has an output that shows frames, and no OpenGL context.
    public var isDrawnByCPU = false
    /// Whether to follow the refreshes that a virtual display makes up, from now on in all windows.
    public var trustsRefreshes = false

    public init(title: String = "Glissade", size: Size, position: Point? = nil) {
        self.title = title
        self.size = size
        self.position = position
    }

    /// A length that a window may have; 0, which GLFW rejects, for an invalid one. X servers do not support longer
    /// ones.
    static func length(_ value: Double) -> Int32 {
        value.isFinite ? Int32(max(0, min(value.rounded(), 32767))) : 0
    }

    /// Sets GLFW's hints for the next window. `contextInterface` is one of GLFW's `…_CONTEXT_API`, or GLFW_NO_API for
    /// none.
    @MainActor func hint(_ contextInterface: Int32) {
        func hint(_ name: Int32, _ value: Int32) { glfwWindowHint(name, value) }
        glfwDefaultWindowHints()
        hint(GLFW_CLIENT_API, contextInterface == GLFW_NO_API ? GLFW_NO_API : GLFW_OPENGL_ES_API)
        if contextInterface != GLFW_NO_API { hint(GLFW_CONTEXT_CREATION_API, contextInterface) }
        hint(GLFW_CONTEXT_VERSION_MAJOR, 3)
        hint(GLFW_CONTEXT_VERSION_MINOR, 0)
        // GLFW requests 24 bits of depth and 8 of stencil by default, but this memory is never read.
        for unused in [GLFW_DEPTH_BITS, GLFW_STENCIL_BITS, GLFW_ALPHA_BITS, GLFW_SAMPLES] { hint(unused, 0) }
        hint(GLFW_VISIBLE, GLFW_FALSE)
        hint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE)
        // A fullscreen player stays in place while the user works in another window.
        hint(GLFW_AUTO_ICONIFY, GLFW_FALSE)
        hint(GLFW_DECORATED, isBorderless ? GLFW_FALSE : GLFW_TRUE)
        hint(GLFW_FLOATING, isFloating ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUS_ON_SHOW, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUSED, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        glfwWindowHintString(GLFW_X11_CLASS_NAME, "glissade")
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glissade")
    }
}
