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

    /// A floating window that can be opened at start.
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

    /// The files, folders and addresses to play, in order. If empty, the library opens.
    public var locations: [String] = []
    /// Whether to open the library at the folder of the first location, instead of playing it.
    public var startsInLibrary = false
    /// The window's size in points; nil for the video's size, reduced to fit the screen, or 1280 × 720 without a video.
    public var size: Size?
    public var position: Point?
    public var isBorderless = false
    public var isFullscreen = false
    public var isOnTop = false
    /// Whether to pace frames by the simulated refreshes of a virtual display. For measurements.
    public var trustsRefreshes = false
    /// The floating windows to open at start. A clock alone, without locations, opens without the main window.
    public var floats: [Float] = []
    public var player = PlayerOptions()
    /// The volume, 0…1.3; nil for the file's last volume, or else the one in the settings.
    public var volume: Double?
    /// Whether playback is muted; nil as for `volume`.
    public var isMuted: Bool?
    /// The playback speed, 0.1…8; nil as for `volume`.
    public var speed: Double?
    /// The use of hardware decoders; nil for the value in the settings.
    public var hardware: HardwareDecoding?
    /// The settings to use instead of the user's settings file; nil reads the file.
    public var fixedSettings: Settings?
    /// Whether the history is off: nothing is recorded or resumed.
    public var keepsNoHistory = false
    /// Whether the run is isolated: it uses no history, stored window positions, crash notices or session bus.
    public var isEphemeral = false
    /// The running time after which the program quits; nil for no limit. Counted from when the first file is open or,
    /// in the library, from the first frame.
    public var duration: Duration?
    /// Whether to quit when the last file has ended, or the connection to a stream is lost.
    public var exitsAtEnd = false
    /// Whether to render without a window.
    public var isOffscreen = false
    /// The renderer; nil for the value in the settings.
    public var renderer: RendererChoice?
    /// Whether to quit if OpenGL fails during playback, instead of continuing with the software renderer.
    public var keepsRenderer = false
    /// Whether the controls appear when the pointer moves.
    public var showsControls = true
    public var screenshots: [Screenshot] = []
    /// The path of a JSON summary of frame timing, written on exit; nil for none.
    public var reportPath: String?
    /// The path of a CSV file with the time of each frame, written on exit; nil for none.
    public var frameLogPath: String?

    public init() {}

    /// The options that take precedence over both the settings and the file's history.
    var asked: LaunchOverrides { LaunchOverrides(start: player.start, volume: volume, isMuted: isMuted, speed: speed) }

    /// Returns these options with the settings filled in where an option was not given.
    func completed(by settings: Settings) -> LaunchOptions {
        var options = self
        options.player.volume = volume ?? settings.playback.volume / 100
        options.player.isMuted = isMuted ?? settings.playback.isMuted
        options.player.speed = speed ?? settings.playback.speed
        // SettingsReader has rejected unknown names, so the fallback `.off` is never used.
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
    /// Something could not be played, drawn or written.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
    /// Ended by SIGINT, SIGTERM or SIGHUP.
    case terminated = 4
}
