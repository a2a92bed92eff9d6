import CEGL
import CGLES
public import Geometry
public import Presentation
import Rendering

/// A surface drawn by OpenGL in memory, without a window or a display. Main thread.
///
/// Uses an EGL pixel buffer, whose memory layout in Mesa is that of a window, so that measurements apply to windows.
/// With a framebuffer object, copying a whole frame takes sixteen times as long.
///
/// Several surfaces may exist; `makeCurrent` selects the one to draw into.
@MainActor public final class OffscreenSurface: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public let scale: Double
    public var isVisible: Bool { !pixelSize.isEmpty }
    public var refreshRate: Double? { nil }

    private let display: EGLDisplay
    private let config: EGLConfig
    private let context: EGLContext
    /// The tracked context; nil only during `init`.
    private var shared: GLContext?
    private var surface: EGLSurface?

    /// Creates a surface of `size` device pixels and makes it current.
    ///
    /// - Parameter other: A surface to share textures and other objects with.
    /// - Throws: `egl` if an EGL call fails, `noOpenGLES3` if there is no OpenGL ES 3 context.
    public init(size: PixelSize, scale: Double = 1, sharing other: OffscreenSurface? = nil) throws(WindowingError) {
        display = try EGLPlatform.open()
        config = try EGLPlatform.config(of: display)
        guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) != 0 else { throw .noOpenGLES3("EGL has no OpenGL ES at all") }
        let version: [EGLint] = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE]
        guard let context = eglCreateContext(display, config, other?.context ?? glissade_egl_no_context(), version)
        else {
            throw .noOpenGLES3("EGL \(EGLPlatform.text(display, EGL_VERSION)) cannot create such a context")
        }
        self.context = context
        self.scale = scale
        pixelSize = size
        try resize(to: size)
        do throws(RenderingError) {
            _ = try GLDevice()
            shared = GLContext(sharing: other?.shared)
        } catch {
            throw .noOpenGLES3(error.description)
        }
    }

    isolated deinit {
        shared?.end()
        if eglGetCurrentContext() == context {
            eglMakeCurrent(
                display, glissade_egl_no_surface(), glissade_egl_no_surface(), glissade_egl_no_context())
        }
        if let surface { eglDestroySurface(display, surface) }
        eglDestroyContext(display, context)
    }

    /// Changes the size, in device pixels, and discards the content. The surface is current afterwards.
    ///
    /// - Throws: `egl`, leaving the surface unchanged.
    public func resize(to size: PixelSize) throws(WindowingError) {
        let attributes: [EGLint] = [
            EGL_WIDTH, EGLint(clamping: max(size.width, 1)), EGL_HEIGHT, EGLint(clamping: max(size.height, 1)),
            EGL_NONE,
        ]
        guard let surface = eglCreatePbufferSurface(display, config, attributes) else {
            throw .egl(call: "eglCreatePbufferSurface", code: eglGetError())
        }
        guard bind(surface) else {
            let code = eglGetError()
            eglDestroySurface(display, surface)
            throw .egl(call: "eglMakeCurrent", code: code)
        }
        if let old = self.surface { eglDestroySurface(display, old) }
        self.surface = surface
        shared?.makeCurrent { true }
        pixelSize = size
    }

    public func makeCurrent() { shared?.makeCurrent { bind(surface) } }

    private func bind(_ surface: EGLSurface?) -> Bool { eglMakeCurrent(display, surface, surface, context) != 0 }

    /// Waits until everything is drawn. Unlike a window's swap, it copies nothing to a display.
    public func swap() { glFinish() }
}
