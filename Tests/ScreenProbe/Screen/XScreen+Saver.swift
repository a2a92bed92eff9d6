import GlissadeCX11
import GlissadeTime

/// The X server's own screen saver.
extension XScreen {
    package struct Saver: Hashable {
        /// Whether the screen is dark.
        package var isOn: Bool
        /// How long nobody has touched anything.
        package var idle: Duration
    }

    /// How the saver stands; nil where the server has none.
    package var saver: Saver? {
        guard let info = XScreenSaverAllocInfo() else { return nil }
        defer { XFree(info) }
        guard XScreenSaverQueryInfo(display, root, info) != 0 else { return nil }
        return Saver(
            isOn: info.pointee.state == CInt(ScreenSaverOn), idle: .milliseconds(Int64(info.pointee.idle)))
    }

    /// Has the screen go dark after so many seconds in which nobody touches anything.
    package func setSaver(seconds: Int) {
        XSetScreenSaver(display, CInt(seconds), 0, CInt(PreferBlanking), CInt(DontAllowExposures))
        XSync(display, 0)
    }
}
