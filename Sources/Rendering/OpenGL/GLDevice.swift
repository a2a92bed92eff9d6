import GlissadeCGLES
public import GlissadePicture
import GlissadeTime

/// The capabilities of the OpenGL ES context that was current when the value was created.
public struct GLDevice: Hashable, Sendable {
    /// GL_RENDERER: the name that the driver gives the GPU or rasterizer.
    public let renderer: String
    /// GL_VERSION: the OpenGL ES version as the driver describes it.
    public let version: String
    /// Whether drawing is done by a software rasterizer instead of a GPU, judging by `renderer`.
    public let isSoftware: Bool
    /// The largest width or height of a texture, in texels.
    public let maxTextureSize: Int
    /// Whether 16-bit textures are supported (EXT_texture_norm16), which frames deeper than 8 bits need.
    public let hasNorm16: Bool
    /// Whether BGRA textures are supported (EXT_texture_format_BGRA8888).
    public let hasBGRA: Bool

    /// Queries the context that is current on this thread.
    ///
    /// - Throws: `noContext`, or `tooOld` if the context is desktop OpenGL, or older than OpenGL ES 3.0.
    public init() throws(RenderingError) {
        guard let version = Self.string(GL_VERSION) else { throw .noContext }
        // "OpenGL ES 3.2 …" (GLES 3.0, section 6.1.5); in desktop contexts, the string begins with the number itself.
        let prefix = "OpenGL ES "
        guard version.hasPrefix(prefix),
            let major = Int(version.dropFirst(prefix.count).prefix { $0.isWholeNumber }), major >= 3
        else { throw .tooOld(found: version) }
        self.version = version

        let renderer = Self.string(GL_RENDERER) ?? "unknown"
        self.renderer = renderer
        self.isSoftware = Self.namesSoftware(renderer)
        maxTextureSize = Self.integer(GL_MAX_TEXTURE_SIZE)
        let extensions = (0..<Self.integer(GL_NUM_EXTENSIONS)).compactMap {
            glGetStringi(GLenum(GL_EXTENSIONS), GLuint($0)).map { String(cString: $0) }
        }
        hasNorm16 = extensions.contains("GL_EXT_texture_norm16")
        hasBGRA = extensions.contains("GL_EXT_texture_format_BGRA8888")
    }

    /// Whether frames of `format` can be uploaded directly. Other frames must be converted first.
    public func canUpload(_ format: PixelFormat) -> Bool { refusal(of: format) == nil }

    /// Returns the reason why frames of `format` cannot be uploaded; nil if they can.
    func refusal(of format: PixelFormat) -> RenderingError? {
        if format.size.isEmpty { return .emptyPicture }
        if max(format.size.width, format.size.height) > maxTextureSize {
            return .tooLarge(format.size, limit: maxTextureSize)
        }
        switch (format.layout, format.bitDepth) {
        case (.rgb(.rgba), 8): return nil
        case (.rgb(.bgra), 8) where hasBGRA: return nil
        case (.rgb, _): return .unsupportedFormat(format)
        case (_, 8): return nil
        case (_, 9...16) where hasNorm16: return nil
        default: return .unsupportedFormat(format)
        }
    }

    /// Whether `renderer` is the name of a known software rasterizer: Mesa's, Google's or Microsoft's.
    static func namesSoftware(_ renderer: String) -> Bool {
        let name = renderer.lowercased()
        return ["llvmpipe", "softpipe", "swiftshader", "swrast", "software rasterizer", "basic render"]
            .contains { name.contains($0) }
    }

    private static func string(_ name: Int32) -> String? { glGetString(GLenum(name)).map { String(cString: $0) } }

    private static func integer(_ name: Int32) -> Int {
        var value: GLint = 0
        glGetIntegerv(GLenum(name), &value)
        return Int(value)
    }
}
