import GlissadeCEGL
import GlissadeCGLFW
import GlissadeRendering
import GlissadeTime

/// Shows the frames that OpenGL draws in a GLFW window. Any thread (`RenderLock`).
final class GLWindowOutput: GLOutput {
    private let handle: OpaquePointer
    /// The window's context API in GLFW: GLFW_EGL_CONTEXT_API, or GLFW_NATIVE_CONTEXT_API for GLX. Contexts can share
    /// objects only if they use the same API.
    let contextInterface: Int32
    /// Reports when the window's frames are shown. Nil before `Window.requestRefreshes` is called, or if the X server
    /// does not report shown frames.
    var presentReporter: XPresentReporter?
    /// What stays in place while the window is resized; nil if nothing does.
    var heldContent: XHeldContent?
    /// The maximum number of frames that have been sent but are not visible yet. With more, OpenGL might block until
    /// one is shown: up to a second, or forever if the window is covered.
    private static let unseenFrameLimit = 2

    /// - Parameter handle: A window with a context, which must outlive the output.
    init(_ handle: OpaquePointer, contextInterface: Int32) {
        (self.handle, self.contextInterface) = (handle, contextInterface)
    }

    func bind() -> Bool {
        if glfwGetCurrentContext() != handle { glfwMakeContextCurrent(handle) }
        return glfwGetCurrentContext() == handle
    }

    func unbind() { glfwMakeContextCurrent(nil) }

    var isReady: Bool {
        guard let presentReporter, presentReporter.reportsFrames else { return true }
        presentReporter.poll()
        presentReporter.forgetLostFrames(at: .now())
        return presentReporter.unreportedCount < Self.unseenFrameLimit
    }

    /// Whether swapped frames wait for a refresh of the display.
    var hasQueuedFrames: Bool {
        guard let presentReporter, presentReporter.reportsFrames, !presentReporter.isVirtual else { return false }
        presentReporter.poll()
        presentReporter.forgetLostFrames(at: .now())
        return presentReporter.unreportedCount > 0
    }

    /// Shows the last frame drawn.
    ///
    /// A failed swap is detected only with EGL, through its error code. GLFW does not report it.
    ///
    /// - Throws: `presentation` if the swap fails, or if the window's context is not current.
    func swap() throws(RenderingError) {
        guard glfwGetCurrentContext() == handle else {
            throw .presentation("the OpenGL context cannot be made current")
        }
        let sent = HostTime.now()
        glfwSwapBuffers(handle)
        presentReporter?.didSendFrame(at: sent)
        if let heldContent {
            // On another connection, which may overtake the frame: then the copy is one frame old.
            heldContent.frameWasShown()
            heldContent.flush()
        }
        guard contextInterface == GLFW_EGL_CONTEXT_API else { return }
        let code = eglGetError()
        if code == EGL_SUCCESS { return }
        throw .presentation(
            code == EGL_CONTEXT_LOST
                ? "the OpenGL context is lost" : "eglSwapBuffers failed (EGL error 0x\(String(code, radix: 16)))")
    }
}
