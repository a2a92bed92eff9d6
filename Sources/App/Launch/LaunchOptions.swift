package import GlissadeGeometry
package import GlissadeMedia
package import GlissadePlayback
package import GlissadeSettings

/// The validated options of the command line.
package struct LaunchOptions: Sendable {
    package enum RendererChoice: String, Sendable, CaseIterable {
        /// OpenGL ES if there is a GPU and OpenGL works, else software rendering.
        case auto
        /// OpenGL ES, even without a GPU.
        case gles
        /// Software rendering, even with a GPU.
        case software
    }

    /// A floating window that can be opened at startup.
    package enum Float: String, Sendable, CaseIterable {
        /// The time of day, with tenths of a second.
        case clock
        /// The current subtitle line and its neighbors.
        case lines
    }

    package struct Screenshot: Hashable, Sendable {
        /// The position to capture, counted from the start of the media.
        package var time: Duration
        package var path: String

        package init(time: Duration, path: String) {
            self.time = time
            self.path = path
        }
    }

    /// The files, folders and URLs to play, in order. If empty, the library opens.
    package var locations: [String] = []
    /// Whether to open the library at the folder of the first location, instead of playing the locations.
    package var startsInLibrary = false
    /// The window's size in points. If nil, a window takes the size of the first video, reduced to fit the screen,
    /// provided that the video opens in time. Otherwise, and offscreen, the size is 1280 × 720.
    package var size: Size?
    package var position: Point?
    package var isBorderless = false
    package var isFullscreen = false
    package var isOnTop = false
    /// Whether to pace frames by the refreshes that a virtual display simulates. For measurements.
    package var trustsRefreshes = false
    /// The floating windows to open at startup. If the only one is the clock, and there are no locations, the main
    /// window does not open.
    package var floats: [Float] = []
    /// The file of moving comments for the first video; nil for the file found beside the video, if there is one.
    package var commentsPath: String?
    package var player = PlayerOptions()
    /// The volume, 0…1.3; nil for the file's volume in the history, or else the volume in the settings.
    package var volume: Double?
    /// Whether playback is muted; nil for the file's mute state in the history, or else the mute state in the settings.
    package var isMuted: Bool?
    /// The playback speed, 0.1…8; nil for the file's speed in the history, or else the speed in the settings.
    package var speed: Double?
    /// The use of hardware decoders; nil for the value in the settings.
    package var hardware: HardwareDecoding?
    /// The settings to use instead of the user's settings file; nil to read that file.
    package var fixedSettings: Settings?
    /// Whether the history is off: nothing is recorded or resumed.
    package var keepsNoHistory = false
    /// Whether the run is isolated: it uses neither the history, nor stored window positions, nor the session bus, and
    /// it shows no crash notice.
    package var isEphemeral = false
    /// How long the program runs before it quits; nil for no limit. The time is counted from when the first file has
    /// opened or, if the program starts without a file, from when the library or the floating clock appears.
    package var duration: Duration?
    /// Whether to quit when the last file has ended, or when the connection to a stream is lost.
    package var exitsAtEnd = false
    /// Whether to render without a window.
    package var isOffscreen = false
    /// The renderer; nil for the value in the settings.
    package var renderer: RendererChoice?
    /// Whether to quit if OpenGL fails during playback, instead of continuing with the software renderer.
    package var keepsRenderer = false
    /// Whether the controls appear when the pointer moves.
    package var showsControls = true
    package var screenshots: [Screenshot] = []
    /// The path of the JSON summary of frame timing to write on exit; nil to write none.
    package var reportPath: String?
    /// The path of the CSV file to write on exit; nil to write none. The file lists the times of each video frame that
    /// was shown.
    package var frameLogPath: String?

    package init() {}

    /// The start position, volume, mute state and speed from the command line, which take precedence over the settings
    /// and the file's history.
    var asked: LaunchOverrides { LaunchOverrides(start: player.start, volume: volume, isMuted: isMuted, speed: speed) }

    /// Returns these options, with the values from the settings for the options that the command line does not set.
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
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Something could not be played, drawn or written.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
    /// SIGINT, SIGTERM or SIGHUP ended the program.
    case terminated = 4
}
