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
}
