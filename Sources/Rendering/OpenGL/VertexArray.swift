import GlissadeCGLES

/// A vertex array without attributes, for draws that read no vertex buffers.
///
/// Threads: any thread that holds `RenderLock`. The context in which the vertex array was made must be current whenever
/// the vertex array is used. It need not be current when the vertex array is released.
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
