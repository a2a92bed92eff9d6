import GlissadeCGLES
import GlissadeGeometry
import GlissadePicture

/// One plane of a frame on the GPU.
///
/// Threads: any thread that holds `RenderLock`. One of the contexts that share the texture must be current when the
/// texture is used and released.
final class PlaneTexture {
    let name: GLuint
    let size: PixelSize
    /// The framebuffers for rendering into the texture, one for each context that has needed one.
    private var framebuffers: [TextureFramebuffer] = []
    private let texel: Texel

    /// Allocates storage with undefined content. Failures are reported by `glGetError`.
    init(_ format: PixelFormat, plane: Int) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        size = format.planeSize(plane)
        texel = Texel(format, plane: plane)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        if texel.layout == GLenum(GL_BGRA_EXT) {
            // EXT_texture_format_BGRA8888 has no sized format, which glTexStorage2D would need.
            glTexImage2D(
                GLenum(GL_TEXTURE_2D), 0, GL_BGRA_EXT, GLsizei(size.width), GLsizei(size.height), 0, texel.layout,
                texel.type, nil)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAX_LEVEL), 0)
        } else {
            glTexStorage2D(GLenum(GL_TEXTURE_2D), 1, texel.storage, GLsizei(size.width), GLsizei(size.height))
        }
        // Filtering and clamping are set by the compositor's sampler objects.
    }

    /// The current context's framebuffer for rendering into this texture, made when first needed.
    var framebuffer: TextureFramebuffer {
        let context = GLContext.current
        if let made = framebuffers.first(where: { $0.context === context }) { return made }
        framebuffers.removeAll { $0.context?.isEnded ?? false }
        let made = TextureFramebuffer(name)
        framebuffers.append(made)
        return made
    }

    deinit {
        var name = name
        GLContext.use { glDeleteTextures(1, &name) }
    }

    /// Copies a plane of `size` from memory to the top left corner of the texture. Binds the texture to the active
    /// texture unit.
    ///
    /// If the texture is larger, the last column and row of the plane are each written once more, next to the plane.
    /// Filtering at the edge of the frame then does not read older content.
    func upload(_ plane: PixelView.Plane, size: PixelSize) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        let (rowTexels, rest) = plane.stride.quotientAndRemainder(dividingBy: texel.bytes)
        if rest == 0 {
            glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowTexels))
            send(plane.base, firstRow: 0, width: size.width, rows: size.height)
            glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        } else {
            // GL counts the row length in texels. If the stride is not a multiple of a texel, rows are sent one by one.
            // This is rare: no FFmpeg decoder uses such a layout.
            for row in 0..<size.height {
                send(plane.base + row * plane.stride, firstRow: row, width: size.width, rows: 1)
            }
        }
        extend(plane, size: size)
    }

    /// If the texture is larger than the plane, writes the last column and row of the plane once more, next to the
    /// plane. `size` is the size of the plane.
    private func extend(_ plane: PixelView.Plane, size: PixelSize) {
        guard !size.isEmpty else { return }
        let lastColumn = plane.base + (size.width - 1) * texel.bytes
        let lastRow = (size.height - 1) * plane.stride
        let (isNarrower, isLower) = (size.width < self.size.width, size.height < self.size.height)
        if isNarrower {
            let (rowTexels, rest) = plane.stride.quotientAndRemainder(dividingBy: texel.bytes)
            if rest == 0 {
                glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowTexels))
                send(lastColumn, column: size.width, firstRow: 0, width: 1, rows: size.height)
                glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
            } else {
                for row in 0..<size.height {
                    send(lastColumn + row * plane.stride, column: size.width, firstRow: row, width: 1, rows: 1)
                }
            }
        }
        if isLower { send(plane.base + lastRow, firstRow: size.height, width: size.width, rows: 1) }
        if isNarrower, isLower {
            send(lastColumn + lastRow, column: size.width, firstRow: size.height, width: 1, rows: 1)
        }
    }

    /// Copies `pixels` into `rect`, which must be inside the texture. `rowTexels` is the distance between the rows of
    /// `pixels`, in texels.
    func upload(_ rect: PixelRect, from pixels: UnsafeRawPointer, rowTexels: Int) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowTexels))
        glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(rect.minX), GLint(rect.minY), GLsizei(rect.width), GLsizei(rect.height),
            texel.layout, texel.type, pixels)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }

    private func send(_ bytes: UnsafeRawPointer, column: Int = 0, firstRow: Int, width: Int, rows: Int) {
        glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(column), GLint(firstRow), GLsizei(width), GLsizei(rows), texel.layout,
            texel.type,
            bytes)
    }
}

/// The format of a plane's texels, as GL constants.
private struct Texel {
    let storage: GLenum
    let layout: GLenum
    let type: GLenum
    let bytes: Int

    init(_ format: PixelFormat, plane: Int) {
        let isDeep = format.bytesPerSample == 2
        bytes = format.texelBytes(plane)
        type = GLenum(isDeep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE)
        switch (format.layout, plane) {
        case (.rgb(.bgra), _):
            (storage, layout) = (GLenum(GL_BGRA_EXT), GLenum(GL_BGRA_EXT))
        case (.rgb(.rgba), _):
            (storage, layout) = (GLenum(GL_RGBA8), GLenum(GL_RGBA))
        case (.semiPlanar, 1):
            (storage, layout) = (GLenum(isDeep ? GL_RG16_EXT : GL_RG8), GLenum(GL_RG))
        default:
            (storage, layout) = (GLenum(isDeep ? GL_R16_EXT : GL_R8), GLenum(GL_RED))
        }
    }
}
