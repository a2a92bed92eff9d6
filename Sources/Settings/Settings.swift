/// What a person has set. A value; any thread.
///
/// Each section of the file is one of its parts, each option one of their properties; `SettingsOption` joins them. As made
/// by `init()` it holds the defaults.
public struct Settings: Hashable, Sendable {
    /// What keys do, where it is not what they do by default.
    public var keys: [KeyChord: KeyBinding] = [:]
    /// Gestures by their names, on or off, where a person says so.
    public var gestures: [String: Bool] = [:]
    public var playback = Playback()
    public var subtitles = Subtitles()
    public var interface = Interface()
    public var floating = Floating()
    public var library = Library()

    public init() {}

    /// What a key does instead of what it does by default.
    public enum KeyBinding: Hashable, Sendable {
        case command(String)
        /// Nothing: the default is taken away.
        case none
    }

    public struct Playback: Hashable, Sendable {
        /// Hundredths of the media's own level, 0 to 130.
        public var volume = 100.0
        public var isMuted = false
        /// Media seconds a second, 0.1 to 8.
        public var speed = 1.0
        /// Whether a film goes on where it was left.
        public var resumes = true
        /// Whether what is played is remembered at all.
        public var keepsHistory = true
        public var loops = false
        /// What decodes pictures: `no`, `auto` or a device's name, one of the vocabulary's `decoders`.
        public var hardware = "no"
        /// Languages of sound tracks, the best first, as ISO 639 codes; empty takes the file's own choice.
        public var audioLanguages: [String] = []

        public init() {}
    }

    public struct Subtitles: Hashable, Sendable {
        public var isShown = true
        /// Of the size that they have by themselves, 0.25 to 4.
        public var scale = 1.0
        /// Languages of subtitle tracks, the best first, as ISO 639 codes; empty takes the file's own choice.
        public var languages: [String] = []

        public init() {}
    }

    public struct Interface: Hashable, Sendable {
        /// What draws.
        public enum Renderer: String, Hashable, Sendable, CaseIterable {
            /// OpenGL ES where a GPU drives it, else the CPU.
            case auto
            /// OpenGL ES, whoever drives it.
            case gles
            /// The CPU.
            case software
        }

        public var renderer = Renderer.auto
        /// How long the controls stay after the last move of the hand, 0.5 s to 60 s.
        public var controlsTimeout = Duration.seconds(3)
        /// Whether films begin in fullscreen.
        public var isFullscreen = false
        /// Whether the window stays above others.
        public var isOnTop = false
        /// Whether a film that is upright where the screen lies, or the other way round, is turned by a quarter in
        /// fullscreen.
        public var turnsInFullscreen = false

        public init() {}
    }

    public struct Floating: Hashable, Sendable {
        /// Whether the film's page goes when the film floats.
        public var leavesPage = true

        public init() {}
    }

    public struct Library: Hashable, Sendable {
        /// How a folder is shown.
        public enum View: String, Hashable, Sendable, CaseIterable {
            /// A row for each film, with a small poster.
            case list
            /// A large picture for each film, which plays in place.
            case cards
        }

        /// What becomes of a film that plays in a card when that goes out of view.
        public enum Leaving: String, Hashable, Sendable, CaseIterable {
            /// It goes on in a corner of the page.
            case corner
            case stop
        }

        public var view = View.list
        /// Whether a card is heard before it was opened.
        public var hasSound = false
        public var leaving = Leaving.corner
        /// Whether at the end of a card's film the next card's begins.
        public var playsNext = false

        public init() {}
    }

    /// The gestures that are turned off, by their names.
    public var disabledGestures: Set<String> { Set(gestures.lazy.filter { !$0.value }.map(\.key)) }
}
