import CEGL
import CGLFW
public import Geometry
import Platform
public import Presentation
public import Rendering
public import Time

/// A GLFW window, with an OpenGL ES 3 context or with an output for frames drawn by the CPU. Main thread.
///
/// Sizes are in points unless they are called pixels. GLFW's own unit is neither: under X11 it is the device pixel,
/// whatever the desktop's scale; under Wayland it is the compositor's logical pixel, and the framebuffer has a multiple
/// of it. On both, a point is a framebuffer pixel divided by the content scale, so that text and gestures have the same
/// physical size everywhere. At creation, GLFW_SCALE_TO_MONITOR makes GLFW's unit a point as well.
@MainActor public final class Window: DrawableSurface {
    /// The size of the content, in device pixels.
    public private(set) var pixelSize: PixelSize
    /// Device pixels per point, according to the monitor.
    public private(set) var scale: Double
    /// Whether the window should cover its monitor, as last requested by the program or by the user through the window
    /// manager. `restoreFrame` says whether it does.
    public var isFullscreen: Bool { fullscreen.isWanted }
    /// GLFW units per point: the scale under X11, 1 under Wayland.
    public private(set) var unitsPerPoint = 1.0

    let handle: OpaquePointer
    /// Nil if the CPU draws.
    private let context: GLContext?
    /// Shows the frames drawn by the CPU; nil if OpenGL draws.
    public private(set) var output: XSoftwareOutput?
    /// X11-specific functions; nil elsewhere.
    let x11: XWindow?
    /// Reports the display's refreshes; nil if the window system does not.
    private var presentReporter: XPresentReporter?
    private var displaySearches = 0
    /// With this many frames sent and not visible yet, OpenGL might wait for the display to show one: for a second, or
    /// forever if the window is covered.
    private static let unseenFrameLimit = 2
    /// A window may have no display before it is mapped.
    private static let displaySearchLimit = 3
    /// Turns GLFW's callbacks into events.
    let eventQueue: GLFWEventQueue
    var fullscreen = FullscreenState()
    /// When the window's geometry last changed, or was last requested to change.
    var changedAt: HostTime?
    /// The window's area when the current frame was started.
    var drawnArea: PixelRect?
    /// Whether the server was queried for the area since the last frame was started.
    var isPolled = false
    private(set) var isShown = false
    private var isIconified = false
    private var isFloating: Bool
    private let isOnAllDesktops: Bool
    private let takesFocus: Bool
    /// One of GLFW's `…_CONTEXT_API`: only contexts of the same kind share objects.
    private let contextInterface: Int32
    /// The position for the next `show`; nil leaves it to the window manager.
    var place: Point?

    /// Creates a hidden window. Its context, if it has one, is current afterwards. Its swaps wait for the display; with
    /// several windows, only one may wait (`setSwapInterval`).
    ///
    /// - Parameter other: A window to share textures and other objects with.
    /// - Throws: `noDisplay`, `noWindow` or `noOpenGLES3`, in GLFW's own words. The previous context is then current
    ///   again.
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
        eventQueue = GLFWEventQueue(handle)
        readMetrics()
        eventQueue.attach(to: self)
        x11?.keepContent()
        if let size = options.minimumSize { setMinimumSize(size) }
        if let aspect = options.aspect { setAspect(aspect) }
        // GLFW rewrites its size hints with each of these, so the position comes last.
        if let position = options.position { move(to: position) }
        if options.trustsRefreshes, let connection = try? XConnection.shared() { connection.trustRefreshes() }
        if isDrawnByCPU { output = try Self.makeOutput(handle) }
        setSwapInterval(1)
        if options.isFullscreen { setFullscreen(true) }
    }

    isolated deinit {
        context?.end()
        output = nil
        presentReporter = nil
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
        do throws(RenderingError) {
            return try RenderLock.withLock { () throws(RenderingError) in try XSoftwareOutput(of: handle) }
        } catch {
            throw .noWindow(error.description)
        }
    }

    /// Creates a hidden window with an OpenGL ES 3 context, which is current.
    ///
    /// Tries EGL before the native GLX, with which some drivers offer no OpenGL ES.
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

    /// Shows the window above others, without waiting for it.
    ///
    /// Not with `glfwShowWindow`, which under X11 (3.3) waits until the window is visible, for up to 100 ms. Without a
    /// window manager, the window is raised.
    public func show() {
        if isShown { return }
        guard let x11 else {
            isShown = true
            return glfwShowWindow(handle)
        }
        // Window managers forget a window's state when it is withdrawn.
        if let place, !fullscreen.isWanted { move(to: place) }
        x11.prepare(states, isOnAllDesktops: isOnAllDesktops, takesFocus: takesFocus)
        isShown = true
        applyFullscreen()
        x11.map()
        // A window manager that has only just forgotten the window reads properties too early, but messages arrive in
        // order.
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

    /// Hides the window without waiting for it. When shown again, it returns to the same place; if it was fullscreen,
    /// to its place before.
    ///
    /// Not with `glfwHideWindow`, whose request has no effect on an iconified window: the window manager would keep it.
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

    /// Shows the frame drawn by OpenGL.
    ///
    /// GLFW does not report failures. EGL does, for the thread's last call, and asking costs nothing.
    /// - Throws: `presentation`.
    public func swap() throws(RenderingError) {
        guard context != nil else { return }
        let sent = HostTime.now()
        glfwSwapBuffers(handle)
        presentReporter?.didSendFrame(at: sent)
        guard contextInterface == GLFW_EGL_CONTEXT_API else { return }
        let code = eglGetError()
        if code == EGL_SUCCESS { return }
        throw .presentation(
            code == EGL_CONTEXT_LOST
                ? "the OpenGL context is lost" : "eglSwapBuffers failed (EGL error 0x\(String(code, radix: 16)))")
    }

    /// Sets the number of refreshes that a swap waits for: 1 or 0. The context, if any, must be current.
    ///
    /// A loop that draws several windows can wait in only one of them: every other window gets 0, since two windows
    /// that wait would halve each other's rate.
    public func setSwapInterval(_ refreshes: Int) {
        if context != nil { glfwSwapInterval(Int32(clamping: refreshes)) }
    }

    public func takeReports(into taken: inout [DisplayReport]) { presentReporter?.takeReports(into: &taken) }

    public func requestRefreshes(_ count: Int, after last: Int64?) {
        if presentReporter?.isVirtual ?? true, displaySearches < Self.displaySearchLimit { findDisplay() }
        guard let presentReporter, !presentReporter.isVirtual else { return }
        presentReporter.request(count, after: last)
    }

    /// Looks for a display that sends reports. On a virtual display, frames are visible at once, and its refreshes mean
    /// nothing.
    private func findDisplay() {
        displaySearches += 1
        guard let x11, let connection = try? XConnection.shared() else { return }
        let window = UInt32(x11.window)
        let isVirtual = !connection.findDisplay(of: window)
        presentReporter = presentReporter ?? XPresentReporter(window: window, on: connection)
        presentReporter?.isVirtual = isVirtual
        if let output { presentReporter?.sentTime = { [weak output] in output?.sentTime(of: $0) } }
    }

    public func isReady(at now: HostTime) -> Bool {
        if let output { return output.isReady }
        guard let presentReporter, presentReporter.reportsFrames else { return true }
        presentReporter.poll()
        presentReporter.forgetLostFrames(at: now)
        return presentReporter.unreportedCount < Self.unseenFrameLimit
    }

    /// Sets the text of the title bar and the task bar.
    public func setTitle(_ title: String) { glfwSetWindowTitle(handle, title) }

    /// Raises the window and focuses it, if the window manager allows it.
    public func raise() { glfwFocusWindow(handle) }

    /// Keeps the window above others, if the window manager allows it.
    public func setFloating(_ isFloating: Bool) {
        self.isFloating = isFloating
        if let x11 {
            // A hidden window gets the state when it is shown.
            if isShown { x11.request(isFloating, x11.atoms.above) }
            return
        }
        glfwSetWindowAttrib(handle, GLFW_FLOATING, isFloating ? GLFW_TRUE : GLFW_FALSE)
    }

    /// Sets whether the display may refresh whenever the window shows a frame, while it fills the screen. Has an effect
    /// with X.Org's drivers and displays with a variable refresh rate; off by default.
    public func setVariableRefresh(_ isVariable: Bool) { x11?.setVariableRefresh(isVariable) }

    /// Hides the pointer over the window.
    public func setCursorHidden(_ isHidden: Bool) {
        glfwSetInputMode(handle, GLFW_CURSOR, isHidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL)
    }

    // MARK: - For the event queue

    /// Reads size and scale from GLFW again; both are known before the first event.
    func readMetrics() {
        var (width, height): (Int32, Int32) = (0, 0)
        glfwGetFramebufferSize(handle, &width, &height)
        pixelSize = PixelSize(width: Int(width), height: Int(height))
        var (across, down): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(handle, &across, &down)
        scale = across.isFinite && across > 0 ? Double(across) : 1
        // Under X11 they are equal, and a query costs a round trip.
        if x11 == nil { glfwGetWindowSize(handle, &width, &height) }
        unitsPerPoint =
            width > 0 && pixelSize.width > 0 ? scale * Double(width) / Double(pixelSize.width) : 1
        eventQueue.pointsPerUnit = 1 / unitsPerPoint
    }

    func setIconified(_ isIconified: Bool) { self.isIconified = isIconified }
}
