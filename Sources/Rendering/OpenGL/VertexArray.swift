import CGLES

/// A vertex array without attributes, for draws that read no vertex buffers. Any thread that holds `RenderLock`. The
/// vertex array belongs to the context that was current when it was made. That context also deletes it.
final class VertexArray {
    let name: GLuint
    private let context: GLContext?

    init() {
        var name: GLuint = 0
        glGenVertexArrays(1, &name)
        self.name = name
        context = GLContext.current
    }

    deinit { context?.delete(vertexArray: name) }
}
