import CGLFW
import Motion

/// The context of a window of GLFW's, made current on others that have none: GLX alone. Main thread.
///
/// One context for all windows: what a rasterizer has compiled for one is there for the next, where a context of its own takes
/// 10 ms to make, and as much for its first draw.
@MainActor final class LentContext {
    /// Whose context it is; stays until the last window that it is lent to goes.
    private let holder: Holder
    private let glx: GlissadeGLX
    private let display: UnsafeMutableRawPointer
    /// What is drawn into: of the window, or the window itself where GLX makes nothing of it.
    private let drawable: GlissadeXID
    private let isOfWindow: Bool
    /// Nil where what was drawn is lost when a part of it is shown.
    private let copyPart: GlissadeCopyPart?

    @MainActor private final class Holder {
        let window: OpaquePointer
        let context: UnsafeMutableRawPointer
        /// Whose window it is; nil where it is there for its context alone.
        let owner: Window?

        init(_ window: OpaquePointer, _ context: UnsafeMutableRawPointer, of owner: Window? = nil) {
            (self.window, self.context, self.owner) = (window, context, owner)
        }

        isolated deinit { if owner == nil { glfwDestroyWindow(window) } }
    }

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
        (self.glx, self.display) = (glx, display)
        self.holder = Holder(holder, context)
        (drawable, isOfWindow) = Self.drawable(of: window, context, glx, display)
        copyPart = isOfWindow ? Self.copyPart(glx, display) : nil
    }

    /// The context that `owner`'s window was made with, for another one too; nil where GLX does not put them together: they
    /// may be of different visuals.
    init?(of owner: Window, window handle: OpaquePointer) {
        guard let glx = Self.load(), let (display, window) = XWindow.names(of: handle) else { return nil }
        guard let context = glx.glfw_context(owner.handle) else {
            _ = GLFW.takeError()
            return nil
        }
        (self.glx, self.display) = (glx, display)
        holder = Holder(owner.handle, context, of: owner)
        (drawable, isOfWindow) = Self.drawable(of: window, context, glx, display)
        copyPart = isOfWindow ? Self.copyPart(glx, display) : nil
        if !isOfWindow { return nil }
    }

    /// The same context for another window, of the same server and the same visual.
    init?(_ other: LentContext, window handle: OpaquePointer) {
        guard let (display, window) = XWindow.names(of: handle), display == other.display else { return nil }
        (holder, glx, self.display) = (other.holder, other.glx, display)
        (drawable, isOfWindow) = Self.drawable(of: window, holder.context, glx, display)
        copyPart = isOfWindow ? other.copyPart ?? Self.copyPart(glx, display) : nil
    }

    private static func copyPart(_ glx: GlissadeGLX, _ display: UnsafeMutableRawPointer) -> GlissadeCopyPart? {
        var glx = glx
        return glissade_glx_copy_part(&glx, display)
    }

    private static func drawable(
        of window: GlissadeXID, _ context: UnsafeMutableRawPointer, _ glx: GlissadeGLX,
        _ display: UnsafeMutableRawPointer
    ) -> (GlissadeXID, isOfWindow: Bool) {
        var glx = glx
        let drawable = glissade_glx_window(&glx, display, window, context)
        return drawable == 0 ? (window, false) : (drawable, true)
    }

    /// The window of GLFW's that has it, for contexts that are to share its objects.
    var holderHandle: OpaquePointer { holder.window }

    private var isCurrent: Bool { glx.current() == holder.context && glx.drawable() == drawable }

    /// Whether it is current on this window now.
    func makeCurrent() -> Bool {
        if isCurrent, glfwGetCurrentContext() == nil { return true }
        // GLFW must not think that a window of its own is current still.
        if glfwGetCurrentContext() != nil { glfwMakeContextCurrent(nil) }
        return glx.make_current(display, drawable, holder.context) != 0
    }

    func swap() { glx.swap(display, drawable) }

    var showsParts: Bool { copyPart != nil }

    /// - Parameter height: of what was drawn.
    func show(_ part: PixelRect, height: Int) {
        copyPart?(
            display, drawable, Int32(part.minX), Int32(height - part.maxY), Int32(part.width), Int32(part.height))
    }

    /// Before the window goes. The context stays current: others may have something to free in it.
    func end() {
        if isCurrent { glfwMakeContextCurrent(holder.window) }
        if isOfWindow { glx.destroy_window(display, drawable) }
    }
}
