import CGLES

/// A vertex array without attributes, which OpenGL ES requires for a draw. Belongs to the context that was current when
/// it was made, and is freed there.
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
