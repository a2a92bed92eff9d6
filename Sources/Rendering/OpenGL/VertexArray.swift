import CGLES

/// A vertex array without attributes, since OpenGL ES requires a vertex array for each draw. Main thread. Belongs to
/// the context that was current when it was made, which also frees it.
@MainActor final class VertexArray {
    let name: GLuint
    private let context: GLContext?

    init() {
        var name: GLuint = 0
        glGenVertexArrays(1, &name)
        self.name = name
        context = GLContext.current
    }

    isolated deinit { context?.delete(vertexArray: name) }
}
