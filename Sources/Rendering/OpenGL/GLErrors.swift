import GlissadeCGLES

/// The error flags of the context that is current on this thread.
enum GLErrors {
    /// The maximum number of error flags that `discard` or `check` reads. It prevents an endless loop, since a lost
    /// context may report errors forever.
    static let limit = 64

    /// Clears the flags of earlier calls, so that their errors are not attributed to the next call.
    ///
    /// Reads at most `limit` flags, because a lost context may report errors forever. Such a loss is reported by the
    /// next call of `check`.
    ///
    /// - Parameter next: Returns and clears one flag; returns GL_NO_ERROR if none is set.
    static func discard(_ next: () -> GLenum = glGetError) {
        for _ in 0..<limit {
            if next() == GLenum(GL_NO_ERROR) { return }
        }
    }

    /// Clears the flags like `discard`, and throws if drawing is no longer reliable: the driver is out of memory
    /// (OpenGL ES 3.2, section 2.3.1), or the context is lost (KHR_robustness).
    ///
    /// - Throws: `driver`.
    static func check(_ next: () -> GLenum = glGetError) throws(RenderingError) {
        for _ in 0..<limit {
            let code = next()
            switch Int32(bitPattern: code) {
            case GL_NO_ERROR: return
            case GL_OUT_OF_MEMORY, GL_CONTEXT_LOST_KHR: throw .driver(code: code)
            default: continue
            }
        }
    }
}
