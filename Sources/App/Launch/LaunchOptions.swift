public import Geometry
public import Media
public import Playback
import Settings

/// What the command line asks for, checked.
public struct LaunchOptions: Sendable {
    /// How frames are paced.
    public enum Scenario: String, Sendable, CaseIterable {
        /// Plays, untouched, at the media's own rate.
        case rest
        /// Decodes, uploads, draws and swaps every frame as fast as it goes.
        case throughput
        /// A hand holds the page and swings it from side to side.
        case drag
        /// A hand throws the page away, brings it back, and lets it spring back, again and again.
        case throwing = "throw"
        /// A hand pulls in the page at the right and throws it out again.
        case push
        /// A hand draws the progress bar to and fro, and lets it go.
        case scrub
        /// In and out of fullscreen all the time.
        case fullscreen
        /// Out into a floating window and back all the time.
        case float
        /// A hand scrolls the cards of the file's folder, of which the one in view plays.
        case list

        /// Whether its hand goes to the controls.
        var needsControls: Bool { self == .scrub }
        /// Whether it cannot be done offscreen.
        var needsWindow: Bool { self == .fullscreen || self == .float }
    }

    /// What draws.
    public enum RendererChoice: String, Sendable, CaseIterable {
        /// OpenGL ES where a GPU drives it, else the CPU.
        case auto
        /// OpenGL ES, whoever drives it.
        case gles
        /// The CPU.
        case software
    }

    /// What floats in a window of its own but a film.
    public enum Float: String, Sendable, CaseIterable {
        /// The time of day, with tenths of a second.
        case clock
        /// The line of subtitles that is spoken, and those around it.
        case lines
    }

    public struct Screenshot: Hashable, Sendable {
        /// From the media's beginning.
        public var time: Duration
        public var path: String

        public init(time: Duration, path: String) {
            self.time = time
            self.path = path
        }
    }

    /// Files, folders and addresses, in order; none opens the library.
    public var locations: [String] = []
    /// In points; nil: the video's own, as far as the screen has room.
    public var size: Size?
    public var position: Point?
    public var isBorderless = false
    public var isFullscreen = false
    public var isOnTop = false
    /// What floats from the beginning, beside or instead of a film.
    public var floats: [Float] = []
    public var player = PlayerOptions()
    /// Nil, as with the three below, leaves it to the settings and to how the file was last played. 0…1.3.
    public var volume: Double?
    public var isMuted: Bool?
    public var speed: Double?
    /// Whether hardware decodes.
    public var hardware: HardwareDecoding?
    /// Whether the settings file is not read.
    public var ignoresSettings = false
    /// Whether what is played is neither remembered nor gone on with.
    public var keepsNoHistory = false
    /// Ends the program after so much wall time from the first frame on.
    public var duration: Duration?
    public var exitsAtEnd = false
    public var isOffscreen = false
    /// What draws; nil leaves it to the settings.
    public var renderer: RendererChoice?
    public var showsControls = true
    public var screenshots: [Screenshot] = []
    public var reportPath: String?
    public var frameLogPath: String?
    /// Set for `bench`: it ends with the media, and prints a table.
    public var scenario: Scenario?
    /// What a measurement puts on the film's page, or beneath it.
    var load: BenchmarkPages?

    public init() {}

    /// What was said of the media, against which nothing else counts.
    var asked: LaunchOverrides { LaunchOverrides(start: player.start, volume: volume, isMuted: isMuted, speed: speed) }

    /// What was not said is as in the settings.
    func completed(by settings: Settings) -> LaunchOptions {
        var options = self
        options.player.volume = volume ?? settings.playback.volume / 100
        options.player.isMuted = isMuted ?? settings.playback.isMuted
        options.player.speed = speed ?? settings.playback.speed
        // The settings' reader lets no other names through.
        options.player.hardware = hardware ?? HardwareDecoding(name: settings.playback.hardware) ?? .off
        options.player.isLooping = player.isLooping || settings.playback.loops
        options.isFullscreen = isFullscreen || settings.interface.isFullscreen
        options.isOnTop = isOnTop || settings.interface.isOnTop
        options.renderer = renderer ?? RendererChoice(rawValue: settings.interface.renderer.rawValue)
        return options
    }
}

/// How the program ended, as its exit status.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The file could not be played, or there is nothing to show it on.
    case failed = 1
    case usage = 2
    /// Ended by SIGINT or SIGTERM.
    case terminated = 4
}
