import Desktop
import Geometry
import Platform
import Settings
import Time

/// The state that an application passes to its successor. Main thread.
@MainActor struct Continuation {
    /// Includes its player, so that audio is not interrupted.
    var playing: PlaybackSession?
    var record: PlaybackController.Record
    /// The folders of the library's pages, from the lowest one up.
    var folders: [FilePath]
    /// Whether the player's page is open.
    var hasPlayerPage: Bool
    /// The floating windows, in the order in which they were opened.
    var floats: [FloatingWindowPositions.Kind]
    var window: WindowState?
    var isMainClosed: Bool
    var isOnTop: Bool
    var settings: Settings
    var desktop: DesktopSession?
    var screenshots: Screenshots
    var deadline: HostTime?
    var status: ExitStatus
    var notice: String?
}

/// The state of the main window.
struct WindowState {
    /// In points, when it is not fullscreen.
    var size: Size
    /// Nil if the window manager may not have placed the window yet.
    var position: Point?
    var isFullscreen: Bool
}

extension LaunchOptions {
    /// Returns the options for a window that replaces another one.
    func replacing(_ window: WindowState?) -> LaunchOptions {
        guard let window else { return self }
        var options = self
        options.size = window.size
        options.position = window.position ?? position
        options.isFullscreen = window.isFullscreen
        return options
    }
}
