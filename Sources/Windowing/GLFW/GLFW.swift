import GlissadeCGLFW
import GlissadeGeometry
import Glibc
import GlissadePlatform
import Synchronization
import GlissadeTime

/// The GLFW library. Once started, it is never terminated, so that other threads can post wake-ups at any time.
enum GLFW {
    /// The library's connection to the X server; nil until the library has started.
    @MainActor private(set) static var connection: XlibConnection?
    /// Whether the library has started and other threads may post wake-ups.
    private static let isReady = Atomic<Bool>(false)

    /// GLFW's description of the last error. GLFW may report errors on any thread.
    private static let lastError = Mutex("")

    /// Starts the library on X11, or on XWayland in a Wayland session.
    ///
    /// By default, GLFW 3.4 would use Wayland in such a session. Wayland does not let a program position its windows or
    /// keep them above others.
    ///
    /// - Returns: The library's connection to the X server.
    /// - Throws: `noDisplay` if the library cannot start, or does not use X11.
    @MainActor @discardableResult static func start() throws(WindowingError) -> XlibConnection {
        if let connection { return connection }
        glfwSetErrorCallback(errorCame)
        glissade_require_x11()
        glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE)
        guard glfwInit() == GLFW_TRUE else { throw noDisplay() }
        // Restarts GLFW only once, since the server may refuse to delete the window manager's name.
        if let first = glfwGetX11Display(), XlibConnection(first).forgetDeadManager() {
            // If GLFW up to 3.4 finds a reference to a dead window manager at startup, it leaves an error handler
            // installed. An assertion then fails when the first window is created (GLFW issue 2601).
            glfwTerminate()
            guard glfwInit() == GLFW_TRUE else { throw noDisplay() }
        }
        guard let display = glfwGetX11Display() else {
            glfwTerminate()
            throw .noDisplay("GLFW does not use X11")
        }
        let connection = XlibConnection(display)
        FileDrops.watch(connection)
        PointerTimes.watch(connection)
        Touches.watch(connection)
        glfwSetMonitorCallback { _, _ in
            MainActor.assumeIsolated {
                GLFW.known = nil
                GLFW.monitorGeneration &+= 1
            }
        }
        self.connection = connection
        isReady.store(true, ordering: .releasing)
        return connection
    }

    /// Returns the error to throw after a failed start. The message reports that a Wayland session lacks XWayland, or
    /// else is GLFW's own.
    private static func noDisplay() -> WindowingError {
        let reason = takeError()
        func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
        if isSet("DISPLAY") || !isSet("WAYLAND_DISPLAY") { return .noDisplay(reason) }
        return .noDisplay("a Wayland session needs XWayland to show X11 programs such as this one (DISPLAY is not set)")
    }

    /// Ends the main thread's wait for events. Does nothing before the library has started. Any thread.
    static func wake() { if isReady.load(ordering: .acquiring) { glfwPostEmptyEvent() } }

    /// Records an error that GLFW reports, on any thread. Defined outside `start`, where a closure would be isolated to
    /// the main actor.
    private static let errorCame: GLFWerrorfun = { _, text in if let text { keep(String(cString: text)) } }

    private static func keep(_ error: String) { lastError.withLock { $0 = error } }

    /// Returns and clears GLFW's description of the last error.
    static func takeError() -> String {
        lastError.withLock { error in
            defer { error = "" }
            return error.isEmpty ? "GLFW gives no reason" : error
        }
    }

    // MARK: - Monitors

    /// A monitor, as it was when last queried.
    struct Monitor {
        let handle: OpaquePointer
        /// The whole area of the monitor, in the window system's units.
        let area: PixelRect
        /// The refresh rate in Hz; nil if unknown. GLFW rounds it to an integer: 59.94 Hz becomes 60.
        var refreshRate: Double? { mode.refreshRate > 0 ? Double(mode.refreshRate) : nil }
        var mode: GLFWvidmode
        var modeReadAt: HostTime
    }

    /// How long the result of a monitor query stays valid.
    ///
    /// A query takes round trips to the server, too slow for every event of a move or resize. GLFW reports when a
    /// monitor is connected or disconnected, but not when its mode changes.
    private static let monitorsAge = Duration.seconds(2)
    @MainActor private static var known: (monitors: [Monitor], since: HostTime)?
    /// The number of times that monitors have been connected or disconnected.
    @MainActor private(set) static var monitorGeneration = 0

    /// All monitors, the primary one first. The result is at most `monitorsAge` old.
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

    /// Returns the monitor that shows the largest part of `area`, which is in the window system's units. If no monitor
    /// shows any part of `area`, returns the primary monitor. Returns nil if there are no monitors.
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

    /// Returns the monitor under `area`, as `monitor(under:)` does; nil if there is none. Its mode is at most
    /// `monitorsAge` old.
    ///
    /// If the monitor is known but its mode is out of date, queries only the mode, which takes two round trips
    /// (`_glfwGetVideoModeX11` in GLFW 3.3 to 3.5).
    @MainActor static func monitorWithMode(under area: PixelRect) -> Monitor? {
        guard let monitors = known?.monitors, let index = index(of: area, in: monitors) else {
            return monitor(under: area)
        }
        let (monitor, now) = (monitors[index], HostTime.now())
        if now - monitor.modeReadAt < monitorsAge { return monitor }
        guard let mode = glfwGetVideoMode(monitor.handle)?.pointee, mode.width == monitor.mode.width,
            mode.height == monitor.mode.height
        else {
            // The monitor was resized, so others may have moved.
            known = nil
            return self.monitor(under: area)
        }
        known?.monitors[index].mode = mode
        known?.monitors[index].modeReadAt = now
        return known?.monitors[index]
    }

    /// Returns a monitor's work area, which excludes panels and docks, in the window system's units. Queries the
    /// server.
    @MainActor static func workArea(of monitor: Monitor) -> PixelRect {
        var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        glfwGetMonitorWorkarea(monitor.handle, &x, &y, &width, &height)
        guard width > 0, height > 0 else { return monitor.area }
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x) + Int(width), maxY: Int(y) + Int(height))
    }
}
