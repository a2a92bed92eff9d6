import GlissadeDesktop
import GlissadeGeometry
import GlissadePlatform
import GlissadeSettings
import GlissadeTime

/// The state that one `Application` passes to the next when the renderer changes. Main thread.
@MainActor struct Continuation {
    /// The current playback session; nil if there is none. The session keeps its player, so audio continues while the
    /// renderer is replaced.
    var playing: PlaybackSession?
    var record: PlaybackController.Record
    /// The folders of the open library pages, from the bottom page up.
    var folders: [BytePath]
    var hasPlayerPage: Bool
    /// The kinds of the open floating windows, in the order of their first use.
    var floats: [FloatingWindowPositions.Kind]
    var window: WindowState?
    var isMainClosed: Bool
    var isOnTop: Bool
    var settings: Settings
    var chosenView: LibraryViewMemory
    var desktop: DesktopSession?
    var screenshots: Screenshots
    var deadline: HostTime?
    var status: ExitStatus
    var notice: String?
}

/// The size, position and fullscreen state of the main window.
struct WindowState {
    /// The size outside of fullscreen, in points.
    var size: Size
    /// The position outside of fullscreen, in the window system's units; nil if the window manager may not have
    /// placed the window yet.
    var position: Point?
    var isFullscreen: Bool
}

extension LaunchOptions {
    /// Returns these options with the size, position and fullscreen state of `window`. A nil `window` changes nothing.
    /// A nil `window.position` leaves the option `position` unchanged.
    func replacing(_ window: WindowState?) -> LaunchOptions {
        guard let window else { return self }
        var options = self
        options.size = window.size
        options.position = window.position ?? position
        options.isFullscreen = window.isFullscreen
        return options
    }
}
