import CGLES
import Motion

/// A framebuffer whose content is a texture: to copy from, to read back, or to draw into. Main thread, only while the
/// context is current that it was made in; it is freed there.
///
/// Measured on llvmpipe 22.3, an RGB picture into a window of 1280×720 (1920×1080): 1.6 (3.8) ms as a quad, 0.08 (0.22)
/// ms as a copy where the texture's pixels are in the window's own order (`PixelOrder.bgra`), since it is a `memcpy` of
/// rows then; where they are not, a copy is no better than a quad.
@MainActor final class TextureFramebuffer {
    let name: GLuint
    let context: GLContext?
    /// Whether the driver copies from and draws into such a texture.
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

    isolated deinit { context?.delete(framebuffer: name) }

    /// Copies the part that `clip` shows when the picture's top left corner is at `destination`'s, pixel by pixel.
    ///
    /// Whoever calls has made sure that it is 1:1, upright and opaque.
    func copy(to destination: PixelRect, clip: PixelRect, on target: DrawTarget) {
        whileReading {
            // The texture's first row is the picture's top one; a window's is its lowest: hence upside down there. Mesa
            // keeps windows' rows from the top, so that this is the straight way in memory.
            glBlitFramebuffer(
                GLint(clip.minX - destination.minX), GLint(clip.minY - destination.minY),
                GLint(clip.maxX - destination.minX), GLint(clip.maxY - destination.minY),
                GLint(clip.minX), target.edge(clip.minY), GLint(clip.maxX), target.edge(clip.maxY),
                GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        }
    }

    /// Reads `rect`, blue first, to `pixels`, where its rows are `rowPixels` apart.
    func read(_ rect: PixelRect, to pixels: UnsafeMutableRawPointer, rowPixels: Int) {
        whileReading {
            glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 4)
            glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(rowPixels))
            glReadPixels(
                GLint(rect.minX), GLint(rect.minY), GLsizei(rect.width), GLsizei(rect.height), GLenum(GL_BGRA_EXT),
                GLenum(GL_UNSIGNED_BYTE), pixels)
            glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        }
    }

    /// Draws into it for the length of `body`.
    func whileDrawing<E: Error>(_ body: () throws(E) -> Void) throws(E) {
        let previous = Self.current(GL_DRAW_FRAMEBUFFER_BINDING)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
        defer { glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), previous) }
        try body()
    }

    private func whileReading(_ body: () -> Void) {
        let previous = Self.current(GL_READ_FRAMEBUFFER_BINDING)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        body()
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), previous)
    }

    private static func current(_ binding: Int32) -> GLuint {
        var name: GLint = 0
        glGetIntegerv(GLenum(binding), &name)
        return GLuint(name)
    }
}
