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

/// How a texture is sampled: clamped to its edge, filtered or not.
struct Sampler: ~Copyable {
    let name: GLuint

    /// - Parameter shrinking: The minification filter, if it differs.
    init(filter: Int32, shrinking: Int32? = nil) {
        var name: GLuint = 0
        glGenSamplers(1, &name)
        self.name = name
        glSamplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), shrinking ?? filter)
        glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), filter)
        glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
    }

    deinit {
        var name = name
        glDeleteSamplers(1, &name)
    }
}
