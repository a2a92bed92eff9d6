/// The user's settings, initially the defaults.
///
/// Each section of the settings file is a property. `keys` and `gestures` are dictionaries; the other sections are
/// structs with a property for each option. `SettingsOption` maps the options to these properties.
package struct Settings: Hashable, Sendable {
    /// The `[keys]` section: the key bindings that replace defaults or add to them.
    package var keys: [KeyChord: KeyBinding] = [:]
    /// The `[gestures]` section: for each gesture name, whether the gesture is enabled. Gestures that are not listed
    /// are enabled.
    package var gestures: [String: Bool] = [:]
    /// The `[playback]` section.
    package var playback = Playback()
    /// The `[subtitles]` section.
    package var subtitles = Subtitles()
    /// The `[danmaku]` section.
    package var danmaku = Danmaku()
    /// The `[pages]` section.
    package var pages = Pages()
    /// The `[video-gestures]` section.
    package var videoGestures = VideoGestures()
    /// The `[progress-bar]` section.
    package var progressBar = ProgressBar()
    /// The `[interface]` section.
    package var interface = Interface()
    /// The `[floating]` section.
    package var floating = Floating()
    /// The `[library]` section.
    package var library = Library()

    /// Creates the default settings.
    package init() {}

    /// What a key does instead of its default.
    package enum KeyBinding: Hashable, Sendable {
        /// The key performs a command. The string contains the command and its arguments, as in the file.
        case command(String)
        /// The key does nothing.
        case none
    }

    /// The options of the `[playback]` section.
    package struct Playback: Hashable, Sendable {
        /// What sets the pace of a film.
        package enum Sync: String, CaseIterable, Sendable {
            /// The display sets the pace if its refresh rate is within 0.5 % of a whole or half-integer multiple of
            /// the film's frame rate; audio is resampled to follow. Otherwise, audio sets the pace.
            case display
            /// Audio always sets the pace.
            case sound
        }

        /// The initial volume in percent, 0 to 130.
        package var volume = 100.0
        /// Whether playback starts muted.
        package var isMuted = false
        /// The initial playback speed, 0.1 to 8.
        package var speed = 1.0
        /// Whether a film resumes at the position where the user last stopped it.
        package var resumes = true
        /// Whether a play history is kept.
        package var keepsHistory = true
        /// Whether a film starts over when it ends.
        package var loops = false
        /// The hardware decoder: `no`, `auto` or a device. One of `SettingsVocabulary.decoders`.
        package var hardware = "no"
        /// What sets the pace of a film.
        package var sync = Sync.display
        /// Whether fullscreen shows each frame exactly when it is due. Meant for displays with a variable refresh
        /// rate.
        package var usesVariableRefresh = false
        /// The preferred audio languages, best first, as ISO 639 codes or BCP 47 tags. If empty, the file's default is
        /// used.
        package var audioLanguages: [String] = []

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[subtitles]` section.
    package struct Subtitles: Hashable, Sendable {
        /// Whether subtitles are shown when available.
        package var isShown = true
        /// The size of subtitles as a multiple of the normal size, 0.25 to 4.
        package var scale = 1.0
        /// The preferred subtitle languages, best first, as ISO 639 codes or BCP 47 tags. If empty, the file's default
        /// is used.
        package var languages: [String] = []
        /// The encoding of subtitles that are not Unicode: `auto` or one of `SettingsVocabulary.encodings`.
        package var encoding = "auto"

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[danmaku]` section, for the comments that move over the video.
    package struct Danmaku: Hashable, Sendable {
        /// Whether comments are shown when available.
        package var isShown = true
        /// The opacity of comments, 0.1 to 1.
        package var opacity = 0.8
        /// The font size as a multiple of the normal size, 0.25 to 4.
        package var scale = 1.0
        /// The fraction of the video's height that comments may cover, 0.1 to 1.
        package var height = 0.75
        /// The speed factor, 0.25 to 4: at 2, comments move twice as fast.
        package var speed = 1.0
        /// The maximum number of comments visible at a time, 1 to 1000.
        package var limit = 100.0
        /// Whether a comment without a free lane overlaps others. If false, it is left out.
        package var overlaps = false
        /// Whether comments that move to the left, the usual direction, are shown.
        package var showsLeftward = true
        /// Whether comments that move to the right are shown.
        package var showsRightward = true
        /// Whether comments that rest at the top are shown.
        package var showsTop = true
        /// Whether comments that rest at the bottom are shown.
        package var showsBottom = true
        /// Words that hide the comments that contain them, regardless of case.
        package var hiddenWords: [String] = []
        /// The users whose comments are hidden, as named in the file.
        package var hiddenUsers: [String] = []

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[pages]` section: dragging pages, and their transitions.
    package struct Pages: Hashable, Sendable {
        /// Where a drag that moves a page can begin.
        package enum DragOrigin: String, Hashable, Sendable, CaseIterable {
            /// Anywhere on the page.
            case anywhere
            /// Near the page's left or right edge.
            case edge
            /// Nowhere: a drag does not go back.
            case nowhere
        }

        /// How pages move in a transition.
        package enum Style: String, Hashable, Sendable, CaseIterable {
            /// The lower page moves more slowly and is dimmed; the upper page casts a shadow.
            case parallax
            /// The lower page moves more slowly; the upper page casts a shadow.
            case shift
            /// The lower page moves more slowly and is dimmed strongly, without a shadow.
            case maskedShift = "masked-shift"
        }

        /// Where a drag that moves a page can begin.
        package var dragOrigin = DragOrigin.anywhere
        /// The maximum distance from the left edge at which a drag can begin to go back, in points; 0 for no limit.
        package var dragRange = 0.0
        /// The fraction of the width by which a page must be dragged to go back, 0.05 to 0.95.
        package var commit = 0.35
        /// How pages move in a transition.
        package var style = Style.parallax
        /// Whether a drag goes back from the player's page.
        package var dragsPlayer = true
        /// Whether a drag goes back from a folder.
        package var dragsFolders = true
        /// Whether a drag goes back from the pages with file details and keys.
        package var dragsDetails = true

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[video-gestures]` section: the amounts by which gestures on the video change something.
    package struct VideoGestures: Hashable, Sendable {
        /// What a horizontal scroll does.
        package enum HorizontalScroll: String, Hashable, Sendable, CaseIterable {
            /// Moves the page; with Shift, seeks.
            case pages
            /// Seeks.
            case seek
        }

        /// The number of seconds that a double click skips, 1 to 600.
        package var skipSeconds = 10.0
        /// The factor by which a long press changes the speed, 0.1 to 8.
        package var holdSpeed = 2.0
        /// The fraction of the video's height that a drag must cover to change the volume or the brightness by its whole
        /// range, 0.2 to 4.
        package var dragSpan = 0.8
        /// The change of the volume by one notch of the wheel, in percentage points, 1 to 20.
        package var wheelStep = 2.0
        /// What a horizontal scroll does.
        package var horizontalScroll = HorizontalScroll.pages

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[progress-bar]` section. Lengths are in points, and colors are 0xRRGGBB.
    package struct ProgressBar: Hashable, Sendable {
        /// The height of the bar at rest, 1 to 24.
        package var thickness = 4.0
        /// The diameter of the thumb at rest, 4 to 48.
        package var thumb = 12.0
        /// Whether the thumb is visible at rest.
        package var showsThumb = false
        /// The color of the played part.
        package var color = 0x7AA8FF
        /// The color of the played part while the user drags the thumb.
        package var draggedColor = 0xF2F2F6

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[interface]` section: the window, its controls and the renderer.
    package struct Interface: Hashable, Sendable {
        /// How the window is drawn.
        package enum Renderer: String, Hashable, Sendable, CaseIterable {
            /// OpenGL ES if there is a GPU; otherwise software rendering.
            case auto
            /// OpenGL ES, even without a GPU.
            case gles
            /// Software rendering.
            case software
        }

        /// How the window is drawn. Takes effect at the next start.
        package var renderer = Renderer.auto
        /// How long the controls stay visible after the last pointer movement, 0.5 to 60 s.
        package var controlsTimeout = Duration.seconds(3)
        /// Whether playback starts in fullscreen.
        package var isFullscreen = false
        /// Whether the window stays above other windows.
        package var isOnTop = false
        /// Whether fullscreen rotates portrait video, with everything over it, by 90° on a landscape screen, and
        /// landscape video on a portrait screen.
        package var turnsInFullscreen = false

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[floating]` section: picture-in-picture.
    package struct Floating: Hashable, Sendable {
        /// The format of the floating clock, such as `yyyy-MM-dd HH:mm:ss.S`.
        package var clockFormat = "HH:mm:ss.S"
        /// The font size of the floating subtitles as a multiple of the normal size, 0.5 to 3.
        package var linesScale = 1.0
        /// The color of the current line of the floating subtitles, as 0xRRGGBB.
        package var linesColor = 0xF2F2F6
        /// The color of the previous and the next line of the floating subtitles, as 0xRRGGBB.
        package var otherLinesColor = 0x9E9FA8
        /// Whether the program goes back from the player's page to the previous page when picture-in-picture starts.
        package var leavesPage = true

        /// Creates the default settings.
        package init() {}
    }

    /// The options of the `[library]` section: how folders and playlists are shown and played.
    package struct Library: Hashable, Sendable {
        /// How a folder is shown.
        package enum View: String, Hashable, Sendable, CaseIterable {
            /// A list of rows, each with a small poster.
            case list
            /// A list of cards, each with a large poster. A card's video plays in place.
            case cards
        }

        /// What happens to a video that plays in place when it scrolls out of view.
        package enum Leaving: String, Hashable, Sendable, CaseIterable {
            /// Playback continues in a corner of the page.
            case corner
            /// Playback stops.
            case stop
        }

        /// How a folder is shown.
        package var view = View.list
        /// Whether videos play in the rows of the list, as they do in cards.
        package var playsInRows = false
        /// Whether videos that play in place have audio.
        package var hasAudio = false
        /// What happens to a video that plays in place when it scrolls out of view.
        package var leaving = Leaving.corner
        /// The fraction of a picture that must be visible for its video to keep playing in place, 0.1 to 0.9.
        package var visibleFraction = 0.5
        /// Whether the next video starts to play when a video that plays in place ends.
        package var playsNext = false

        /// Creates the default settings.
        package init() {}
    }

    /// The names of the gestures that are disabled.
    package var disabledGestures: Set<String> { Set(gestures.lazy.filter { !$0.value }.map(\.key)) }
}
