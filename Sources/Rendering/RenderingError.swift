public import GlissadeGeometry
public import GlissadePicture

/// The reason why something could not be drawn or shown.
public enum RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No OpenGL ES context is current on this thread.
    case noContext
    /// The window system does not answer, or cannot show frames; the string is the whole message.
    case unavailable(String)
    /// The context is desktop OpenGL, or older than OpenGL ES 3.0; `found` is its GL_VERSION.
    case tooOld(found: String)
    /// The shader or program `name` does not compile or link; `log` is the driver's log.
    case shader(name: String, log: String)
    /// A frame or an image has no pixels.
    case emptyPicture
    /// A frame or an image is wider or higher than the limit of the renderer.
    case tooLarge(PixelSize, limit: Int)
    /// The renderer cannot draw frames of this format directly (see `GLDevice.canUpload`).
    case unsupportedFormat(PixelFormat)
    /// Textures or memory for this size could not be allocated; `code` is from glGetError, or 0 if OpenGL is not used.
    case allocation(PixelSize, code: UInt32)
    /// The driver can no longer draw: it is out of memory, or the context is lost; `code` is from glGetError.
    case driver(code: UInt32)
    /// This frame, or any further frame, cannot be shown; the string says why.
    case presentation(String)

    public var description: String {
        switch self {
        case .noContext:
            "no OpenGL ES context is current"
        case .unavailable(let reason):
            reason
        case .tooOld(let found):
            "OpenGL ES 3.0 is required, the driver has \(found)"
        case .shader(let name, let log):
            "the driver rejects the shader \(name): \(log)"
        case .emptyPicture:
            "the picture has no pixels"
        case .tooLarge(let size, let limit):
            "the picture is \(size.width)x\(size.height), the device draws at most \(limit)x\(limit)"
        case .unsupportedFormat(let format):
            "the device cannot draw \(format.bitDepth)-bit samples laid out as \(format.layout)"
        case .allocation(let size, let code):
            "the driver cannot allocate textures for a picture of \(size.width)x\(size.height) (GL error \(code))"
        case .driver(let code):
            code == 0x0505  // GL_OUT_OF_MEMORY
                ? "the driver is out of memory" : "the driver has lost the OpenGL context (GL error \(code))"
        case .presentation(let reason):
            "cannot show frames: \(reason)"
        }
    }
}
