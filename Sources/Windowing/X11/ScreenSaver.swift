import CGLFW

/// The X server's own screen saver, and the power management of its displays: what turns a screen dark where no service of
/// a desktop does. Main thread.
///
/// On GLFW's connection: when that ends, so does the suspension (XScreenSaverSuspend in Xss(3)).
@MainActor public enum ScreenSaver {
    /// Found with the first suspension; nil where there is no library for it, or no server that can be asked, as with
    /// XWayland from 22.1 on.
    private static let saver: (functions: GlissadeXScreenSaver, connection: XWindow.Connection)? = {
        var functions = GlissadeXScreenSaver()
        guard let connection = XWindow.connection, glissade_load_screensaver(&functions) != 0,
            glissade_has_screensaver(&functions, connection.display) != 0
        else { return nil }
        return (functions, connection)
    }()
    private static var isSuspended = false

    /// Keeps the screen on, or no longer: its idle time begins again then. Cheap where nothing changes; waits for the server only
    /// the first time. After the first window was made.
    public static func setSuspended(_ isWanted: Bool) {
        guard isWanted != isSuspended else { return }
        isSuspended = isWanted
        guard let saver else { return }
        // The server counts: once each.
        saver.functions.suspend(saver.connection.display, isWanted ? 1 : 0)
        saver.connection.flush()
    }
}
