import CGLES

/// The error flags of the context that is current on this thread.
enum GLErrors {
    /// More than any context has: one flag for each kind of error, of which OpenGL ES 3.2 with robustness has seven, or
    /// several where the implementation is distributed (OpenGL ES 3.2, section 2.3.1).
    static let limit = 64

    /// Clears what earlier calls left behind, so that it is not blamed on the next one.
    ///
    /// Bounded, because a lost context may report errors for ever; the call that follows finds out.
    ///
    /// - Parameter next: returns and clears one flag, GL_NO_ERROR where none is set.
    static func discard(_ next: () -> GLenum = glGetError) {
        for _ in 0..<limit {
            if next() == GLenum(GL_NO_ERROR) { return }
        }
    }

    /// Clears all flags as `discard` does, and tells of those after which nothing that is drawn can be relied on: the
    /// driver ran out of memory (OpenGL ES 3.2, section 2.3.1), or the context is lost (KHR_robustness).
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
