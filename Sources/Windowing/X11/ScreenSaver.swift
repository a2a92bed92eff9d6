import GlissadeCGLFW

/// Keeps the screen on by suspending the X server's screen saver and display power management. Needed on desktops that
/// offer no service for this purpose. Main thread.
///
/// Uses GLFW's connection. Closing the connection ends the suspension (XScreenSaverSuspend in Xss(3)).
@MainActor public enum ScreenSaver {
    /// The functions of the screen saver extension, loaded at the first suspension, and GLFW's connection. Nil if the
    /// library is missing, or if the server lacks the extension. XWayland has lacked the extension since version 22.1.
    private static let saver: (functions: GlissadeXScreenSaver, connection: XWindow.Connection)? = {
        var functions = GlissadeXScreenSaver()
        guard let connection = XWindow.connection, glissade_load_screensaver(&functions) != 0,
            glissade_has_screensaver(&functions, connection.display) != 0
        else { return nil }
        return (functions, connection)
    }()
    private static var isSuspended = false

    /// Starts or stops keeping the screen on. When the suspension ends, the X server's idle time starts again from
    /// zero.
    ///
    /// Waits for the server only in the first call. Must not be called before the first window exists.
    public static func setSuspended(_ isWanted: Bool) {
        guard isWanted != isSuspended else { return }
        isSuspended = isWanted
        guard let saver else { return }
        // The server counts suspensions, so each must be ended.
        saver.functions.suspend(saver.connection.display, isWanted ? 1 : 0)
        saver.connection.flush()
    }
}
