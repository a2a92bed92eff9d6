import GlissadeCGLES
import GlissadeTime

/// A framebuffer for rendering into a texture.
///
/// Threads: any thread that holds `RenderLock`. The context in which the framebuffer was made must be current when the
/// framebuffer is used. That context also deletes it.
final class TextureFramebuffer {
    let name: GLuint
    let context: GLContext?
    /// Whether the driver can render into this kind of texture.
    let isComplete: Bool

    init(_ texture: GLuint) {
        var name: GLuint = 0
        glGenFramebuffers(1, &name)
        self.name = name
        context = GLContext.current
        let previous = Self.current(GL_DRAW_FRAMEBUFFER_BINDING)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
        glFramebufferTexture2D(
            GLenum(GL_DRAW_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        isComplete = glCheckFramebufferStatus(GLenum(GL_DRAW_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), previous)
    }

    deinit { context?.delete(framebuffer: name) }

    /// Runs `body` with this framebuffer bound for drawing, and then binds the previous framebuffer again.
    func whileDrawing<E: Error>(_ body: () throws(E) -> Void) throws(E) {
        let previous = Self.current(GL_DRAW_FRAMEBUFFER_BINDING)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
        defer { glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), previous) }
        try body()
    }

    /// Runs `body` with this framebuffer bound for reading, and then binds the previous framebuffer again.
    func whileReading<Value>(_ body: () -> Value) -> Value {
        let previous = Self.current(GL_READ_FRAMEBUFFER_BINDING)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        defer { glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), previous) }
        return body()
    }

    private static func current(_ binding: Int32) -> GLuint {
        var name: GLint = 0
        glGetIntegerv(GLenum(binding), &name)
        return GLuint(name)
    }
}
