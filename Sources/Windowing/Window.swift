import CGLFW
import Host
public import Motion
public import Rendering

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
    /// Whether the window is to cover its monitor: as it was asked last, by the program or by hand through the window
    /// manager. `homeFrame` says whether it does.
    public var isFullscreen: Bool { fullscreen.isWanted }
    /// GLFW's units in a point: the scale under X11, 1 under Wayland.
    public private(set) var unitsPerPoint = 1.0

    let handle: OpaquePointer
    /// Nil as long as it shows pictures without OpenGL.
    public private(set) var context: GLContext?
    /// What shows pictures without OpenGL; stays as long as there are some in its memory.
    public private(set) var direct: DirectPictures?
    /// The context of a window that was begun without one, or that of such a window, which this one shares.
    private var lent: LentContext?
    private let isContextOwn: Bool
    /// Whether whoever draws in it knows of that context.
    private var isSettled = false
    /// What only X11 has; nil elsewhere.
    let x11: XWindow?
    /// Turns GLFW's callbacks into events.
    let recorder: EventRecorder
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

    /// A hidden window whose context is current. Its swaps wait for the display, except on a software rasterizer; where
    /// there are several windows, only one may wait (`setSwapInterval`).
    ///
    /// - Parameter other: a window whose textures and other objects this one's context shares.
    /// - Throws: `noDisplay`, `noWindow` or `noOpenGLES3`, in GLFW's own words. The context that was current is so again.
    public init(_ options: WindowOptions, sharing other: Window? = nil) throws(WindowingError) {
        try GLFW.start()
        // Also between the two steps of `settle`.
        if let other, let direct = other.direct, direct.isDirect {
            try other.beginContext()
            direct.contextBegan()
        }
        let handle: OpaquePointer
        if options.mayBeginDirect, other == nil, let window = DirectPictures.makeWindow(options) {
            handle = window.handle
            direct = window.pictures
            contextInterface = GLFW_NATIVE_CONTEXT_API
            isContextOwn = true
        } else if let other, let window = Self.makeHandle(options, lentBy: other) {
            handle = window.handle
            self.lent = window.lent
            context = other.context
            contextInterface = GLFW_NATIVE_CONTEXT_API
            isContextOwn = false
        } else {
            let made = try Self.makeHandle(options, sharing: other)
            handle = made.handle
            contextInterface = made.interface
            context = GLContext(device: made.device, sharing: other?.context)
            isContextOwn = true
        }
        self.handle = handle
        x11 = XWindow(handle)
        pixelSize = PixelSize(width: 0, height: 0)
        scale = 1
        isFloating = options.isFloating
        isOnAllDesktops = options.isOnAllDesktops
        takesFocus = options.takesFocus
        recorder = EventRecorder(handle)
        if !isContextOwn { makeCurrent() }
        readMetrics()
        recorder.attach(to: self)
        x11?.keepContent()
        if let size = options.minimumSize { setMinimumSize(size) }
        if let aspect = options.aspect { setAspect(aspect) }
        // GLFW writes its hints anew with each of these: the place comes last.
        if let position = options.position { move(to: position) }
        if context == nil { swapBlocks = false } else { setSwapInterval(try Self.isSoftware() ? 0 : 1) }
        if options.isFullscreen { setFullscreen(true) }
    }

    isolated deinit {
        if isContextOwn { context?.end() }
        lent?.end()
        direct?.end()
        glfwDestroyWindow(handle)
    }

    /// Whether other windows can have its context: where the CPU draws, by GLX.
    private var canLend: Bool {
        lent != nil
            || x11 != nil && contextInterface == GLFW_NATIVE_CONTEXT_API && context?.isSoftware == true
    }

    /// A hidden window that is drawn into by another's context; nil where that cannot be.
    private static func makeHandle(
        _ options: WindowOptions, lentBy other: Window
    ) -> (handle: OpaquePointer, lent: LentContext)? {
        guard other.canLend else { return nil }
        options.hint(GLFW_NO_API)
        let handle = glfwCreateWindow(
            WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title, nil, nil
        )
        guard let handle else {
            _ = GLFW.takeError()
            return nil
        }
        let lent =
            other.lent.map { LentContext($0, window: handle) } ?? LentContext(of: other, window: handle)
        if let lent { return (handle, lent) }
        glfwDestroyWindow(handle)
        return nil
    }

    /// A hidden window with an OpenGL ES 3 context that is current.
    ///
    /// The window system's own way to a context comes before EGL. Under Wayland they are the same. Under X11 it is GLX,
    /// which on a software rasterizer hands pictures to the server in shared memory, where Mesa's EGL (22.3) writes them
    /// down a socket: a frame of upload, copy and swap took 0.43 ms instead of 2.96 at 1280×720, and 1.5 instead of 6.3
    /// at 1920×1080.
    private static func makeHandle(
        _ options: WindowOptions, sharing other: Window?
    ) throws(WindowingError) -> (handle: OpaquePointer, device: GLDevice, interface: Int32) {
        var failure = WindowingError.noWindow("")
        let previous = glfwGetCurrentContext()
        let interfaces =
            if let other {
                [other.contextInterface]
            } else if options.requiresEGL {
                [GLFW_EGL_CONTEXT_API]
            } else {
                [GLFW_NATIVE_CONTEXT_API, GLFW_EGL_CONTEXT_API]
            }
        for interface in interfaces {
            options.hint(interface)
            let handle = glfwCreateWindow(
                WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title, nil,
                other.map { $0.lent?.holderHandle ?? $0.handle })
            guard let handle else {
                let isVersion = [GLFW_VERSION_UNAVAILABLE, GLFW_API_UNAVAILABLE].contains(glfwGetError(nil))
                failure = isVersion ? .noOpenGLES3(GLFW.takeError()) : .noWindow(GLFW.takeError())
                continue
            }
            glfwMakeContextCurrent(handle)
            do throws(RenderingError) {
                return (handle, try GLDevice(), interface)
            } catch {
                failure = .noOpenGLES3(error.description)
                glfwDestroyWindow(handle)
            }
        }
        if glfwGetCurrentContext() != previous { glfwMakeContextCurrent(previous) }
        if let lent = other?.lent, GLContext.current === other?.context { _ = lent.makeCurrent() }
        throw failure
    }

    private static func isSoftware() throws(WindowingError) -> Bool {
        do throws(RenderingError) { return try GLDevice().isSoftware } catch {
            throw .noOpenGLES3(error.description)
        }
    }

    // MARK: - OpenGL later

    /// What is known of the device that will draw, while nothing does.
    public var device: GLDevice? { context == nil ? .direct : nil }

    /// Makes the context of a window that was begun without one, once the driver is there, and with the next call takes it
    /// into use. True when that was now: the context is current then, and nothing is drawn yet.
    ///
    /// - Throws: `noContext`, where there is none to be had.
    public func settle() throws(RenderingError) -> Bool {
        guard let direct, !isSettled else { return false }
        if context == nil {
            guard direct.isDriverReady else { return false }
            do throws(WindowingError) { try beginContext() } catch { throw .unavailable(error.description) }
            // That took most of a frame's time, and the first draw takes as much: what is due now is shown as before.
            return false
        }
        isSettled = true
        direct.contextBegan()
        recorder.record(.needsRedraw)
        makeCurrent()
        return true
    }

    /// Makes the context of a window that was begun without one, now: where the driver is not there yet, it is waited for.
    /// Pictures are shown as before until `DirectPictures.contextBegan`.
    private func beginContext() throws(WindowingError) {
        guard context == nil, direct != nil else { return }
        var options = WindowOptions(size: Size(width: 16, height: 16))
        options.takesFocus = false
        let made = try Self.makeHandle(options, sharing: nil)
        guard made.interface == contextInterface, let lent = LentContext(holder: made.handle, window: handle),
            lent.makeCurrent()
        else {
            glfwDestroyWindow(made.handle)
            throw .noOpenGLES3("the window takes no context")
        }
        self.lent = lent
        context = GLContext(device: made.device)
        recorder.record(.needsRedraw)
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
        // Between windows that have one context, nothing but where it draws changes.
        if let context, GLContext.current === context {
            if let lent {
                _ = lent.makeCurrent()
            } else if glfwGetCurrentContext() != handle {
                glfwMakeContextCurrent(handle)
            }
            return
        }
        context?.makeCurrent {
            if let lent { return lent.makeCurrent() }
            if glfwGetCurrentContext() != handle { glfwMakeContextCurrent(handle) }
            return glfwGetCurrentContext() == handle
        }
    }

    public func swap() {
        guard let lent else {
            if context != nil { glfwSwapBuffers(handle) }
            return
        }
        lent.swap()
        direct?.contextShown()
    }

    public var showsParts: Bool { lent?.showsParts ?? false }

    public func show(_ part: PixelRect, of size: PixelSize) {
        lent?.show(part, height: size.height)
        direct?.contextShown()
    }

    public func fill(around part: PixelRect, of size: PixelSize, _ color: Color) {
        direct?.fill(around: part, of: size, color)
        XWindow.connection?.flush()
    }

    /// How many of the display's refreshes a swap waits for: 1, or 0 where a rasterizer on the CPU must not be held up
    /// further. The context must be current.
    ///
    /// A loop that draws several windows can wait in one of them only: each second window gets 0, or two that wait halve
    /// each other's rate.
    public func setSwapInterval(_ refreshes: Int) {
        // Where the CPU draws, a context that was made later does not wait by itself.
        if context != nil, lent == nil { glfwSwapInterval(Int32(clamping: refreshes)) }
        swapBlocks = refreshes == 0 ? false : nil
    }

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
