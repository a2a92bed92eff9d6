/// The user's settings, initially the defaults. A value; any thread.
///
/// Sections of the file are nested structs and options are their properties. `SettingsOption` maps one to the other and
/// describes each option.
public struct Settings: Hashable, Sendable {
    /// Key bindings that differ from the defaults.
    public var keys: [KeyChord: KeyBinding] = [:]
    /// Whether a gesture is enabled, by name. Gestures that are not listed are enabled.
    public var gestures: [String: Bool] = [:]
    /// The `[playback]` section.
    public var playback = Playback()
    /// The `[subtitles]` section.
    public var subtitles = Subtitles()
    /// The `[interface]` section.
    public var interface = Interface()
    /// The `[floating]` section.
    public var floating = Floating()
    /// The `[library]` section.
    public var library = Library()

    /// The defaults.
    public init() {}

    /// The binding of a key, which replaces its default.
    public enum KeyBinding: Hashable, Sendable {
        /// A command and its arguments, as in the file.
        case command(String)
        /// The default is removed.
        case none
    }

    /// How playback starts.
    public struct Playback: Hashable, Sendable {
        /// The clock that sets the pace of a film.
        public enum Sync: String, CaseIterable, Sendable {
            /// The display, if its rate is close to a multiple of the film's; audio is resampled to follow.
            case display
            /// Audio.
            case sound
        }

        /// In percent, 0 to 130.
        public var volume = 100.0
        /// Whether playback starts muted.
        public var isMuted = false
        /// The playback speed, 0.1 to 8.
        public var speed = 1.0
        /// Whether films resume where the user left off.
        public var resumes = true
        /// Whether a play history is kept.
        public var keepsHistory = true
        /// Whether a film starts over when it ends.
        public var loops = false
        /// The video decoder: `no`, `auto` or a device, one of the vocabulary's `decoders`.
        public var hardware = "no"
        /// The clock that sets the pace of a film.
        public var sync = Sync.display
        /// Whether a display with a variable refresh rate shows each frame exactly at its time, in fullscreen.
        public var usesVariableRefresh = false
        /// Preferred audio languages, best first, as ISO 639 codes or BCP 47 tags. Empty uses the file's default.
        public var audioLanguages: [String] = []

        /// The defaults.
        public init() {}
    }

    /// Which subtitles are shown, and how large.
    public struct Subtitles: Hashable, Sendable {
        /// Whether subtitles are shown when available.
        public var isShown = true
        /// The size relative to the normal size, 0.25 to 4.
        public var scale = 1.0
        /// Preferred languages, best first, as ISO 639 codes or BCP 47 tags. Empty uses the file's default.
        public var languages: [String] = []

        /// The defaults.
        public init() {}
    }

    /// The window, its controls and the renderer.
    public struct Interface: Hashable, Sendable {
        /// How the window is drawn.
        public enum Renderer: String, Hashable, Sendable, CaseIterable {
            /// OpenGL ES with a GPU, software rendering without one.
            case auto
            /// OpenGL ES, even without a GPU.
            case gles
            /// Software rendering.
            case software
        }

        /// How the window is drawn. Takes effect at the next start.
        public var renderer = Renderer.auto
        /// How long the controls stay after the last pointer movement, 0.5 s to 60 s.
        public var controlsTimeout = Duration.seconds(3)
        /// Whether playback starts in fullscreen.
        public var isFullscreen = false
        /// Whether the window stays above other windows.
        public var isOnTop = false
        /// Whether fullscreen rotates portrait video by 90° on a landscape screen, and vice versa.
        public var turnsInFullscreen = false

        /// The defaults.
        public init() {}
    }

    /// Picture-in-picture.
    public struct Floating: Hashable, Sendable {
        /// Whether the film's page closes when picture-in-picture starts.
        public var leavesPage = true

        /// The defaults.
        public init() {}
    }

    /// Folders and playlists.
    public struct Library: Hashable, Sendable {
        /// How a folder is shown.
        public enum View: String, Hashable, Sendable, CaseIterable {
            /// A row with a small poster for each film.
            case list
            /// A large poster for each film, which plays in place.
            case cards
        }

        /// What happens to a playing card that scrolls out of view.
        public enum Leaving: String, Hashable, Sendable, CaseIterable {
            /// Playback continues in a corner of the page.
            case corner
            /// Playback stops.
            case stop
        }

        /// How a folder is shown.
        public var view = View.list
        /// Whether cards play with audio before they are opened.
        public var hasAudio = false
        /// What happens to a playing card that scrolls out of view.
        public var leaving = Leaving.corner
        /// Whether the next card plays when one ends.
        public var playsNext = false

        /// The defaults.
        public init() {}
    }

    /// The names of disabled gestures.
    public var disabledGestures: Set<String> { Set(gestures.lazy.filter { !$0.value }.map(\.key)) }
}
