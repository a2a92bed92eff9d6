import GlissadeCXlib

/// Keeps the screen on by suspending the X server's screen saver and display power management. Needed on desktops that
/// offer no service for this purpose. Main thread.
///
/// Uses GLFW's connection. Closing the connection ends the suspension (XScreenSaverSuspend in Xss(3)).
@MainActor public enum ScreenSaver {
    /// GLFW's connection; nil if the server lacks the extension. XWayland has lacked it since version 22.1.
    private static let connection: XlibConnection? = {
        guard let connection = try? GLFW.start(), glissade_has_screensaver(connection.display) != 0 else { return nil }
        return connection
    }()
    private static var isSuspended = false

    /// Starts or stops keeping the screen on. When the suspension ends, the X server's idle time starts again from
    /// zero.
    ///
    /// Waits for the server only in the first call.
    public static func setSuspended(_ isWanted: Bool) {
        guard isWanted != isSuspended else { return }
        isSuspended = isWanted
        guard let connection else { return }
        // The server counts suspensions, so each must be ended.
        XScreenSaverSuspend(connection.display, isWanted ? 1 : 0)
        connection.flush()
    }
}
