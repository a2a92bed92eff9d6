import GlissadeCGLFW
public import GlissadeGeometry
import GlissadePlatform

/// The properties of a window to create.
public struct WindowOptions: Sendable {
    /// The text of the title bar.
    public var title: String
    /// The size of the content, in points.
    public var size: Size
    /// The position of the content's top-left corner, in the window system's units; nil to let the window manager
    /// choose.
    public var position: Point?
    /// Whether the window has neither borders nor a title bar.
    public var isBorderless = false
    /// Whether the window starts in fullscreen.
    public var isFullscreen = false
    /// Whether the window stays above others.
    public var isAlwaysOnTop = false
    /// Whether the window is on every virtual desktop.
    public var isOnAllDesktops = false
    /// Whether the window takes the keyboard focus when it is shown.
    public var takesFocus = true
    /// The aspect ratio that the content keeps while the user resizes the window, given as any size with that ratio.
    /// Nil allows all ratios.
    public var aspect: Size?
    /// The minimum size of the content, in points; nil if there is none.
    public var minimumSize: Size?
    /// Whether the CPU draws the frames. The window then has an output for frames instead of an OpenGL context.
    public var isDrawnByCPU = false
    /// Whether to treat a virtual display's simulated refreshes as real. Applies to all windows once one window has been
    /// created with this option.
    public var trustsRefreshes = false

    public init(title: String = "Glissade", size: Size, position: Point? = nil) {
        self.title = title
        self.size = size
        self.position = position
    }

    /// The text of the title bar without what is not safe to display, such as control characters in a file's name.
    var safeTitle: String { DisplaySafeText.text(title) }

    /// Rounds a length and limits it to the range that X servers support. Returns 0, which GLFW rejects, if the length
    /// is negative or not finite.
    static func length(_ value: Double) -> Int32 {
        value.isFinite ? Int32(max(0, min(value.rounded(), 32767))) : 0
    }

    /// Sets GLFW's hints for the next window.
    ///
    /// - Parameter contextInterface: One of GLFW's `…_CONTEXT_API` constants, or GLFW_NO_API for a window without a
    ///   context.
    @MainActor func hint(_ contextInterface: Int32) {
        func hint(_ name: Int32, _ value: Int32) { glfwWindowHint(name, value) }
        glfwDefaultWindowHints()
        hint(GLFW_CLIENT_API, contextInterface == GLFW_NO_API ? GLFW_NO_API : GLFW_OPENGL_ES_API)
        if contextInterface != GLFW_NO_API { hint(GLFW_CONTEXT_CREATION_API, contextInterface) }
        hint(GLFW_CONTEXT_VERSION_MAJOR, 3)
        hint(GLFW_CONTEXT_VERSION_MINOR, 0)
        // GLFW requests 24 depth bits and 8 stencil bits by default, which would waste memory.
        for unused in [GLFW_DEPTH_BITS, GLFW_STENCIL_BITS, GLFW_ALPHA_BITS, GLFW_SAMPLES] { hint(unused, 0) }
        hint(GLFW_VISIBLE, GLFW_FALSE)
        hint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE)
        // A fullscreen player stays visible while the user works in a window on another monitor.
        hint(GLFW_AUTO_ICONIFY, GLFW_FALSE)
        hint(GLFW_DECORATED, isBorderless ? GLFW_FALSE : GLFW_TRUE)
        hint(GLFW_FLOATING, isAlwaysOnTop ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUS_ON_SHOW, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        hint(GLFW_FOCUSED, takesFocus ? GLFW_TRUE : GLFW_FALSE)
        glfwWindowHintString(GLFW_X11_CLASS_NAME, "glissade")
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glissade")
    }
}
