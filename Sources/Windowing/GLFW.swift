import CGLFW
import Motion
import Synchronization

/// The library itself: started once, on the main thread, and left to the operating system at the end, so that a thread
/// that posts a last wake-up never meets a library that is gone.
enum GLFW {
    @MainActor private static var isStarted = false
    /// Whether other threads may post wake-ups.
    private static let isReady = Atomic<Bool>(false)

    /// GLFW's own words for the last thing that went wrong. Its callback may come on any thread.
    private static let lastError = Mutex("")

    /// - Throws: `noDisplay` in GLFW's own words.
    @MainActor static func start() throws(WindowingError) {
        if isStarted { return }
        glfwSetErrorCallback(errorCame)
        glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE)
        guard glfwInit() == GLFW_TRUE else { throw .noDisplay(takeError()) }
        isStarted = true
        isReady.store(true, ordering: .releasing)
    }

    /// Ends a sleep in the event queue. Any thread; nothing before the library is there, when nobody sleeps yet.
    static func wake() { if isReady.load(ordering: .acquiring) { glfwPostEmptyEvent() } }

    /// Not the main actor's, other than a closure in `start` would be: errors come on any thread.
    private static let errorCame: GLFWerrorfun = { _, text in if let text { keep(String(cString: text)) } }

    private static func keep(_ error: String) { lastError.withLock { $0 = error } }

    /// The last error, forgotten by asking.
    static func takeError() -> String {
        lastError.withLock { error in
            defer { error = "" }
            return error.isEmpty ? "GLFW gives no reason" : error
        }
    }

    /// The monitor that most of `area` (in the window system's units) lies on; the primary one where none does.
    @MainActor static func monitor(under area: PixelRect) -> OpaquePointer? {
        var count: Int32 = 0
        guard let monitors = glfwGetMonitors(&count) else { return nil }
        var best = glfwGetPrimaryMonitor()
        var most = 0
        for index in 0..<Int(count) {
            guard let monitor = monitors[index], let whole = Self.area(of: monitor) else { continue }
            let shared = area.intersection(whole)
            if !shared.isEmpty, shared.width * shared.height > most {
                most = shared.width * shared.height
                best = monitor
            }
        }
        return best
    }

    /// All of a monitor, in the window system's units.
    @MainActor static func area(of monitor: OpaquePointer) -> PixelRect? {
        guard let mode = glfwGetVideoMode(monitor)?.pointee else { return nil }
        var (x, y): (Int32, Int32) = (0, 0)
        glfwGetMonitorPos(monitor, &x, &y)
        return PixelRect(minX: Int(x), minY: Int(y), maxX: Int(x + mode.width), maxY: Int(y + mode.height))
    }
}
