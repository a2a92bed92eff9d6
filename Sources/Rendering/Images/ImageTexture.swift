import GlissadeCGLES
import GlissadePicture
import GlissadeTime

/// A raster image on the GPU.
///
/// Threads: any thread that holds `RenderLock`. A context that shares the texture must be current when the texture is
/// used and released.
final class ImageTexture: RasterImage {
    let name: GLuint
    private let hasSmallerCopies: Bool

    /// Creates a texture in the current context, with a copy of `bitmap`.
    ///
    /// - Parameters:
    ///   - mayShrink: Whether to allocate mipmaps, for drawing at less than half the size.
    ///   - limit: The largest width or height of a texture.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    init(_ bitmap: Bitmap, mayShrink: Bool, limit: Int) throws(RenderingError) {
        guard !bitmap.isEmpty else { throw .emptyPicture }
        guard max(bitmap.size.width, bitmap.size.height) <= limit else { throw .tooLarge(bitmap.size, limit: limit) }
        let size = bitmap.size
        hasSmallerCopies = mayShrink
        let levels = mayShrink ? Int.bitWidth - max(size.width, size.height).leadingZeroBitCount : 1
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        super.init(size: size, bytes: size.width * size.height * 4 * (mayShrink ? 4 : 3) / 3)
        GLErrors.discard()
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glTexStorage2D(
            GLenum(GL_TEXTURE_2D), GLsizei(levels), GLenum(GL_RGBA8), GLsizei(size.width), GLsizei(size.height))
        // Bitmaps are BGRA. Every device can swap channels while sampling, but not every one has BGRA textures.
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_SWIZZLE_R), GL_BLUE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_SWIZZLE_B), GL_RED)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 4)
        var copy = bitmap
        for level in 0..<levels {
            if level > 0 { copy = copy.halved() }
            copy.pixels.withUnsafeBytes {
                glTexSubImage2D(
                    GLenum(GL_TEXTURE_2D), GLint(level), 0, 0, GLsizei(copy.size.width), GLsizei(copy.size.height),
                    GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), $0.baseAddress)
            }
        }
        let code = glGetError()
        if code != GLenum(GL_NO_ERROR) { throw .allocation(size, code: code) }
    }

    deinit {
        var name = name
        GLContext.use { glDeleteTextures(1, &name) }
    }

    /// Binds the texture to texture unit 0. Returns whether to sample it with mipmaps when it is drawn at 1/`factor` of
    /// its size.
    func bind(shrinksBy factor: Double) -> Bool {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        return factor > 2 && hasSmallerCopies
    }
}
