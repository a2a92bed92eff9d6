import CGLES
public import Motion

/// Memory to draw into, without a window or a display. Main thread.
///
/// Colour alone, 8 bits each, as a window has it. Several may exist; each `makeCurrent` changes which one is drawn into.
@MainActor public final class OffscreenSurface: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public let scale: Double
    public var isVisible: Bool { !pixelSize.isEmpty }
    public var swapBlocks: Bool? { false }
    public var refreshRate: Double? { nil }

    private let context: EGLContextHolder
    private var framebuffer: GLuint = 0
    private var color: GLuint = 0

    /// A surface of `size` device pixels, current on return.
    ///
    /// - Throws: `egl`, `noOpenGLES3` or `framebuffer`.
    public init(size: PixelSize, scale: Double = 1) throws(WindowingError) {
        context = try EGLContextHolder()
        pixelSize = size
        self.scale = scale
        glGenFramebuffers(1, &framebuffer)
        try resize(to: size)
    }

    isolated deinit {
        if context.makeCurrent() {
            glDeleteFramebuffers(1, &framebuffer)
            glDeleteRenderbuffers(1, &color)
        }
    }

    /// Another size, with undefined content; current on return.
    ///
    /// - Throws: `framebuffer`.
    public func resize(to size: PixelSize) throws(WindowingError) {
        makeCurrent()
        var renderbuffer: GLuint = 0
        glGenRenderbuffers(1, &renderbuffer)
        glBindRenderbuffer(GLenum(GL_RENDERBUFFER), renderbuffer)
        glRenderbufferStorage(
            GLenum(GL_RENDERBUFFER), GLenum(GL_RGBA8), GLsizei(max(size.width, 1)), GLsizei(max(size.height, 1)))
        glFramebufferRenderbuffer(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_RENDERBUFFER), renderbuffer)
        let status = glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        glDeleteRenderbuffers(1, &color)
        color = renderbuffer
        pixelSize = size
        while glGetError() != GLenum(GL_NO_ERROR) {}  // The status says it all; a size too large is an error besides.
        if status != GLenum(GL_FRAMEBUFFER_COMPLETE) { throw .framebuffer(size, code: status) }
    }

    public func makeCurrent() {
        context.makeCurrent()
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
    }

    /// Waits until everything is drawn: what a window's swap costs beyond this is the copying to the display.
    public func swap() { glFinish() }
}
