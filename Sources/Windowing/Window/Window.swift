import CEGL
import CGLFW
public import Geometry
import Platform
public import Presentation
public import Rendering
import Time

/// A window, by GLFW, with an OpenGL ES 3 context, or with an output for what the CPU draws. Main thread.
///
/// Sizes are points unless they say pixels. GLFW's own unit is neither: under X11 it is the device pixel, whatever the
/// desktop's scale; under Wayland it is the compositor's logical pixel, of which the framebuffer has a multiple. A point
/// here is a framebuffer pixel divided by the content scale, on both, so that text and gestures have the same size in
/// the hand everywhere. At creation GLFW_SCALE_TO_MONITOR makes GLFW's unit a point too.
@MainActor public final class Window: DrawableSurface {
    /// The size of the content, in device pixels.
    public private(set) var pixelSize: PixelSize
    /// Device pixels per point, as the monitor has it.
    public private(set) var scale: Double
    /// Whether the window is to cover its monitor: as it was asked last, by the program or by hand through the window
    /// manager. `restoreFrame` says whether it does.
    public var isFullscreen: Bool { fullscreen.isWanted }
    /// GLFW's units in a point: the scale under X11, 1 under Wayland.
    public private(set) var unitsPerPoint = 1.0

    let handle: OpaquePointer
    /// Nil where the CPU draws.
    private let context: GLContext?
    /// What shows the frames that the CPU draws; nil where OpenGL draws.
    public private(set) var output: XSoftwareOutput?
    /// What only X11 has; nil elsewhere.
    let x11: XWindow?
    /// Tells of the display's refreshes; nil where the window system does not.
    private var refreshReporter: XRefreshReporter?
    private var displaySearches = 0
    /// A window may have no display before it is mapped.
    private static let mostDisplaySearches = 3
    /// Turns GLFW's callbacks into events.
    let recorder: GLFWEventQueue
    var fullscreen = FullscreenState()
    /// When the window's geometry was last asked to change, or did.
    var changedAt: HostTime?
    /// Where the window was when the frame that is being drawn was begun.
    var drawnArea: PixelRect?
    /// Whether the server was asked since the last frame was begun.
    var isLookedAt = false
    private(set) var isShown = false
    private var isIconified = false
    private var isFloating: Bool
    private let isOnAllDesktops: Bool
    private let takesFocus: Bool
    /// Which of GLFW's `…_CONTEXT_API`: contexts share objects only with their like.
    private let contextInterface: Int32
    /// Where the window goes when it is shown next; nil leaves it to the window manager.
    var place: Point?

    /// A hidden window whose context, if it has one, is current. Its swaps wait for the display; where there are several
    /// windows, only one may wait (`setSwapInterval`).
    ///
    /// - Parameter other: a window whose textures and other objects this one's context shares.
    /// - Throws: `noDisplay`, `noWindow` or `noOpenGLES3`, in GLFW's own words. The context that was current is so again.
    public init(_ options: WindowOptions, sharing other: Window? = nil) throws(WindowingError) {
        try GLFW.start()
        let handle: OpaquePointer
        let isDrawnByCPU = other.map { $0.context == nil } ?? options.isDrawnByCPU
        if isDrawnByCPU {
            handle = try Self.makeHandle(withoutContext: options)
            contextInterface = GLFW_NO_API
            context = nil
        } else {
            let made = try Self.makeHandle(options, sharing: other)
            handle = made.handle
            contextInterface = made.interface
            context = GLContext(sharing: other?.context)
        }
        self.handle = handle
        x11 = XWindow(handle)
        pixelSize = PixelSize(width: 0, height: 0)
        scale = 1
        isFloating = options.isFloating
        isOnAllDesktops = options.isOnAllDesktops
        takesFocus = options.takesFocus
        recorder = GLFWEventQueue(handle)
        readMetrics()
        recorder.attach(to: self)
        x11?.keepContent()
        if let size = options.minimumSize { setMinimumSize(size) }
        if let aspect = options.aspect { setAspect(aspect) }
        // GLFW writes its hints anew with each of these: the place comes last.
        if let position = options.position { move(to: position) }
        if isDrawnByCPU { output = try Self.makeOutput(handle) }
        setSwapInterval(1)
        if options.isFullscreen { setFullscreen(true) }
    }

    isolated deinit {
        context?.end()
        output = nil
        refreshReporter = nil
        glfwDestroyWindow(handle)
    }

    private static func makeHandle(withoutContext options: WindowOptions) throws(WindowingError) -> OpaquePointer {
        options.hint(GLFW_NO_API)
        let handle = glfwCreateWindow(
            WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title, nil, nil
        )
        guard let handle else { throw .noWindow(GLFW.takeError()) }
        return handle
    }

    private static func makeOutput(_ handle: OpaquePointer) throws(WindowingError) -> XSoftwareOutput {
        do throws(RenderingError) { return try XSoftwareOutput(of: handle) } catch {
            throw .noWindow(error.description)
        }
    }

    /// A hidden window with an OpenGL ES 3 context that is current.
    ///
    /// EGL comes before the window system's own way, GLX, which some drivers have no OpenGL ES with.
    private static func makeHandle(
        _ options: WindowOptions, sharing other: Window?
    ) throws(WindowingError) -> (handle: OpaquePointer, interface: Int32) {
        var failure = WindowingError.noWindow("")
        let previous = glfwGetCurrentContext()
        let interfaces =
            if let other {
                [other.contextInterface]
            } else {
                [GLFW_EGL_CONTEXT_API, GLFW_NATIVE_CONTEXT_API]
            }
        for interface in interfaces {
            options.hint(interface)
            let handle = glfwCreateWindow(
                WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title, nil,
                other?.handle)
            guard let handle else {
                let isVersion = [GLFW_VERSION_UNAVAILABLE, GLFW_API_UNAVAILABLE].contains(glfwGetError(nil))
                failure = isVersion ? .noOpenGLES3(GLFW.takeError()) : .noWindow(GLFW.takeError())
                continue
            }
            glfwMakeContextCurrent(handle)
            do throws(RenderingError) {
                _ = try GLDevice()
                return (handle, interface)
            } catch {
                failure = .noOpenGLES3(error.description)
                glfwDestroyWindow(handle)
            }
        }
        if glfwGetCurrentContext() != previous { glfwMakeContextCurrent(previous) }
        throw failure
    }

    /// Puts the window on the screen: above others, without waiting until it is there.
    ///
    /// Not by `glfwShowWindow`, which under X11 (3.3) waits until the window can be seen, for up to 100 ms. Where nobody
    /// manages windows, it is raised.
    public func show() {
        if isShown { return }
        guard let x11 else {
            isShown = true
            return glfwShowWindow(handle)
        }
        // What was set before is forgotten by window managers when a window goes.
        if let place, !fullscreen.isWanted { move(to: place) }
        x11.prepare(states, isOnAllDesktops: isOnAllDesktops, takesFocus: takesFocus)
        isShown = true
        applyFullscreen()
        x11.map()
        // One that has only now forgotten reads properties too soon; messages come in order.
        request(x11)
        if takesFocus { glfwFocusWindow(handle) }
        geometryChanges()
    }

    private var states: [UInt] {
        guard let atoms = x11?.atoms else { return [] }
        return (isFloating ? [atoms.above] : []) + (isOnAllDesktops ? [atoms.sticky] : [])
            + (fullscreen.isWanted ? [atoms.fullscreen] : [])
    }

    private func request(_ x11: XWindow) {
        if isFloating { x11.request(true, x11.atoms.above, isOnAllDesktops ? x11.atoms.sticky : 0) }
        if isOnAllDesktops { x11.requestAllDesktops() }
        if fullscreen.isWanted { x11.request(true, x11.atoms.fullscreen) }
    }

    /// Takes the window off the screen, without waiting. It comes back where it was; no longer fullscreen, where it was
    /// before.
    ///
    /// Not by `glfwHideWindow`, whose request means nothing to the server where the window is iconified: the window manager
    /// would keep it.
    public func hide() {
        if isShown {
            let corner = restoredArea ?? area
            place = Point(x: Double(corner.minX), y: Double(corner.minY))
        }
        isShown = false
        if let x11 { x11.withdraw() } else { glfwHideWindow(handle) }
    }

    public var isVisible: Bool { isShown && !isIconified && !pixelSize.isEmpty }

    public func makeCurrent() {
        context?.makeCurrent {
            if glfwGetCurrentContext() != handle { glfwMakeContextCurrent(handle) }
            return glfwGetCurrentContext() == handle
        }
    }

    /// Shows what OpenGL has drawn.
    ///
    /// GLFW does not say whether it could. EGL does, for the thread's last call: asking costs nothing.
    /// - Throws: `presentation`.
    public func swap() throws(RenderingError) {
        guard context != nil else { return }
        glfwSwapBuffers(handle)
        guard contextInterface == GLFW_EGL_CONTEXT_API else { return }
        let code = eglGetError()
        if code == EGL_SUCCESS { return }
        throw .presentation(
            code == EGL_CONTEXT_LOST
                ? "the OpenGL context is lost" : "eglSwapBuffers failed (EGL error 0x\(String(code, radix: 16)))")
    }

    /// How many of the display's refreshes a swap waits for: 1, or 0. The context must be current, where there is one.
    ///
    /// A loop that draws several windows can wait in one of them only: each second window gets 0, or two that wait halve
    /// each other's rate.
    public func setSwapInterval(_ refreshes: Int) {
        if context != nil { glfwSwapInterval(Int32(clamping: refreshes)) }
    }

    public func takeRefreshes(into taken: inout [DisplayClock.Refresh]) { refreshReporter?.takeReports(into: &taken) }

    public func requestRefreshes(_ count: Int, after last: Int64?) {
        if refreshReporter == nil, displaySearches < Self.mostDisplaySearches { findDisplay() }
        refreshReporter?.request(count, after: last)
    }

    /// Looks for a display that reports its refreshes. On a virtual display there is none: frames are seen at once there.
    private func findDisplay() {
        displaySearches += 1
        guard let x11, let connection = try? XConnection.shared() else { return }
        let window = UInt32(x11.window)
        if connection.findDisplay(of: window) { refreshReporter = XRefreshReporter(window: window, on: connection) }
    }

    /// Sets the text of the title bar and the task bar.
    public func setTitle(_ title: String) { glfwSetWindowTitle(handle, title) }

    /// Brings the window before others and gives it the keyboard, as far as the window manager lets it.
    public func raise() { glfwFocusWindow(handle) }

    /// Whether the window stays above others, where the window manager lets it.
    public func setFloating(_ isFloating: Bool) {
        self.isFloating = isFloating
        if let x11 {
            // Hidden, it is told when it is shown.
            if isShown { x11.request(isFloating, x11.atoms.above) }
            return
        }
        glfwSetWindowAttrib(handle, GLFW_FLOATING, isFloating ? GLFW_TRUE : GLFW_FALSE)
    }

    /// Whether the pointer disappears over the window.
    public func setCursorHidden(_ isHidden: Bool) {
        glfwSetInputMode(handle, GLFW_CURSOR, isHidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL)
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
        // Under X11 they are the same, and asking takes a round trip.
        if x11 == nil { glfwGetWindowSize(handle, &width, &height) }
        unitsPerPoint =
            width > 0 && pixelSize.width > 0 ? scale * Double(width) / Double(pixelSize.width) : 1
        recorder.pointsPerUnit = 1 / unitsPerPoint
    }

    func setIconified(_ isIconified: Bool) { self.isIconified = isIconified }
}
