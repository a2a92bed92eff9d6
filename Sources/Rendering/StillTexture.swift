import CGLES
import Motion
import Picture

/// A still image on the GPU. Main thread, its context current, to the end.
final class StillTexture {
    let name: GLuint
    let size: PixelSize
    /// With its smaller copies, where it may have some.
    let bytes: Int
    private var needsMipmaps: Bool

    /// - Parameter mayShrink: whether it has room for smaller copies, to be drawn from at less than half its size.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    init(_ bitmap: Bitmap, mayShrink: Bool, limit: Int) throws(RenderingError) {
        guard !bitmap.isEmpty else { throw .emptyPicture }
        let size = bitmap.size
        guard max(size.width, size.height) <= limit else { throw .tooLarge(size, limit: limit) }
        self.size = size
        needsMipmaps = mayShrink
        let levels = mayShrink ? Int.bitWidth - max(size.width, size.height).leadingZeroBitCount : 1
        bytes = size.width * size.height * 4 * (mayShrink ? 4 : 3) / 3
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        while glGetError() != GLenum(GL_NO_ERROR) {}  // What others left must not be blamed on the allocation.
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glTexStorage2D(
            GLenum(GL_TEXTURE_2D), GLsizei(levels), GLenum(GL_RGBA8), GLsizei(size.width), GLsizei(size.height))
        // Blue comes first in memory. Every device can exchange the two as it samples; not every one has such textures.
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_SWIZZLE_R), GL_BLUE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_SWIZZLE_B), GL_RED)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 4)
        bitmap.pixels.withUnsafeBytes {
            glTexSubImage2D(
                GLenum(GL_TEXTURE_2D), 0, 0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA),
                GLenum(GL_UNSIGNED_BYTE), $0.baseAddress)
        }
        let code = glGetError()
        if code != GLenum(GL_NO_ERROR) { throw .allocation(size, code: code) }
    }

    deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// Binds it to the first unit. True where it is to be sampled with its smaller copies, which exist then.
    func bind(shrinksBy factor: Double) -> Bool {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        guard factor > 2, bytes > size.width * size.height * 4 else { return false }
        if needsMipmaps { glGenerateMipmap(GLenum(GL_TEXTURE_2D)) }
        needsMipmaps = false
        return true
    }
}
