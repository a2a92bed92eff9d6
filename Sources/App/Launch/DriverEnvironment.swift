import Glibc

/// Environment variables that this program sets for graphics drivers. A driver reads them when it is loaded.
///
/// Variables that are already set are not changed.
struct DriverEnvironment {
    static let preferences: [(name: String, value: String)] = [
        // When a driver fails to load, Mesa prints several lines on standard error. The program itself reports the
        // failure in one line.
        ("EGL_LOG_LEVEL", "fatal"),
        ("LIBGL_DEBUG", "quiet"),
        // Mesa enables variable refresh for every program that is not on its exclusion list (DRI_CONF_ADAPTIVE_SYNC;
        // the list in `00-mesa-defaults.conf` includes players). The panel's refresh rate, and on many panels its
        // brightness, would then change whenever the pointer moves over a video. Mesa reads every option from the
        // environment (`driParseOptionInfo` in `src/util/xmlconfig.c`), and sets the X11 window's property according to
        // this option (`loader_dri3_drawable_init` in `src/loader/loader_dri3_helper.c`).
        ("adaptive_sync", "false"),
        // Keeps Mesa from reporting on standard error each option that the environment sets (`be_verbose` in
        // `xmlconfig.c`).
        ("MESA_DEBUG", "silent"),
        // NVIDIA's driver queues two frames before a swap waits. With a queue of one, each frame is visible one refresh
        // sooner. NVIDIA's manual does not mention this variable, but KWin sets it, too.
        ("__GL_MaxFramesAllowed", "1"),
        // Makes NVIDIA's driver sleep instead of spinning while a swap waits (see the driver's README, "Specifying
        // OpenGL Environment Variable Settings").
        ("__GL_YIELD", "USLEEP"),
    ]

    /// Returns the `preferences` whose variables are not set yet.
    ///
    /// - Parameter value: Returns a variable's value; nil if it is not set.
    static func missing(_ value: (String) -> String?) -> [(name: String, value: String)] {
        preferences.filter { value($0.name) == nil }
    }

    /// Sets the missing variables for this process and its children. Must be called before any thread is started,
    /// because changing the environment is not thread-safe.
    static func apply() {
        for (name, value) in missing({ getenv($0).map { String(cString: $0) } }) { setenv(name, value, 0) }
    }
}
