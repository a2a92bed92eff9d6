import CEGL

/// An OpenGL ES 3 context without a window. Freed on release, on the main thread.
///
/// The EGL display behind it is the process's and stays: EGL gives every caller the same one, so that ending it would
/// end the contexts of others.
@MainActor final class EGLContextHolder {
    private let display: EGLDisplay
    private let context: EGLContext
    /// One pixel, where the driver cannot make a context current without any surface.
    private let placeholder: EGLSurface?

    /// - Throws: `egl` where EGL fails, `noOpenGLES3` where it works but has no such context.
    init() throws(WindowingError) {
        let display = try Self.openDisplay()
        guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) != 0 else { throw .noOpenGLES3("EGL has no OpenGL ES at all") }

        let canBeSurfaceless = Self.extensions(of: display).contains("EGL_KHR_surfaceless_context")
        let wanted: [EGLint] = [
            EGL_SURFACE_TYPE, canBeSurfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE,
        ]
        var config: EGLConfig?
        var count: EGLint = 0
        guard eglChooseConfig(display, wanted, &config, 1, &count) != 0, count > 0 else {
            throw .noOpenGLES3("EGL \(Self.text(display, EGL_VERSION)) has no configuration for it")
        }
        let version: [EGLint] = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE]
        guard let context = eglCreateContext(display, config, glissade_egl_no_context(), version) else {
            throw .noOpenGLES3("EGL \(Self.text(display, EGL_VERSION)) makes no such context")
        }
        var placeholder: EGLSurface?
        if !canBeSurfaceless {
            placeholder = eglCreatePbufferSurface(display, config, [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE])
        }
        self.display = display
        self.context = context
        self.placeholder = placeholder
        guard makeCurrent() else { throw .egl(call: "eglMakeCurrent", code: eglGetError()) }
    }

    isolated deinit {
        if eglGetCurrentContext() == context {
            eglMakeCurrent(
                display, glissade_egl_no_surface(), glissade_egl_no_surface(), glissade_egl_no_context())
        }
        if let placeholder { eglDestroySurface(display, placeholder) }
        eglDestroyContext(display, context)
    }

    @discardableResult func makeCurrent() -> Bool {
        if eglGetCurrentContext() == context { return true }
        return eglMakeCurrent(display, placeholder, placeholder, context) != 0
    }

    /// The first display that opens: a GPU's own, then Mesa's without any, then whatever is the default.
    ///
    /// GPUs come first, because where two vendors' drivers are installed the surfaceless platform is Mesa's, and that
    /// would mean its rasterizer on a machine with another vendor's GPU.
    private static func openDisplay() throws(WindowingError) -> EGLDisplay {
        let platforms = extensions(of: glissade_egl_no_display())
        if platforms.contains("EGL_EXT_platform_device") {
            for device in hardwareDevices() {
                if let display = opened(eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), device, nil)) {
                    return display
                }
            }
        }
        if platforms.contains("EGL_MESA_platform_surfaceless"),
            let display = opened(eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_SURFACELESS_MESA), nil, nil))
        {
            return display
        }
        if let display = opened(eglGetDisplay(glissade_egl_default_display())) { return display }
        throw .egl(call: "eglInitialize", code: eglGetError())
    }

    private static func opened(_ display: EGLDisplay?) -> EGLDisplay? {
        guard let display, eglInitialize(display, nil, nil) != 0 else { return nil }
        return display
    }

    /// The devices that are not the CPU in disguise (EGL_MESA_device_software).
    private static func hardwareDevices() -> [EGLDeviceEXT] {
        guard let devices = unsafeBitCast(eglGetProcAddress("eglQueryDevicesEXT"), to: PFNEGLQUERYDEVICESEXTPROC?.self),
            let ask = unsafeBitCast(
                eglGetProcAddress("eglQueryDeviceStringEXT"), to: PFNEGLQUERYDEVICESTRINGEXTPROC?.self)
        else { return [] }
        var found = [EGLDeviceEXT?](repeating: nil, count: 16)
        var count: EGLint = 0
        guard devices(EGLint(found.count), &found, &count) != 0 else { return [] }
        return found.prefix(Int(count)).compactMap { $0 }.filter { device in
            let extensions = ask(device, EGL_EXTENSIONS).map { String(cString: $0) } ?? ""
            return !extensions.contains("EGL_MESA_device_software")
        }
    }

    private static func extensions(of display: EGLDisplay?) -> Set<Substring> {
        guard let names = eglQueryString(display, EGL_EXTENSIONS) else { return [] }
        return Set(String(cString: names).split(separator: " "))
    }

    private static func text(_ display: EGLDisplay, _ name: EGLint) -> String {
        eglQueryString(display, name).map { String(cString: $0) } ?? "of an unknown version"
    }
}
