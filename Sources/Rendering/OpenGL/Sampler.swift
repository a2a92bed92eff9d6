import GlissadeCGLES

/// A sampler object, which determines how a texture is filtered. Texture coordinates are clamped to the edge.
struct Sampler: ~Copyable {
    let name: GLuint

    /// - Parameters:
    ///   - filter: The filter for enlarging, and for shrinking unless `shrinking` is given.
    ///   - shrinking: The filter for shrinking, if it differs from `filter`.
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
        GLContext.use { glDeleteSamplers(1, &name) }
    }
}
