import CGLES
public import Picture
import Time

/// The capabilities of the OpenGL ES context that was current at creation. A value.
public struct GLDevice: Hashable, Sendable {
    /// GL_RENDERER: the driver's name of the GPU or rasterizer.
    public let renderer: String
    /// GL_VERSION: the driver's name of the OpenGL ES version.
    public let version: String
    /// Whether the "GPU" is a software rasterizer.
    public let isSoftware: Bool
    /// The largest width or height of a texture, in texels.
    public let maxTextureSize: Int
    /// Whether 16-bit textures exist (EXT_texture_norm16), which frames deeper than 8 bits need.
    public let hasNorm16: Bool
    /// Whether BGRA textures exist (EXT_texture_format_BGRA8888).
    public let hasBGRA: Bool

    /// Queries the context that is current on this thread.
    ///
    /// - Throws: `noContext`, or `tooOld` if the context is not OpenGL ES 3.
    @MainActor public init() throws(RenderingError) {
        guard let version = Self.string(GL_VERSION) else { throw .noContext }
        // "OpenGL ES 3.2 …" (GLES 3.0, section 6.1.5); desktop contexts begin with the number itself.
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

    /// Whether frames of `format` can be uploaded directly; if not, they must be converted first.
    public func canUpload(_ format: PixelFormat) -> Bool { refusal(of: format) == nil }

    /// The reason why `format` cannot be uploaded; nil if it can.
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

    /// Whether a renderer's name is that of Mesa's, Google's or Microsoft's software rasterizer.
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
