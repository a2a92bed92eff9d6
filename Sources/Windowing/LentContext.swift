import CGLFW

/// The context of a hidden window of GLFW's, made current on another that has none: GLX alone. Main thread.
@MainActor final class LentContext {
    let holder: OpaquePointer
    private let glx: GlissadeGLX
    private let display: UnsafeMutableRawPointer
    private let window: GlissadeXID
    private let context: UnsafeMutableRawPointer

    /// The functions of GLX, which are loaded by the first who asks; nil where one is missing.
    nonisolated static func load() -> GlissadeGLX? {
        var functions = GlissadeGLX()
        return glissade_load_glx(&functions) != 0 ? functions : nil
    }

    /// Whether the server of `display` speaks GLX, and so does this machine. Loads no driver.
    static func isPossible(_ display: UnsafeMutableRawPointer) -> Bool {
        guard var glx = load() else { return false }
        return glissade_has_glx(&glx, display) != 0
    }

    /// - Parameter holder: whose context it is; it is this object's from now on, where there is one.
    init?(holder: OpaquePointer, window handle: OpaquePointer) {
        guard let glx = Self.load(), let (display, window) = XWindow.names(of: handle),
            let context = glx.glfw_context(holder)
        else { return nil }
        (self.holder, self.glx, self.display, self.window, self.context) = (holder, glx, display, window, context)
    }

    /// Whether it is current now.
    func makeCurrent() -> Bool {
        if glx.current() == context, glfwGetCurrentContext() == nil { return true }
        // GLFW must not think that a window of its own is current still.
        if glfwGetCurrentContext() != nil { glfwMakeContextCurrent(nil) }
        return glx.make_current(display, window, context) != 0
    }

    func swap() { glx.swap(display, window) }

    /// Before the window goes.
    func end() {
        if glx.current() == context { _ = glx.make_current(display, 0, nil) }
        glfwDestroyWindow(holder)
    }
}
