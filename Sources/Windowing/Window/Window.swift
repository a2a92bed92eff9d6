import GlissadeCEGL
import GlissadeCGLFW
public import GlissadeGeometry
import GlissadePlatform
public import GlissadePresentation
public import GlissadeRendering
public import GlissadeTime

/// A GLFW window with either an OpenGL ES 3 context or an output for frames drawn by the CPU. Main thread.
///
/// Sizes are in points unless their names mention pixels. A point is `scale` device pixels long, so that text and
/// gestures have the same physical size on every display. The window system's unit is the device pixel of X11, which
/// GLFW uses, too. Only the initial size is passed to GLFW in points, because of GLFW_SCALE_TO_MONITOR.
@MainActor public final class Window: DrawableSurface {
    /// The size of the content, in device pixels.
    public private(set) var pixelSize: PixelSize
    /// Device pixels per point: the content scale of the window's monitor.
    public private(set) var scale: Double
    /// Whether the last request, by the program or by the user through the window manager, was for fullscreen. While
    /// the window actually covers its monitor, `restoreFrame` is not nil.
    public var isFullscreen: Bool { fullscreen.isWanted }
    /// The window system's units per point.
    public var unitsPerPoint: Double { scale }

    let handle: OpaquePointer
    /// The OpenGL context, for `GLRenderer`; nil if the CPU draws.
    public let context: GLContext?
    let glOutput: GLWindowOutput?
    /// The output that shows the frames drawn by the CPU; nil if OpenGL draws.
    public private(set) var output: XSoftwareOutput?
    /// X11 functions for this window.
    let x11: XWindow
    /// Reports when the window's frames are shown and when the display refreshes. Nil before the first call of
    /// `requestRefreshes`, or if the X server makes no such reports.
    private var presentReporter: XPresentReporter? {
        didSet { RenderLock.withLock { glOutput?.presentReporter = presentReporter } }
    }
    private var displaySearches = 0
    /// The maximum number of attempts to find the window's display, which may be missing until the window is mapped.
    private static let displaySearchLimit = 3
    /// Turns GLFW's callbacks into events.
    let eventQueue: GLFWEventQueue
    var fullscreen = FullscreenState()
    /// When the window's geometry last changed or a change was last requested; nil once that change counts as finished.
    var changedAt: HostTime?
    /// The window's area at the start of the current frame; nil if the window was not changing.
    var drawnArea: PixelRect?
    /// The content that stays in place on the screen while the window manager carries out a request for fullscreen; nil
    /// if there is no such request.
    var heldContent: XHeldContent?
    /// When the last frame was shown or queued for the display; nil if none has been.
    var lastShown: HostTime?
    /// Whether a frame has been begun and not yet shown.
    var isFrameBegun = false
    /// Whether the area has been queried since the start of the last frame and since the last change.
    var isPolled = false
    private(set) var isShown = false
    private var isIconified = false
    private var isAlwaysOnTop: Bool
    private let isOnAllDesktops: Bool
    private let takesFocus: Bool
    /// The position for the next `show`, in the window system's units; nil to leave it to the window manager.
    var place: Point?

    /// Creates a hidden window. Its context, if it has one, is current afterwards.
    ///
    /// The window's swaps wait for the display. If there are several windows, the swaps of only one may wait (see
    /// `setSwapInterval`).
    ///
    /// - Parameter other: A window with which to share textures and other objects. Whether the CPU or OpenGL draws is
    ///   then the same as in `other`, regardless of `options`.
    /// - Throws: `noDisplay`, `noWindow` or `noOpenGLES3`. After an error, the previous context is current again.
    public init(_ options: WindowOptions, sharing other: Window? = nil) throws(WindowingError) {
        let connection = try GLFW.start()
        let handle: OpaquePointer
        let isDrawnByCPU = other.map { $0.context == nil } ?? options.isDrawnByCPU
        if isDrawnByCPU {
            handle = try Self.makeHandle(withoutContext: options)
            (context, glOutput) = (nil, nil)
        } else {
            let made = try RenderLock.withLock { () throws(WindowingError) in
                try Self.makeHandle(options, sharing: other)
            }
            (handle, context, glOutput) = (made.handle, made.context, made.output)
        }
        self.handle = handle
        x11 = XWindow(glfwGetX11Window(handle), on: connection)
        pixelSize = PixelSize(width: 0, height: 0)
        scale = 1
        isAlwaysOnTop = options.isAlwaysOnTop
        isOnAllDesktops = options.isOnAllDesktops
        takesFocus = options.takesFocus
        eventQueue = GLFWEventQueue(handle, windowID: x11.window)
        readMetrics()
        eventQueue.attach(to: self)
        x11.keepContent()
        if let size = options.minimumSize { setMinimumSize(size) }
        if let aspect = options.aspect { setAspect(aspect) }
        // GLFW rewrites all its hints when a size limit or an aspect ratio is set, so the position comes last.
        if let position = options.position { move(to: position) }
        if options.trustsRefreshes, let connection = try? XConnection.shared() { connection.trustRefreshes() }
        if isDrawnByCPU { output = try Self.makeOutput(x11) }
        setSwapInterval(1)
        if options.isFullscreen { setFullscreen(true) }
    }

    isolated deinit {
        RenderLock.withLock {
            context?.end()
            heldContent = nil
            output = nil
            presentReporter = nil
            glfwDestroyWindow(handle)
        }
    }

    private static func makeHandle(withoutContext options: WindowOptions) throws(WindowingError) -> OpaquePointer {
        options.hint(GLFW_NO_API)
        let handle = glfwCreateWindow(
            WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title, nil, nil
        )
        guard let handle else { throw .noWindow(GLFW.takeError()) }
        return handle
    }

    private static func makeOutput(_ x11: XWindow) throws(WindowingError) -> XSoftwareOutput {
        // The server must know the window before another connection can refer to it.
        _ = x11.area
        do throws(RenderingError) {
            return try RenderLock.withLock { () throws(RenderingError) in
                try XSoftwareOutput(window: UInt32(x11.window), on: .shared())
            }
        } catch {
            throw .noWindow(error.description)
        }
    }

    /// Creates a hidden window with an OpenGL ES 3 context and makes it current.
    ///
    /// Tries EGL first and then GLX, because some drivers do not support OpenGL ES through GLX. If `other` is not nil,
    /// tries only the API that `other` uses.
    private static func makeHandle(
        _ options: WindowOptions, sharing other: Window?
    ) throws(WindowingError) -> (handle: OpaquePointer, context: GLContext, output: GLWindowOutput) {
        var failure = WindowingError.noWindow("")
        let previous = glfwGetCurrentContext()
        let interfaces =
            if let other {
                [other.glOutput?.contextInterface ?? GLFW_EGL_CONTEXT_API]
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
                let output = GLWindowOutput(handle, contextInterface: interface)
                return (handle, GLContext(output, sharing: other?.context), output)
            } catch {
                failure = .noOpenGLES3(error.description)
                glfwDestroyWindow(handle)
            }
        }
        if glfwGetCurrentContext() != previous { glfwMakeContextCurrent(previous) }
        throw failure
    }

    /// Shows the window above others.
    ///
    /// Does not wait until the window is visible. (In GLFW 3.3, `glfwShowWindow` waits up to 100 ms.)
    public func show() {
        if isShown { return }
        // A window manager forgets the states of a withdrawn window, so they are set each time.
        if let place, !fullscreen.isWanted { move(to: place) }
        x11.prepare(states, isOnAllDesktops: isOnAllDesktops, takesFocus: takesFocus)
        isShown = true
        applyFullscreen()
        x11.map()
        // A window manager that is still processing an earlier withdrawal may miss the properties set above. Messages
        // arrive in order, so the states are also requested by message.
        requestStates()
        if takesFocus { glfwFocusWindow(handle) }
        geometryChanges()
    }

    /// Sets the picture that the window has from the moment when it is mapped until the first frame is shown. Without
    /// it, the window would show the window manager's background for some milliseconds. Call before `show`, and call
    /// `removeFirstPicture` once a frame has been shown in the mapped window. If the window manager makes the window
    /// larger than the picture, the picture is repeated.
    ///
    /// Has no effect if there is no memory for the picture.
    ///
    /// - Parameter pixels: R, G, B and an unused byte, top row first, without padding.
    public func setFirstPicture(_ pixels: [UInt8], size: PixelSize) {
        guard let connection = try? XConnection.shared() else { return }
        // The server must know the window before another connection can refer to it.
        _ = x11.area
        RenderLock.withLock {
            _ = try? connection.setBackground(pixels, size: size, of: UInt32(x11.window))
        }
    }

    /// Removes the picture set by `setFirstPicture`. What the window shows stays.
    public func removeFirstPicture() {
        guard let connection = try? XConnection.shared() else { return }
        RenderLock.withLock { connection.removeBackground(of: UInt32(x11.window)) }
    }

    /// Whether the window and its frame are mapped, according to the server. Otherwise, the server drops what is drawn.
    /// One round trip.
    public var isMapped: Bool { x11.isViewable }

    private var states: [UInt] {
        let atoms = x11.atoms
        return (isAlwaysOnTop ? [atoms.above] : []) + (isOnAllDesktops ? [atoms.sticky] : [])
            + (fullscreen.isWanted ? [atoms.fullscreen] : [])
    }

    private func requestStates() {
        if isAlwaysOnTop { x11.request(true, x11.atoms.above, isOnAllDesktops ? x11.atoms.sticky : 0) }
        if isOnAllDesktops { x11.requestAllDesktops() }
        if fullscreen.isWanted { x11.request(true, x11.atoms.fullscreen) }
    }

    /// Hides the window without waiting. The next `show` restores fullscreen, if still wanted, or else the window's
    /// position outside fullscreen.
    ///
    /// This works even if the window is iconified, unlike `glfwHideWindow`.
    public func hide() {
        heldContent = nil
        forgetWaitingRequest()
        isFrameBegun = false
        if isShown {
            let corner = restoredArea ?? area
            place = Point(x: Double(corner.minX), y: Double(corner.minY))
        }
        isShown = false
        x11.withdraw()
    }

    public var isVisible: Bool { isShown && !isIconified && !pixelSize.isEmpty }

    public func makeCurrent() { context?.makeCurrent() }

    /// Updates the content that is held in place, if the frame that was just shown was drawn for the window's old area.
    func updateHeldContent() {
        guard let held = heldContent, drawnArea == held.start else { return }
        RenderLock.withLock { held.update() }
    }

    /// Sets whether swaps wait for the display: 1 waits for a refresh, 0 does not wait. Makes the window's context
    /// current. Does nothing if the window has no context.
    ///
    /// In a loop that draws several windows, the swaps of only one window may wait. If two windows waited, the frame
    /// rate of both would be halved.
    public func setSwapInterval(_ refreshes: Int) {
        guard let context else { return }
        RenderLock.withLock {
            context.makeCurrent()
            glfwSwapInterval(Int32(clamping: refreshes))
        }
    }

    public func takeReports(into taken: inout [DisplayReport]) {
        guard let presentReporter else { return }
        RenderLock.withLock { presentReporter.takeReports(into: &taken) }
    }

    public func requestRefreshes(_ count: Int, after last: Int64?) {
        if presentReporter?.isVirtual ?? true, displaySearches < Self.displaySearchLimit { findDisplay() }
        guard let presentReporter, !presentReporter.isVirtual else { return }
        RenderLock.withLock { presentReporter.request(count, after: last) }
    }

    /// Sets up the presentation reports and checks whether the display is virtual. A virtual display shows frames
    /// immediately and has no real refreshes.
    private func findDisplay() {
        displaySearches += 1
        guard let connection = try? XConnection.shared() else { return }
        let window = UInt32(x11.window)
        let isVirtual = !connection.findDisplay(of: window)
        // The film thread may use the reporter as soon as it is set.
        RenderLock.withLock {
            presentReporter = presentReporter ?? XPresentReporter(window: window, on: connection)
            presentReporter?.isVirtual = isVirtual
            if let output { presentReporter?.sentTime = { [weak output] in output?.sentTime(of: $0) } }
        }
    }

    public func isReady(at now: HostTime) -> Bool {
        if let output { return output.isReady }
        return RenderLock.withLock { glOutput?.isReady ?? true }
    }

    /// Whether frames have been sent that wait for a refresh of the display.
    var hasQueuedFrames: Bool {
        if let output { return output.hasQueuedFrames }
        return RenderLock.withLock { glOutput?.hasQueuedFrames ?? false }
    }

    /// Sets the text of the title bar and the task bar.
    public func setTitle(_ title: String) { glfwSetWindowTitle(handle, title) }

    /// Copies text to the clipboard. Other programs can paste it as long as this one runs.
    public func setClipboard(_ text: String) { glfwSetClipboardString(handle, text) }

    /// Raises and focuses the window, if the window manager allows it.
    public func raise() { glfwFocusWindow(handle) }

    /// Sets whether the window stays above others, if the window manager allows it.
    public func setAlwaysOnTop(_ isAlwaysOnTop: Bool) {
        self.isAlwaysOnTop = isAlwaysOnTop
        // If hidden, the window gets the state when it is shown.
        if isShown { x11.request(isAlwaysOnTop, x11.atoms.above) }
    }

    /// Sets whether the display may adapt its refresh rate to the window's frames while the window fills the screen.
    /// Requires X.Org's drivers and a display with a variable refresh rate. Off by default.
    public func setVariableRefresh(_ isVariable: Bool) { x11.setVariableRefresh(isVariable) }

    /// Sets whether the pointer is hidden while it is over the window.
    public func setCursorHidden(_ isHidden: Bool) {
        glfwSetInputMode(handle, GLFW_CURSOR, isHidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL)
    }

    // MARK: - For the event queue

    /// Reads the size and the scale from GLFW.
    func readMetrics() {
        var (width, height): (Int32, Int32) = (0, 0)
        glfwGetFramebufferSize(handle, &width, &height)
        pixelSize = PixelSize(width: Int(width), height: Int(height))
        var (across, down): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(handle, &across, &down)
        scale = across.isFinite && across > 0 ? Double(across) : 1
        eventQueue.pointsPerUnit = 1 / scale
    }

    func setIconified(_ isIconified: Bool) { self.isIconified = isIconified }
}
