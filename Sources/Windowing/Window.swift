import CGLFW
public import Motion
import Rendering

/// A window with an OpenGL ES 3 context, by GLFW. Main thread.
///
/// Sizes are points unless they say pixels. GLFW's own unit is neither: under X11 it is the device pixel, whatever the
/// desktop's scale; under Wayland it is the compositor's logical pixel, of which the framebuffer has a multiple. A point
/// here is a framebuffer pixel divided by the content scale, on both, so that text and gestures have the same size in
/// the hand everywhere. At creation GLFW_SCALE_TO_MONITOR makes GLFW's unit a point too.
@MainActor public final class Window: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public private(set) var scale: Double
    /// Nil where a swap interval was asked for: drivers may ignore it (a virtual X server has no display to wait for).
    public private(set) var swapBlocks: Bool?
    public private(set) var isFullscreen = false

    let handle: OpaquePointer
    /// Turns GLFW's callbacks into events.
    let recorder: EventRecorder
    private var isShown = false
    private var isIconified = false
    /// Where the window was before it became fullscreen, in GLFW's units.
    private var restoredArea: PixelRect?

    /// A hidden window whose context is current. Its swaps wait for the display, except on a software rasterizer.
    ///
    /// - Throws: `noDisplay`, `noWindow` or `noOpenGLES3`, in GLFW's own words.
    public init(_ options: WindowOptions) throws(WindowingError) {
        try GLFW.start()
        let (handle, device) = try Self.makeHandle(options)
        self.handle = handle
        pixelSize = PixelSize(width: 0, height: 0)
        scale = 1
        recorder = EventRecorder(handle)
        readMetrics()
        recorder.attach(to: self)
        if let position = options.position { move(to: position) }
        setSwapInterval(device.isSoftware ? 0 : 1)
        if options.isFullscreen { setFullscreen(true) }
    }

    isolated deinit { glfwDestroyWindow(handle) }

    /// A hidden window with an OpenGL ES 3 context that is current.
    ///
    /// The window system's own way to a context comes before EGL. Under Wayland they are the same. Under X11 it is GLX,
    /// which on a software rasterizer hands pictures to the server in shared memory, where Mesa's EGL (22.3) writes them
    /// down a socket: a frame of upload, copy and swap took 0.43 ms instead of 2.96 at 1280×720, and 1.5 instead of 6.3
    /// at 1920×1080.
    private static func makeHandle(
        _ options: WindowOptions
    ) throws(WindowingError) -> (OpaquePointer, GLDevice) {
        var failure = WindowingError.noWindow("")
        for interface in options.requiresEGL ? [GLFW_EGL_CONTEXT_API] : [GLFW_NATIVE_CONTEXT_API, GLFW_EGL_CONTEXT_API]
        {
            options.hint(interface)
            let handle = glfwCreateWindow(
                Int32(clamping: Int(options.size.width.rounded())), Int32(clamping: Int(options.size.height.rounded())),
                options.title, nil, nil)
            guard let handle else {
                let isVersion = [GLFW_VERSION_UNAVAILABLE, GLFW_API_UNAVAILABLE].contains(glfwGetError(nil))
                failure = isVersion ? .noOpenGLES3(GLFW.takeError()) : .noWindow(GLFW.takeError())
                continue
            }
            glfwMakeContextCurrent(handle)
            do throws(RenderingError) {
                return (handle, try GLDevice())
            } catch {
                failure = .noOpenGLES3(error.description)
                glfwDestroyWindow(handle)
            }
        }
        throw failure
    }

    public func show() {
        isShown = true
        glfwShowWindow(handle)
    }

    public func hide() {
        isShown = false
        glfwHideWindow(handle)
    }

    public var isVisible: Bool { isShown && !isIconified && !pixelSize.isEmpty }

    public func makeCurrent() {
        if glfwGetCurrentContext() != handle { glfwMakeContextCurrent(handle) }
    }

    public func swap() { glfwSwapBuffers(handle) }

    /// How many of the display's refreshes a swap waits for: 1, or 0 where a rasterizer on the CPU must not be held up
    /// further. The context must be current.
    public func setSwapInterval(_ refreshes: Int) {
        glfwSwapInterval(Int32(refreshes))
        swapBlocks = refreshes == 0 ? false : nil
    }

    public func setTitle(_ title: String) { glfwSetWindowTitle(handle, title) }

    /// Brings the window before others and gives it the keyboard, as far as the window manager lets it.
    public func raise() { glfwFocusWindow(handle) }

    /// Whether the window stays above others, where the window manager lets it.
    public func setFloating(_ isFloating: Bool) {
        glfwSetWindowAttrib(handle, GLFW_FLOATING, isFloating ? GLFW_TRUE : GLFW_FALSE)
    }

    /// Whether the pointer disappears over the window.
    public func setCursorHidden(_ isHidden: Bool) {
        glfwSetInputMode(handle, GLFW_CURSOR, isHidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL)
    }

    /// Puts the content's top left corner at `position`, in GLFW's units; Wayland does not let windows choose.
    public func move(to position: Point) {
        let corner = PixelRect(rounding: Rect(origin: position, size: .zero))
        glfwSetWindowPos(handle, Int32(clamping: corner.minX), Int32(clamping: corner.minY))
    }

    /// Another size, in points.
    public func resize(to size: Size) {
        let units = unitsPerPoint
        glfwSetWindowSize(
            handle, Int32(clamping: Int(max(size.width * units, 1).rounded())),
            Int32(clamping: Int(max(size.height * units, 1).rounded())))
    }

    /// All of the monitor that the window lies on, without changing its mode; or back to the former place and size.
    ///
    /// GLFW asks the window manager where there is one, and overrides it where there is none.
    public func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != self.isFullscreen else { return }
        if isFullscreen {
            let area = area
            guard let monitor = GLFW.monitor(under: area), let mode = glfwGetVideoMode(monitor)?.pointee else { return }
            restoredArea = area
            glfwSetWindowMonitor(handle, monitor, 0, 0, mode.width, mode.height, mode.refreshRate)
        } else if let area = restoredArea {
            restoredArea = nil
            glfwSetWindowMonitor(
                handle, nil, Int32(clamping: area.minX), Int32(clamping: area.minY), Int32(clamping: area.width),
                Int32(clamping: area.height), GLFW_DONT_CARE)
        }
        self.isFullscreen = isFullscreen
    }

    /// The refresh rate of the monitor that the window lies on. GLFW rounds it: 59.94 Hz is 60.
    public var refreshRate: Double? {
        guard let mode = GLFW.monitor(under: area).flatMap({ glfwGetVideoMode($0)?.pointee }), mode.refreshRate > 0
        else { return nil }
        return Double(mode.refreshRate)
    }

    /// The size in points of the monitor that the window lies on.
    public var screenSize: Size? {
        guard let mode = GLFW.monitor(under: area).flatMap({ glfwGetVideoMode($0)?.pointee }) else { return nil }
        let units = unitsPerPoint
        return Size(width: Double(mode.width) / units, height: Double(mode.height) / units)
    }

    // MARK: - What the recorder tells

    /// Asks GLFW for size and scale again; both are known before the first event.
    func readMetrics() {
        var (width, height): (Int32, Int32) = (0, 0)
        glfwGetFramebufferSize(handle, &width, &height)
        pixelSize = PixelSize(width: Int(width), height: Int(height))
        var (across, down): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(handle, &across, &down)
        scale = across.isFinite && across > 0 ? Double(across) : 1
        recorder.pointsPerUnit = 1 / unitsPerPoint
    }

    func setIconified(_ isIconified: Bool) { self.isIconified = isIconified }

    /// GLFW's units in a point: the scale under X11, 1 under Wayland.
    private var unitsPerPoint: Double {
        var (width, height): (Int32, Int32) = (0, 0)
        glfwGetWindowSize(handle, &width, &height)
        guard width > 0, pixelSize.width > 0 else { return 1 }
        return scale * Double(width) / Double(pixelSize.width)
    }

    /// The content's place in GLFW's units.
    private var area: PixelRect {
        var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        glfwGetWindowPos(handle, &x, &y)
        glfwGetWindowSize(handle, &width, &height)
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x + width), maxY: Int(y + height))
    }
}
