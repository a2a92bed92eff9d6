extension SettingsOption {
    /// The names of all sections, in the order of the sample file.
    static let sections = [
        "playback", "subtitles", "danmaku", "pages", "video-gestures", "progress-bar", "interface", "floating",
        "library", "gestures", "keys",
    ]

    /// All options except those in the sections `gestures` and `keys`, in the order of the sample file.
    static let all: [SettingsOption] = [
        number("playback", "volume", 0...130, \.playback.volume, "Initial volume in percent."),
        flag("playback", "muted", \.playback.isMuted, "Start muted."),
        number("playback", "speed", 0.1...8, \.playback.speed, "Initial playback speed."),
        flag("playback", "resume", \.playback.resumes, "Resume videos where you left off."),
        flag("playback", "history", \.playback.keepsHistory, "Remember what you play. false also disables resuming."),
        flag("playback", "loop", \.playback.loops, "Repeat the video when it ends."),
        decoder(
            "playback", "hwdec", \.playback.hardware,
            """
            Hardware video decoding: "no"; "auto" to use it for H.264, HEVC, VP9 and AV1 where it is available; or a device, \
            such as "vaapi" or "cuda" (run glissade play --help for a list). Falls back to software decoding on failure.
            """),
        choice(
            "playback", "sync", \.playback.sync,
            """
            What sets the pace. "display": the display's refreshes, with audio resampled to follow, provided that the video's \
            frame rate matches the display's within 0.5 %; if not, audio. "sound": always audio.
            """),
        flag(
            "playback", "variable-refresh", \.playback.usesVariableRefresh,
            """
            In fullscreen, show each frame exactly when it is due. Only for displays with a variable refresh rate (VRR).
            """),
        languages(
            "playback", "audio-languages", \.playback.audioLanguages,
            #"Preferred audio languages, best first, such as ["ja", "en"]. [] uses the file's default."#),
        flag("subtitles", "visible", \.subtitles.isShown, "Show subtitles when available."),
        number("subtitles", "scale", 0.25...4, \.subtitles.scale, "Subtitle size, relative to the normal size."),
        languages(
            "subtitles", "languages", \.subtitles.languages,
            "Preferred subtitle languages, best first. [] uses the file's default."),
        encoding(
            "subtitles", "encoding", \.subtitles.encoding,
            """
            Encoding of subtitles that are not Unicode: "auto" finds it out; or a name, such as "windows-1251", "gb18030" or \
            "shift_jis".
            """),
        flag("danmaku", "visible", \.danmaku.isShown, "Show comments over the video when available."),
        number("danmaku", "opacity", 0.1...1, \.danmaku.opacity, "Opacity of comments."),
        number("danmaku", "scale", 0.25...4, \.danmaku.scale, "Font size, relative to the normal size."),
        number(
            "danmaku", "height", 0.1...1, \.danmaku.height, "Fraction of the video's height that comments may cover."),
        number("danmaku", "speed", 0.25...4, \.danmaku.speed, "Speed, relative to the normal 8 s for a crossing."),
        number("danmaku", "limit", 1...1000, \.danmaku.limit, "Most comments visible at a time."),
        flag(
            "danmaku", "overlap", \.danmaku.overlaps,
            "Let a comment overlap others of its kind if there is no room for it. false leaves it out."),
        flag("danmaku", "leftward", \.danmaku.showsLeftward, "Show comments that move to the left."),
        flag("danmaku", "rightward", \.danmaku.showsRightward, "Show comments that move to the right."),
        flag("danmaku", "top", \.danmaku.showsTop, "Show comments that rest at the top."),
        flag("danmaku", "bottom", \.danmaku.showsBottom, "Show comments that rest at the bottom."),
        texts("danmaku", "hidden-words", \.danmaku.hiddenWords, "Hide comments that contain one of these words."),
        texts("danmaku", "hidden-users", \.danmaku.hiddenUsers, "Hide comments by these users, as named in the file."),
        choice(
            "pages", "drag-from", \.pages.dragOrigin,
            """
            Where a drag that moves a page can begin: "anywhere" on it, only near its "edge", or "nowhere".
            """),
        number(
            "pages", "drag-range", 0...10000, \.pages.dragRange,
            "Farthest from the left edge that a drag can begin to go back, in points; 0 for no limit."),
        number(
            "pages", "commit", 0.05...0.95, \.pages.commit,
            "Fraction of the width by which a page must be dragged to go back."),
        choice(
            "pages", "style", \.pages.style,
            """
            How pages move. The lower page moves more slowly; with "parallax", it is dimmed a little and the upper page casts \
            a shadow; with "shift", there is only the shadow; with "masked-shift", it is dimmed strongly, without a shadow.
            """),
        flag("pages", "player", \.pages.dragsPlayer, "Let a drag go back from the video."),
        flag("pages", "folders", \.pages.dragsFolders, "Let a drag go back from a folder."),
        flag("pages", "details", \.pages.dragsDetails, "Let a drag go back from file details and the list of keys."),
        number(
            "video-gestures", "skip", 1...600, \.videoGestures.skipSeconds,
            "Seconds that a double click in the left or right quarter skips."),
        number(
            "video-gestures", "hold-speed", 0.1...8, \.videoGestures.holdSpeed,
            "Speed factor while the pointer is pressed and held."),
        number(
            "video-gestures", "drag-span", 0.2...4, \.videoGestures.dragSpan,
            "Fraction of the video's height that a drag covers to change the volume or brightness by its whole range."),
        number(
            "video-gestures", "wheel-step", 1...20, \.videoGestures.wheelStep,
            "Percentage points by which one notch of the wheel changes the volume."),
        choice(
            "video-gestures", "horizontal-scroll", \.videoGestures.horizontalScroll,
            """
            What a horizontal scroll does: "pages" drags the page, and seeks only with Shift; "seek" always seeks.
            """),
        number("progress-bar", "thickness", 1...24, \.progressBar.thickness, "Height of the bar in points."),
        number("progress-bar", "thumb", 4...48, \.progressBar.thumb, "Diameter of the thumb in points."),
        flag("progress-bar", "thumb-at-rest", \.progressBar.showsThumb, "Show the thumb even without the pointer."),
        color("progress-bar", "color", \.progressBar.color, "Color of the played part."),
        color("progress-bar", "dragged-color", \.progressBar.draggedColor, "Color of the played part during a drag."),
        number(
            "interface", "controls-timeout", 0.5...60, \.interface.controlsTimeoutSeconds,
            "Seconds without pointer movement until the controls hide."),
        flag("interface", "fullscreen", \.interface.isFullscreen, "Start in fullscreen."),
        flag("interface", "on-top", \.interface.isOnTop, "Keep the window above other windows."),
        flag(
            "interface", "fullscreen-turns", \.interface.turnsInFullscreen,
            "Rotate everything by 90° for portrait video in fullscreen on a landscape screen (and vice versa)."),
        choice(
            "interface", "renderer", \.interface.renderer,
            """
            "auto" uses OpenGL ES with a GPU and software rendering without one; "gles" always uses OpenGL ES; "software" \
            always renders in software. Takes effect at the next start.
            """),
        flag(
            "floating", "leaves-page", \.floating.leavesPage,
            "Go back to the previous page when picture-in-picture starts."),
        format(
            "floating", "clock", \.floating.clockFormat,
            """
            Format of the floating clock: yyyy, MM, dd, HH, mm, ss and S stand for the year, month, day, hour, minute, second \
            and tenth of a second, as in "yyyy-MM-dd HH:mm:ss.S".
            """),
        number(
            "floating", "subtitle-scale", 0.5...3, \.floating.linesScale,
            "Font size of the floating subtitles, relative to the normal size."),
        color(
            "floating", "subtitle-color", \.floating.linesColor, "Color of the current line of the floating subtitles."),
        color(
            "floating", "subtitle-other-color", \.floating.otherLinesColor,
            "Color of the previous and the next line of the floating subtitles."),
        choice(
            "library", "view", \.library.view,
            """
            How folders are shown: "list", or "cards", whose videos play in place. The v key switches between them \
            and remembers the choice until this option changes.
            """),
        flag("library", "play-in-rows", \.library.playsInRows, "Play videos in the rows of the list, as in cards."),
        flag("library", "sound", \.library.hasAudio, "Play audio with videos that play in place."),
        choice(
            "library", "out-of-view", \.library.leaving,
            """
            What a video that plays in place does when it scrolls out of view: "corner" continues in a corner of the page, \
            "stop" stops playback.
            """),
        number(
            "library", "visible-fraction", 0.1...0.9, \.library.visibleFraction,
            "Fraction of a picture that must be visible for its video to keep playing in place."),
        flag("library", "next", \.library.playsNext, "When a video that plays in place ends, play the next one."),
    ]

    /// The names and help texts of the `[gestures]` section. All gestures are enabled by default.
    static let gestures: [(name: String, help: String)] = [
        ("click", "Show or hide the controls."),
        ("double-click", "Toggle fullscreen."),
        ("double-click-left", "In the left quarter: skip back 10 s."),
        ("double-click-right", "In the right quarter: skip forward 10 s."),
        ("pop-drag", "Drag right: go back a page."),
        ("bound-drag", "Drag left: show details."),
        ("brightness-drag", "Drag up or down in the left half: brightness."),
        ("volume-drag", "Drag up or down in the right half, or with two fingers: volume."),
        ("dismiss-drag", "Drag down in the middle third: leave fullscreen."),
        ("long-press", "Press and hold: double speed."),
        ("wheel", "Scroll: volume."),
        ("horizontal-wheel", "Shift+scroll: seek. Horizontal scrolling without Shift drags the page."),
        ("pinch", "Pinch: fit the video into the window, or fill the window."),
    ]
}

extension Settings.Interface {
    fileprivate var controlsTimeoutSeconds: Double {
        get { controlsTimeout / .seconds(1) }
        set { controlsTimeout = .seconds(newValue) }
    }
}
