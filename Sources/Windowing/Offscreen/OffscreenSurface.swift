import GlissadeCEGL
import GlissadeCGLES
public import GlissadeGeometry
public import GlissadePresentation
public import GlissadeRendering

/// An OpenGL surface in memory, without a window. Main thread.
///
/// Uses an EGL pixel buffer. In Mesa, a pixel buffer has the memory layout of a window, so measurements apply to
/// windows as well.
///
/// Several surfaces may exist. `makeCurrent` selects the surface to draw into.
@MainActor public final class OffscreenSurface: DrawableSurface {
    public private(set) var pixelSize: PixelSize
    public let scale: Double
    public var isVisible: Bool { !pixelSize.isEmpty }
    public var refreshRate: Double? { nil }

    /// The OpenGL context, for `GLRenderer`.
    public let context: GLContext
    private let config: EGLConfig
    private let output: OffscreenOutput

    /// Creates a surface of `size` device pixels and makes it current.
    ///
    /// - Parameter other: A surface with which to share textures and other objects.
    /// - Throws: `egl` if an EGL call fails, `noOpenGLES3` if no OpenGL ES 3 context can be created.
    public init(size: PixelSize, scale: Double = 1, sharing other: OffscreenSurface? = nil) throws(WindowingError) {
        let display = try EGLPlatform.open()
        config = try EGLPlatform.config(of: display)
        guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) != 0 else { throw .noOpenGLES3("EGL has no OpenGL ES at all") }
        let version: [EGLint] = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE]
        guard
            let context = eglCreateContext(display, config, other?.output.context ?? glissade_egl_no_context(), version)
        else {
            throw .noOpenGLES3("EGL \(EGLPlatform.text(display, EGL_VERSION)) cannot create such a context")
        }
        output = OffscreenOutput(context, on: display)
        self.scale = scale
        pixelSize = size
        try Self.resize(output, config, to: size)
        do throws(RenderingError) {
            _ = try GLDevice()
            self.context = GLContext(output, sharing: other?.context)
        } catch {
            throw .noOpenGLES3(error.description)
        }
    }

    isolated deinit {
        RenderLock.withLock {
            context.end()
            output.destroy()
        }
    }

    /// Changes the size, in device pixels, and discards the content. The surface is current afterwards.
    ///
    /// - Throws: `egl` if an EGL call fails. The surface is then unchanged.
    public func resize(to size: PixelSize) throws(WindowingError) {
        try RenderLock.withLock { () throws(WindowingError) in
            try Self.resize(output, config, to: size)
            context.makeCurrent()
        }
        pixelSize = size
    }

    private static func resize(
        _ output: OffscreenOutput, _ config: EGLConfig, to size: PixelSize
    ) throws(WindowingError) {
        let attributes: [EGLint] = [
            EGL_WIDTH, EGLint(clamping: max(size.width, 1)), EGL_HEIGHT, EGLint(clamping: max(size.height, 1)),
            EGL_NONE,
        ]
        guard let surface = eglCreatePbufferSurface(output.display, config, attributes) else {
            throw .egl(call: "eglCreatePbufferSurface", code: eglGetError())
        }
        guard output.bind(surface) else {
            let code = eglGetError()
            eglDestroySurface(output.display, surface)
            throw .egl(call: "eglMakeCurrent", code: code)
        }
    }

    public func makeCurrent() { context.makeCurrent() }

    /// Waits until all drawing is complete. Unlike a window's swap, this copies nothing to a display.
    public func swap() {
        RenderLock.withLock {
            context.makeCurrent()
            output.swap()
        }
    }
}

/// The context of an offscreen surface, and the pixel buffer that it draws into. Any thread (`RenderLock`).
private final class OffscreenOutput: GLOutput {
    let display: EGLDisplay
    let context: EGLContext
    private var surface: EGLSurface?

    init(_ context: EGLContext, on display: EGLDisplay) { (self.context, self.display) = (context, display) }

    func bind() -> Bool { eglMakeCurrent(display, surface, surface, context) != 0 }

    /// Replaces the pixel buffer with `surface` and makes the context current. If that fails, changes nothing and
    /// returns false.
    func bind(_ surface: EGLSurface) -> Bool {
        guard eglMakeCurrent(display, surface, surface, context) != 0 else { return false }
        if let old = self.surface { eglDestroySurface(display, old) }
        self.surface = surface
        return true
    }

    func unbind() {
        eglMakeCurrent(display, glissade_egl_no_surface(), glissade_egl_no_surface(), glissade_egl_no_context())
    }

    var isReady: Bool { true }
    func swap() { glFinish() }

    func destroy() {
        if eglGetCurrentContext() == context { unbind() }
        if let surface { eglDestroySurface(display, surface) }
        eglDestroyContext(display, context)
    }
}
