import CGLES

/// The vertex array without arrays that a draw must have bound.
struct VertexArray: ~Copyable {
    let name: GLuint

    init() {
        var name: GLuint = 0
        glGenVertexArrays(1, &name)
        self.name = name
    }

    deinit {
        var name = name
        glDeleteVertexArrays(1, &name)
    }
}

/// How a texture is looked up: clamped to its edge, filtered or not.
struct Sampler: ~Copyable {
    let name: GLuint

    /// - Parameter shrinking: the filter where the texture is drawn smaller than it is, where it is another.
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
