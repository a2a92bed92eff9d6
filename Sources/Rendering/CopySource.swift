import CGLES
import Motion
import Stage

/// A framebuffer whose content is a picture's texture, to copy from. Main thread, its context current, to the end.
///
/// Measured on llvmpipe 22.3, an RGB picture into a window of 1280×720 (1920×1080): 1.6 (3.8) ms as a quad, 0.08 (0.22)
/// ms as a copy where the texture's pixels are in the window's own order (`PixelOrder.bgra`), since it is a `memcpy` of
/// rows then; where they are not, a copy is no better than a quad.
struct CopySource: ~Copyable {
    private let framebuffer: GLuint

    init() {
        var name: GLuint = 0
        glGenFramebuffers(1, &name)
        framebuffer = name
    }

    deinit {
        var name = framebuffer
        glDeleteFramebuffers(1, &name)
    }

    /// Copies the part of `texture` that `clip` shows when its top left corner is at `destination`'s, pixel by pixel.
    ///
    /// Whoever calls has made sure that it is 1:1, upright and opaque. False where the driver cannot copy from such a
    /// texture, and nothing was done.
    func copy(_ texture: GLuint, _ destination: PixelRect, clip: PixelRect, viewport: PixelSize) -> Bool {
        var previous: GLint = 0
        glGetIntegerv(GLenum(GL_READ_FRAMEBUFFER_BINDING), &previous)
        defer { glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), GLuint(previous)) }
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), framebuffer)
        glFramebufferTexture2D(
            GLenum(GL_READ_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        guard glCheckFramebufferStatus(GLenum(GL_READ_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            return false
        }
        // The texture's first row is the picture's top one, the target's is its lowest: hence upside down. Mesa keeps
        // windows' rows from the top, so that this is the straight way in memory.
        glBlitFramebuffer(
            GLint(clip.minX - destination.minX), GLint(clip.minY - destination.minY),
            GLint(clip.maxX - destination.minX), GLint(clip.maxY - destination.minY),
            GLint(clip.minX), GLint(viewport.height - clip.minY), GLint(clip.maxX),
            GLint(viewport.height - clip.maxY), GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        return true
    }
}
