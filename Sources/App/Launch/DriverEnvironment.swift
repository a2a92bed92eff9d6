import Glibc

/// The environment variables that graphics drivers read when they are loaded, as this program wants them. A value.
///
/// Variables that are set already are left alone.
struct DriverEnvironment {
    static let preferences: [(name: String, value: String)] = [
        // Mesa explains on standard error, in several lines, why a driver does not load; the program says in one line what
        // it comes to.
        ("EGL_LOG_LEVEL", "fatal"),
        ("LIBGL_DEBUG", "quiet"),
        // Variable refresh, which Mesa turns on for every program that its list does not name (DRI_CONF_ADAPTIVE_SYNC, and
        // players in `00-mesa-defaults.conf`): the panel's rate, and on many its brightness, would follow each move of the
        // pointer over a film. Mesa takes every option from the environment (`driParseOptionInfo` in `src/util/xmlconfig.c`)
        // and the X11 window's property from this one (`loader_dri3_drawable_init` in `src/loader/loader_dri3_helper.c`).
        ("adaptive_sync", "false"),
        // Mesa announces each such option on standard error, unless told to be silent (`be_verbose` in `xmlconfig.c`).
        ("MESA_DEBUG", "silent"),
        // NVIDIA's driver queues two frames before a swap waits: one is seen a refresh sooner. Its manual does not name this
        // variable; KWin sets it, too.
        ("__GL_MaxFramesAllowed", "1"),
        // It spins while it waits: with this it sleeps (its README, "Specifying OpenGL Environment Variable Settings").
        ("__GL_YIELD", "USLEEP"),
    ]

    /// What is to be set.
    ///
    /// - Parameter value: returns a variable's value; nil where it is not set.
    static func missing(_ value: (String) -> String?) -> [(name: String, value: String)] {
        preferences.filter { value($0.name) == nil }
    }

    /// Sets what is missing, for this process and those that it starts. Before any other thread is started: C's environment
    /// may not be read while it is changed.
    static func apply() {
        for (name, value) in missing({ getenv($0).map { String(cString: $0) } }) { setenv(name, value, 0) }
    }
}
