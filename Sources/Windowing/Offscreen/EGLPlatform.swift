import GlissadeCEGL

/// Opens EGL displays for OpenGL ES without a window. Main thread.
///
/// A display is never terminated: EGL returns the same display to every caller in the process, so terminating it
/// would end the contexts of other callers.
@MainActor enum EGLPlatform {
    /// Returns a configuration for OpenGL ES 3 and pixel buffers. Prefers the pixel format of a window: 8 bits each for
    /// red, green and blue, without alpha, depth or multisampling.
    ///
    /// - Throws: `noOpenGLES3` if there is no such configuration, `egl` if the query fails.
    static func config(of display: EGLDisplay) throws(WindowingError) -> EGLConfig {
        let wanted: [EGLint] = [
            EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_GREEN_SIZE,
            8,
            EGL_BLUE_SIZE, 8, EGL_NONE,
        ]
        var configs = [EGLConfig?](repeating: nil, count: 64)
        var count: EGLint = 0
        guard eglChooseConfig(display, wanted, &configs, EGLint(configs.count), &count) != 0 else {
            throw .egl(call: "eglChooseConfig", code: eglGetError())
        }
        let found = configs.prefix(Int(count)).compactMap { $0 }
        func bits(_ config: EGLConfig, _ attribute: EGLint) -> EGLint {
            var value: EGLint = 0
            eglGetConfigAttrib(display, config, attribute, &value)
            return value
        }
        // EGL lists configurations with deeper colors or alpha first.
        let plain = found.first {
            bits($0, EGL_RED_SIZE) == 8 && bits($0, EGL_ALPHA_SIZE) == 0 && bits($0, EGL_DEPTH_SIZE) == 0
                && bits($0, EGL_SAMPLES) == 0
        }
        guard let config = plain ?? found.first else {
            throw .noOpenGLES3("EGL \(text(display, EGL_VERSION)) has no configuration for it")
        }
        return config
    }

    /// Opens the first available display: a GPU's display, else Mesa's surfaceless display, else the default display.
    ///
    /// GPUs come first because the surfaceless display always uses Mesa. On a machine with another vendor's driver,
    /// Mesa would fall back to software rendering.
    ///
    /// - Throws: `egl` if no display can be opened.
    static func open() throws(WindowingError) -> EGLDisplay {
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

    /// Whether EGL lists a device that can be opened and is not a software rasterizer. True if EGL cannot list devices.
    static var hasHardwareDevice: Bool {
        guard extensions(of: glissade_egl_no_display()).contains("EGL_EXT_platform_device") else { return true }
        return hardwareDevices().contains { device in
            guard let display = opened(eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), device, nil)) else {
                return false
            }
            return !driverName(of: display).contains("swrast")
        }
    }

    /// Returns the name of the display's driver (EGL_MESA_query_driver); empty if the driver is not one of Mesa's.
    private static func driverName(of display: EGLDisplay) -> String {
        typealias NameOf = @convention(c) (EGLDisplay?) -> UnsafePointer<CChar>?
        guard extensions(of: display).contains("EGL_MESA_query_driver"),
            let nameOf = unsafeBitCast(eglGetProcAddress("eglGetDisplayDriverName"), to: NameOf?.self),
            let name = nameOf(display)
        else { return "" }
        return String(cString: name)
    }

    /// Returns the devices that EGL lists, except those marked as software rasterizers (EGL_MESA_device_software).
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

    static func text(_ display: EGLDisplay, _ name: EGLint) -> String {
        eglQueryString(display, name).map { String(cString: $0) } ?? "of an unknown version"
    }
}
