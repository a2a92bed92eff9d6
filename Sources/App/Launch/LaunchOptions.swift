public import Geometry
public import Media
public import Playback
public import Settings

/// The options of the command line, validated.
public struct LaunchOptions: Sendable {
    public enum RendererChoice: String, Sendable, CaseIterable {
        /// OpenGL ES with a GPU, software rendering without one.
        case auto
        /// OpenGL ES, even without a GPU.
        case gles
        /// Software rendering.
        case software
    }

    /// A floating window to open at start, besides the video's.
    public enum Float: String, Sendable, CaseIterable {
        /// The time of day, with tenths of a second.
        case clock
        /// The current subtitle line and its neighbors.
        case lines
    }

    public struct Screenshot: Hashable, Sendable {
        /// The position in the media.
        public var time: Duration
        public var path: String

        public init(time: Duration, path: String) {
            self.time = time
            self.path = path
        }
    }

    /// Files, folders and addresses, in order; none opens the library.
    public var locations: [String] = []
    /// Opens the library at the folder of the first location, instead of playing.
    public var startsInLibrary = false
    /// The window's size in points; nil for the video's own, as far as it fits on the screen.
    public var size: Size?
    public var position: Point?
    public var isBorderless = false
    public var isFullscreen = false
    public var isOnTop = false
    /// Whether to follow the refreshes that a virtual display makes up.
    public var trustsRefreshes = false
    /// The floating windows to open at start, besides the video or instead of it.
    public var floats: [Float] = []
    public var player = PlayerOptions()
    /// 0…1.3; nil for the file's last volume, or that of the settings.
    public var volume: Double?
    /// Whether playback is muted; nil as for `volume`.
    public var isMuted: Bool?
    /// Nil as for `volume`.
    public var speed: Double?
    /// Nil uses the value from the settings.
    public var hardware: HardwareDecoding?
    /// Settings to use instead of the user's settings file; nil reads the file.
    public var fixedSettings: Settings?
    /// Whether the history is off: nothing is recorded or resumed.
    public var keepsNoHistory = false
    /// Whether the run leaves no trace and depends on none: no history, window positions, crash notices, or session
    /// bus.
    public var isEphemeral = false
    /// Quits after this much wall time, counted from the first frame.
    public var duration: Duration?
    /// Quits when the last file has ended, or the connection to the last stream is lost.
    public var exitsAtEnd = false
    /// Whether to render without a window.
    public var isOffscreen = false
    /// Nil for the value of the settings.
    public var renderer: RendererChoice?
    /// Whether to quit if OpenGL fails during playback, instead of continuing with the software renderer.
    public var keepsRenderer = false
    /// Whether the controls appear when the pointer moves.
    public var showsControls = true
    public var screenshots: [Screenshot] = []
    /// The file for a JSON summary of frame timing, written on exit; nil for none.
    public var reportPath: String?
    /// The file for a CSV of frame times, written on exit; nil for none.
    public var frameLogPath: String?

    public init() {}

    /// The options that take precedence over both the settings and the file's history.
    var asked: LaunchOverrides { LaunchOverrides(start: player.start, volume: volume, isMuted: isMuted, speed: speed) }

    /// These options, with nil values filled in from the settings.
    func completed(by settings: Settings) -> LaunchOptions {
        var options = self
        options.player.volume = volume ?? settings.playback.volume / 100
        options.player.isMuted = isMuted ?? settings.playback.isMuted
        options.player.speed = speed ?? settings.playback.speed
        // SettingsReader rejects unknown names.
        options.player.hardware = hardware ?? HardwareDecoding(name: settings.playback.hardware) ?? .off
        options.player.isLooping = player.isLooping || settings.playback.loops
        options.isFullscreen = isFullscreen || settings.interface.isFullscreen
        options.isOnTop = isOnTop || settings.interface.isOnTop
        options.renderer = renderer ?? RendererChoice(rawValue: settings.interface.renderer.rawValue)
        return options
    }
}

/// The program's exit status.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The file could not be played, or there is no display.
    case failed = 1
    case usage = 2
    /// Ended by SIGINT or SIGTERM.
    case terminated = 4
}
