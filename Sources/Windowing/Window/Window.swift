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

    private let handle: OpaquePointer
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
    private(set) var fullscreen = WindowFullscreen()
    /// The content that stays in place on the screen while the window manager carries out a request for fullscreen; nil
    /// if there is no such request.
    var heldContent: HeldContent? {
        didSet {
            RenderLock.withLock {
                output?.heldContent = heldContent?.content
                glOutput?.heldContent = heldContent?.content
            }
        }
    }
    private var isShown = false
    private var isIconified = false
    private var isAlwaysOnTop: Bool
    private let isOnAllDesktops: Bool
    private let takesFocus: Bool
    /// The position for the next `show`, in the window system's units; nil to leave it to the window manager.
    private(set) var place: Point?

    struct HeldContent {
        let content: XHeldContent
        /// Until this time, no frame is drawn for the old area; nil on displays with refreshes.
        let framesUntil: HostTime?
    }

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
            // A renderer may outlive the window, and with it the output, to which the observer passes this on.
            heldContent = nil
            output = nil
            presentReporter = nil
            glfwDestroyWindow(handle)
        }
    }

    private static func makeHandle(withoutContext options: WindowOptions) throws(WindowingError) -> OpaquePointer {
        options.hint(GLFW_NO_API)
        let handle = glfwCreateWindow(
            WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.safeTitle, nil,
            nil
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
                WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.safeTitle,
                nil,
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
        perform(fullscreen.windowIsShown())
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
        fullscreen.windowIsHidden()
        if isShown {
            let corner = restoredArea ?? area
            place = Point(x: Double(corner.minX), y: Double(corner.minY))
        }
        isShown = false
        x11.withdraw()
    }

    public var isVisible: Bool { isShown && !isIconified && !pixelSize.isEmpty }

    public func makeCurrent() { context?.makeCurrent() }

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

    /// Sets the text of the title bar and the task bar, without what is not safe to display.
    public func setTitle(_ title: String) {
        glfwSetWindowTitle(handle, DisplaySafeText.text(title))
    }

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

extension Window {
    /// Replaces the content of `taken` with the events since the last call, in order. Allocates nothing if the caller
    /// passes the same array each time.
    public func drainEvents(into taken: inout [WindowEvent]) {
        eventQueue.take(into: &taken)
    }

    /// Sleeps until any window has an event, `wake` is called, or `deadline` passes. Nil means no deadline.
    ///
    /// If the deadline has already passed, only collects pending events.
    public func wait(until deadline: HostTime?) {
        XErrors.ignoreForeign()
        if let seconds = deadline.map({ ($0 - .now()).inSeconds }) {
            if seconds > 0 { glfwWaitEventsTimeout(seconds) } else { glfwPollEvents() }
        } else {
            glfwWaitEvents()
        }
        PointerTimes.finishEvents()
        Touches.deliver()
        Self.pollChanged()
        FileDrops.deliver(x11.connection)
    }

    /// Ends the current call of `wait`. If no call is in progress, the next call returns at once. Any thread.
    public nonisolated static func wake() { GLFW.wake() }
}

/// The window's position, size, size limits and monitor.
extension Window {
    /// The content's current area, in the window system's units. Queries the server.
    public var area: PixelRect {
        if let area = x11.area { return area }
        var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        glfwGetWindowPos(handle, &x, &y)
        glfwGetWindowSize(handle, &width, &height)
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x) + Int(width), maxY: Int(y) + Int(height))
    }

    /// Sets the content's position and size, in the window system's units. A single request sets both.
    ///
    /// Clamps the position and the size to what X11 allows. Each side is at least one unit long. In fullscreen, sets
    /// the area that the window returns to afterwards.
    public func setArea(_ area: PixelRect) {
        var valid = area
        valid.minX = min(max(area.minX, -32768), 32767)
        valid.minY = min(max(area.minY, -32768), 32767)
        valid.maxX = min(max(area.maxX, valid.minX + 1), valid.minX + 32767)
        valid.maxY = min(max(area.maxY, valid.minY + 1), valid.minY + 32767)
        if fullscreen.isWanted {
            fullscreen.setHome(valid)
            if !isShown { place = Point(x: Double(valid.minX), y: Double(valid.minY)) }
            return
        }
        geometryChanges()
        if !isShown {
            // This call also makes GLFW set a hint, so that the window manager honors the position.
            move(to: Point(x: Double(valid.minX), y: Double(valid.minY)))
        }
        x11.setArea(valid)
    }

    /// Moves the content's top-left corner to `position`, in the window system's units.
    public func move(to position: Point) {
        let corner = PixelRect(rounding: Rect(origin: position, size: .zero))
        if !isShown { place = Point(x: Double(corner.minX), y: Double(corner.minY)) }
        glfwSetWindowPos(handle, Int32(clamping: corner.minX), Int32(clamping: corner.minY))
    }

    /// Sets the content's size, in points.
    public func resize(to size: Size) {
        let units = unitsPerPoint
        func length(_ points: Double) -> Int32 {
            points.isFinite ? Int32(max(1, min((points * units).rounded(), 32767))) : 1
        }
        geometryChanges()
        glfwSetWindowSize(handle, length(size.width), length(size.height))
    }

    /// Sets the aspect ratio that the content keeps while the user resizes the window. The window manager enforces the
    /// ratio.
    ///
    /// - Parameter aspect: Any size with that ratio. Nil removes the constraint. So does a ratio that is invalid or
    ///   outside 1:1000 to 1000:1.
    public func setAspect(_ aspect: Size?) {
        guard let aspect, aspect.width.isFinite, aspect.height.isFinite, aspect.width > 0, aspect.height > 0,
            case let ratio = aspect.width / aspect.height, (0.001...1000).contains(ratio)
        else { return glfwSetWindowAspectRatio(handle, GLFW_DONT_CARE, GLFW_DONT_CARE) }
        // The ratio is exact if both lengths are whole numbers. Otherwise its error is at most 1/10,000 for ratios up
        // to 1:6.
        let isWhole = aspect.width.rounded() == aspect.width && aspect.height.rounded() == aspect.height
        let factor = isWhole && max(aspect.width, aspect.height) <= 32767 ? 1 : 30000 / max(aspect.width, aspect.height)
        glfwSetWindowAspectRatio(
            handle, Int32(max(1, (aspect.width * factor).rounded())), Int32(max(1, (aspect.height * factor).rounded())))
    }

    /// Sets the content's minimum size, in points. The window manager enforces the limit. Nil removes the limit, and so
    /// does a size that is not positive.
    public func setMinimumSize(_ size: Size?) {
        let units = unitsPerPoint
        func limit(_ points: Double?) -> Int32 {
            guard let points, points.isFinite, points > 0 else { return GLFW_DONT_CARE }
            return Int32(max(1, min((points * units).rounded(), 32767)))
        }
        let (width, height) = (limit(size?.width), limit(size?.height))
        let isNone = width == GLFW_DONT_CARE || height == GLFW_DONT_CARE
        glfwSetWindowSizeLimits(
            handle, isNone ? GLFW_DONT_CARE : width, isNone ? GLFW_DONT_CARE : height, GLFW_DONT_CARE, GLFW_DONT_CARE)
    }

    /// The pointer's position on the screen, in the window system's units, even while the pointer is outside the window;
    /// nil if unknown. One round trip.
    public var pointerOnScreen: Point? { x11.connection.pointer }

    // MARK: - Monitors

    /// The whole area of the window's monitor, in the window system's units; nil if there is no monitor. The window's
    /// monitor is the monitor that shows the largest part of the window. If no monitor shows any part of the window, it
    /// is the primary monitor.
    public var monitorArea: PixelRect? { GLFW.monitor(under: area)?.area }

    /// The work area of the window's monitor, which excludes panels and docks, in the window system's units; nil if
    /// there is no monitor.
    public var workArea: PixelRect? { GLFW.monitor(under: area).map(GLFW.workArea) }

    /// The work areas of all monitors, which exclude panels and docks, in the window system's units. The window's
    /// monitor comes first.
    public var workAreas: [PixelRect] {
        guard let own = GLFW.monitor(under: area) else { return [] }
        let others = GLFW.monitors.filter { $0.handle != own.handle }
        return ([own] + others).map(GLFW.workArea)
    }

    /// The refresh rate of the window's monitor, in Hz; nil if unknown. The value is up to two seconds old. GLFW rounds
    /// the rate to an integer: 59.94 Hz becomes 60.
    public var refreshRate: Double? { GLFW.monitorWithMode(under: fullscreen.area ?? area)?.refreshRate }

    public var monitorGeneration: Int { GLFW.monitorGeneration }

    /// The height of the window's monitor, in pixels; nil if there is no monitor. The value is up to two seconds old.
    public var monitorHeight: Int? { GLFW.monitorWithMode(under: fullscreen.area ?? area)?.area.height }

    /// The size of the window's monitor, in points; nil if there is no monitor.
    public var screenSize: Size? {
        guard let area = monitorArea else { return nil }
        let units = unitsPerPoint
        return Size(width: Double(area.width) / units, height: Double(area.height) / units)
    }
}

/// Fullscreen through the window manager.
///
/// Requests go directly to the window manager rather than through GLFW. GLFW would tie the window to a
/// monitor and end fullscreen when that monitor is unplugged. GLFW also does not notice when the user or another
/// program ends fullscreen.
extension Window {
    /// The window's area before fullscreen, in the window system's units; nil unless fullscreen is wanted or the window
    /// is still leaving fullscreen.
    public var restoredArea: PixelRect? { fullscreen.home(at: .now()) }

    /// The window's area before fullscreen, relative to the window's current top-left corner, in points. Nil unless the
    /// window covers the monitor in fullscreen or is still leaving fullscreen. Updated by events and at the start of
    /// each frame.
    ///
    /// Content drawn in this rectangle stays in place on the screen while the window grows or shrinks around it.
    public var restoreFrame: Rect? {
        guard let area = fullscreen.area, let restored = fullscreen.enlargedFrom(at: .now()) else { return nil }
        let units = unitsPerPoint
        return Rect(
            x: Double(restored.minX - area.minX) / units, y: Double(restored.minY - area.minY) / units,
            width: Double(restored.width) / units, height: Double(restored.height) / units)
    }

    /// Enters fullscreen without changing the display mode, or leaves fullscreen and restores the window's previous
    /// area.
    ///
    /// Asks the window manager, which may take some time to respond. If this is called again in the
    /// meantime, the last call wins. Without a window manager that supports fullscreen, sets the window's area
    /// directly.
    ///
    /// If frames are being shown, the request is made as soon as the next frame is on the screen. If the window manager
    /// answers soon enough, the window changes between two frames. Call `frameWasShown` after each frame, and
    /// `pollGeometry` at `nextGeometryPoll`; otherwise the request is never made.
    public func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != fullscreen.isWanted else { return }
        if isFullscreen {
            let area = area
            let monitor = GLFW.monitor(under: area)?.area
            perform(fullscreen.enter(from: area, monitor: monitor, isShown: isShown, at: .now()))
        } else {
            perform(fullscreen.leave(isShown: isShown, at: .now()))
        }
    }

    public func frameWasShown() {
        perform(fullscreen.frameWasShown(at: .now(), hasQueuedFrames: hasQueuedFrames))
    }

    private func perform(_ effect: WindowFullscreen.Effect?) {
        switch effect {
        case .request(let isFullscreen, let area, let holdsContent):
            request(isFullscreen, area: area, holdsContent: holdsContent)
        case .adopt(let isFullscreen):
            x11.setBypassesCompositor(isFullscreen)
            eventQueue.record(.fullscreenChanged(isFullscreen))
        case .releaseContent: heldContent = nil
        case .redraw: eventQueue.record(.needsRedraw)
        case .queryManager: followManager(at: .now())
        case nil: break
        }
    }

    private func request(_ isFullscreen: Bool, area: PixelRect?, holdsContent: Bool) {
        heldContent = nil
        if x11.isManaged(knowing: x11.atoms.fullscreen) {
            let held = holdsContent ? area.flatMap(holdContent) : nil
            x11.request(isFullscreen, x11.atoms.fullscreen)
            if let held {
                let end = showsFramesAtOnce ? HostTime.now() + WindowFullscreen.frameHold : nil
                heldContent = HeldContent(content: held, framesUntil: end)
            }
        } else if let area {
            // Here, the window's static gravity keeps the content in place.
            fullscreen.wasFulfilled()
            if !isFullscreen { x11.forget(x11.atoms.fullscreen) }
            // The last frame must reach the window before the window is resized. GLFW's connection may overtake that
            // of the output.
            if holdsContent, let output { RenderLock.withLock { output.connection.waitForServer() } }
            x11.setArea(area)
        }
        x11.setBypassesCompositor(isFullscreen)
    }

    /// Keeps the content in place on the screen until the window has the area `area`. The frames that any thread shows
    /// from now on are held, too.
    private func holdContent(until area: PixelRect) -> XHeldContent? {
        guard let start = x11.area, let connection = try? XConnection.shared() else { return nil }
        return RenderLock.withLock {
            // OpenGL's frames come on GLFW's connection, which the copy must not overtake.
            if glOutput != nil { x11.connection.synchronize() }
            let held = try? XHeldContent(of: UInt32(x11.window), on: connection, from: start, to: area)
            output?.heldContent = held
            glOutput?.heldContent = held
            return held
        }
    }

    /// Whether the X server shows frames without waiting for a refresh. Otherwise, frames need not be held after a
    /// request, and would be late: with XWayland, the answer may take longer than a frame.
    private var showsFramesAtOnce: Bool { RenderLock.withLock { (try? XConnection.shared())?.hasDisplay == false } }

    public func frameHoldDeadline(at now: HostTime) -> HostTime? {
        guard let deadline = fullscreen.displayDeadline ?? heldContent?.framesUntil, now < deadline else { return nil }
        return deadline
    }

    // MARK: - Tracking the window manager

    public var nextGeometryPoll: HostTime? {
        .earliest(fullscreen.nextPoll(at: .now()), output?.nextPoll)
    }

    /// Also ends a frame that was begun and then given up. Call between frames.
    public func pollGeometry(at now: HostTime) {
        if let output, output.poll(at: now) { eventQueue.record(.needsRedraw) }
        for effect in fullscreen.poll(at: now, hasQueuedFrames: hasQueuedFrames) { perform(effect) }
    }

    /// Records that the window's geometry has changed, or that a change was requested.
    func geometryChanges() { fullscreen.changes(at: .now()) }

    /// Records a geometry change reported by GLFW. The server is queried after the pending events.
    func geometryChanged() {
        geometryChanges()
        setNeedsPoll(isResized: true)
    }

    /// The changed windows whose area is still to be queried from the server. One change causes several events, and
    /// each query takes a round trip. So the server is queried once, after the last event.
    private static var changed: [Change] = []

    private struct Change {
        weak var window: Window?
        var isResized: Bool
    }

    func setNeedsPoll(isResized: Bool = false) {
        if let index = Self.changed.firstIndex(where: { $0.window === self }) {
            Self.changed[index].isResized = isResized || Self.changed[index].isResized
        } else {
            Self.changed.append(Change(window: self, isResized: isResized))
        }
    }

    /// Whether GLFW has reported a new size since the server was last queried. If so, a new position must not be
    /// combined with the last known size.
    private var isResized: Bool { Self.changed.contains { $0.window === self && $0.isResized } }

    /// Queries the server about all windows that have changed. Call after all events have been processed.
    static func pollChanged() {
        while let next = changed.popLast() {
            guard let window = next.window else { continue }
            let now = HostTime.now()
            if window.fullscreen.isChanging(at: now) {
                window.take(window.area)
                window.fullscreen.wasPolled()
            }
            window.followManager(at: now)
        }
    }

    /// Records a new position reported by GLFW.
    func wasMoved(to corner: Point) {
        // Outside of fullscreen transitions, the position does not affect what is drawn, and dragging causes many of
        // these events. So the server is not queried.
        if isResized || !fullscreen.move(toX: Int(corner.x), y: Int(corner.y)) { geometryChanged() }
    }

    private func take(_ area: PixelRect) {
        // The server has painted the held content by now, or the window manager has chosen an unexpected size.
        if let held = heldContent?.content, area.size != held.start.size { heldContent = nil }
        fullscreen.locate(area) { GLFW.monitor(under: area)?.area }
    }

    private func followManager(at now: HostTime) {
        guard isShown, fullscreen.heedsManager(at: now) else { return }
        let isFullscreen = x11.states.contains(x11.atoms.fullscreen)
        perform(
            fullscreen.follow(
                isFullscreen: isFullscreen, isManaged: x11.isManaged(knowing: x11.atoms.fullscreen), currentArea: area,
                at: now))
    }

    /// Records the area for which the next frame will be drawn. Returns false if the size of that area differs from the
    /// size that the events have reported. The caller must then process the pending events before drawing.
    public func beginFrame() -> Bool {
        let (now, polled) = (HostTime.now(), fullscreen.polledArea)
        // An area queried after the last event is recent enough: `isCurrent` checks again before the frame is shown.
        guard fullscreen.isChanging(at: now), let area = polled ?? x11.area else {
            fullscreen.beginFrame(for: nil)
            return true
        }
        if polled == nil {
            take(area)
            followManager(at: now)
        }
        fullscreen.beginFrame(for: area)
        if let held = heldContent?.content { RenderLock.withLock { held.followsFrames = area == held.start } }
        if pixelSize == area.size { return true }
        eventQueue.resized()
        return false
    }

    /// Whether the window still has the size for which the frame was drawn. During fullscreen transitions, the position
    /// must match too.
    ///
    /// For a second after each change, reading this property takes a round trip to the server: several milliseconds on
    /// a busy machine.
    public var isCurrent: Bool {
        guard fullscreen.isChanging(at: .now()), let area = x11.area else { return true }
        return fullscreen.fits(area)
    }
}
