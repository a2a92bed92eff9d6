import CGLFW
import Geometry
import Glibc
import Platform
import Synchronization
import Time

/// The library: started once, on the main thread, and never terminated, so that a thread that posts a last wake-up
/// cannot use it after its end.
enum GLFW {
    @MainActor private static var isStarted = false
    /// Whether other threads may post wake-ups.
    private static let isReady = Atomic<Bool>(false)

    /// GLFW's description of the last error. Its callback may run on any thread.
    private static let lastError = Mutex("")

    /// Starts the library on X11, through XWayland in a Wayland session: GLFW 3.4 would choose Wayland there, where
    /// windows cannot be placed, moved by the program or kept above others.
    ///
    /// - Throws: `noDisplay`.
    @MainActor static func start() throws(WindowingError) {
        if isStarted { return }
        glfwSetErrorCallback(errorCame)
        glissade_require_x11()
        glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE)
        guard glfwInit() == GLFW_TRUE else { throw noDisplay() }
        // Only once: a server may refuse to delete the name.
        if endsAfterDeadManager(), glfwInit() != GLFW_TRUE { throw noDisplay() }
        FileDrops.watch()
        glfwSetMonitorCallback { _, _ in
            MainActor.assumeIsolated {
                GLFW.known = nil
                GLFW.monitorGeneration &+= 1
            }
        }
        isStarted = true
        isReady.store(true, ordering: .releasing)
    }

    /// The reason why GLFW did not start: its own error, unless the session has a Wayland compositor but no X server.
    private static func noDisplay() -> WindowingError {
        let reason = takeError()
        func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
        if isSet("DISPLAY") || !isSet("WAYLAND_DISPLAY") { return .noDisplay(reason) }
        return .noDisplay("a Wayland session needs XWayland to show X11 programs such as this one (DISPLAY is not set)")
    }

    /// Whether GLFW was terminated again because a dead window manager had left its name with the server. GLFW up to
    /// 3.4 then keeps an error handler installed, and aborts with an assertion failure at the first window (its issue
    /// 2601). The name is deleted.
    @MainActor private static func endsAfterDeadManager() -> Bool {
        guard XWindow.forgetDeadManager() else { return false }
        glfwTerminate()
        return true
    }

    /// Ends a sleep in the event queue. Any thread. Does nothing before the library has started, since nothing sleeps
    /// yet.
    static func wake() { if isReady.load(ordering: .acquiring) { glfwPostEmptyEvent() } }

    /// Not isolated to the main actor, unlike a closure in `start`, since errors come on any thread.
    private static let errorCame: GLFWerrorfun = { _, text in if let text { keep(String(cString: text)) } }

    private static func keep(_ error: String) { lastError.withLock { $0 = error } }

    /// Returns and clears the last error.
    static func takeError() -> String {
        lastError.withLock { error in
            defer { error = "" }
            return error.isEmpty ? "GLFW gives no reason" : error
        }
    }

    // MARK: - Monitors

    /// A monitor as of the last query.
    struct Monitor {
        let handle: OpaquePointer
        /// The whole monitor, in the window system's units.
        let area: PixelRect
        /// In Hz, rounded; nil if unknown.
        var refreshRate: Double? { mode.refreshRate > 0 ? Double(mode.refreshRate) : nil }
        var mode: GLFWvidmode
        /// When the mode was queried.
        var modeReadAt: HostTime
    }

    /// Queries take round trips, and windows that move or change make queries for each event. GLFW reports when a
    /// monitor is connected or disconnected, but not when its mode changes, so a query is valid for this long.
    private static let monitorsAge = Duration.seconds(2)
    @MainActor private static var known: (monitors: [Monitor], since: HostTime)?
    /// Counts monitor connections and disconnections.
    @MainActor private(set) static var monitorGeneration = 0

    /// All monitors, the primary one first.
    @MainActor static var monitors: [Monitor] {
        let now = HostTime.now()
        if let known, now - known.since < monitorsAge { return known.monitors }
        var count: Int32 = 0
        let handles = glfwGetMonitors(&count)
        let monitors = (0..<Int(max(0, count))).compactMap { index -> Monitor? in
            guard let handle = handles?[index], let mode = glfwGetVideoMode(handle)?.pointee else { return nil }
            var (x, y): (Int32, Int32) = (0, 0)
            glfwGetMonitorPos(handle, &x, &y)
            return Monitor(
                handle: handle,
                area: PixelRect(
                    minX: Int(x), minY: Int(y), maxX: Int(x) + Int(mode.width), maxY: Int(y) + Int(mode.height)),
                mode: mode, modeReadAt: now)
        }
        known = (monitors, now)
        return monitors
    }

    /// The monitor that most of `area` (in the window system's units) is on; the primary one if it is on none.
    @MainActor static func monitor(under area: PixelRect) -> Monitor? {
        let monitors = monitors
        return index(of: area, in: monitors).map { monitors[$0] }
    }

    private static func index(of area: PixelRect, in monitors: [Monitor]) -> Int? {
        var best = monitors.indices.first
        var most = 0
        for (index, monitor) in monitors.enumerated() {
            let shared = area.intersection(monitor.area)
            if !shared.isEmpty, shared.width * shared.height > most {
                most = shared.width * shared.height
                best = index
            }
        }
        return best
    }

    /// The refresh rate of the monitor under `area`, in Hz, at most `monitorsAge` old; nil if unknown.
    ///
    /// GLFW rounds it: 59.94 Hz is 60. For a known monitor, only the mode is queried: two round trips (GLFW 3.3 to 3.5,
    /// `_glfwGetVideoModeX11`).
    @MainActor static func refreshRate(under area: PixelRect) -> Double? {
        guard let monitors = known?.monitors, let index = index(of: area, in: monitors) else {
            return monitor(under: area)?.refreshRate
        }
        let (monitor, now) = (monitors[index], HostTime.now())
        if now - monitor.modeReadAt < monitorsAge { return monitor.refreshRate }
        guard let mode = glfwGetVideoMode(monitor.handle)?.pointee, mode.width == monitor.mode.width,
            mode.height == monitor.mode.height
        else {
            // Its size has changed: other monitors may have moved beside it.
            known = nil
            return self.monitor(under: area)?.refreshRate
        }
        known?.monitors[index].mode = mode
        known?.monitors[index].modeReadAt = now
        return mode.refreshRate > 0 ? Double(mode.refreshRate) : nil
    }

    /// The area of a monitor outside of panels and docks, in the window system's units. Queries the server.
    @MainActor static func workArea(of monitor: Monitor) -> PixelRect {
        var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        glfwGetMonitorWorkarea(monitor.handle, &x, &y, &width, &height)
        guard width > 0, height > 0 else { return monitor.area }
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x) + Int(width), maxY: Int(y) + Int(height))
    }
}
