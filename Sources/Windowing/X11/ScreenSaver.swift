import CGLFW

/// Suspends the X server's screen saver and display power management, which turn the screen off if no desktop service
/// does. Main thread.
///
/// Uses GLFW's connection: when that ends, so does the suspension (XScreenSaverSuspend in Xss(3)).
@MainActor public enum ScreenSaver {
    /// Looked up at the first suspension. Nil if the library is missing, or if the server lacks the extension, as
    /// XWayland does from 22.1 on.
    private static let saver: (functions: GlissadeXScreenSaver, connection: XWindow.Connection)? = {
        var functions = GlissadeXScreenSaver()
        guard let connection = XWindow.connection, glissade_load_screensaver(&functions) != 0,
            glissade_has_screensaver(&functions, connection.display) != 0
        else { return nil }
        return (functions, connection)
    }()
    private static var isSuspended = false

    /// Starts or stops keeping the screen on. Stopping restarts the idle time. Cheap if nothing changes; waits for the
    /// server only the first time. Must not be called before the first window exists.
    public static func setSuspended(_ isWanted: Bool) {
        guard isWanted != isSuspended else { return }
        isSuspended = isWanted
        guard let saver else { return }
        // The server counts suspensions, so each needs one call to end.
        saver.functions.suspend(saver.connection.display, isWanted ? 1 : 0)
        saver.connection.flush()
    }
}
