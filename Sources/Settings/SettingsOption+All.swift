extension SettingsOption {
    /// The names of all sections, in the order of the sample file.
    static let sections = ["playback", "subtitles", "danmaku", "interface", "floating", "library", "gestures", "keys"]

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
        flag("danmaku", "visible", \.danmaku.isShown, "Show comments over the video when available."),
        number("danmaku", "opacity", 0.1...1, \.danmaku.opacity, "Opacity of comments."),
        number("danmaku", "scale", 0.25...4, \.danmaku.scale, "Font size, relative to the normal size."),
        number(
            "danmaku", "height", 0.1...1, \.danmaku.height, "Share of the video's height that comments may cover."),
        number("danmaku", "speed", 0.25...4, \.danmaku.speed, "Speed, relative to the normal 8 s for a crossing."),
        number("danmaku", "limit", 1...1000, \.danmaku.limit, "Most comments visible at a time."),
        flag(
            "danmaku", "overlap", \.danmaku.overlaps,
            "Let a comment overlap others if there is no room for it. false leaves it out."),
        flag("danmaku", "leftward", \.danmaku.showsLeftward, "Show comments that move to the left."),
        flag("danmaku", "rightward", \.danmaku.showsRightward, "Show comments that move to the right."),
        flag("danmaku", "top", \.danmaku.showsTop, "Show comments that rest at the top."),
        flag("danmaku", "bottom", \.danmaku.showsBottom, "Show comments that rest at the bottom."),
        texts("danmaku", "hidden-words", \.danmaku.hiddenWords, "Hide comments that contain one of these words."),
        texts("danmaku", "hidden-users", \.danmaku.hiddenUsers, "Hide comments by these users, as named in the file."),
        number(
            "interface", "controls-timeout", 0.5...60, \.interface.controlsTimeoutSeconds,
            "Seconds without pointer movement until the controls hide."),
        flag("interface", "fullscreen", \.interface.isFullscreen, "Start in fullscreen."),
        flag("interface", "on-top", \.interface.isOnTop, "Keep the window above other windows."),
        flag(
            "interface", "fullscreen-turns", \.interface.turnsInFullscreen,
            "Rotate portrait video by 90° in fullscreen on a landscape screen (and vice versa)."),
        choice(
            "interface", "renderer", \.interface.renderer,
            """
            "auto" uses OpenGL ES with a GPU and software rendering without one; "gles" always uses OpenGL ES; "software" \
            always renders in software. Takes effect at the next start.
            """),
        flag(
            "floating", "leaves-page", \.floating.leavesPage,
            "Go back to the previous page when picture-in-picture starts."),
        choice(
            "library", "view", \.library.view,
            """
            How folders are shown: "list", or "cards", whose videos play in place. The v key switches between them.
            """),
        flag("library", "sound", \.library.hasAudio, "Play audio for cards that play in place."),
        choice(
            "library", "out-of-view", \.library.leaving,
            """
            What a playing card does when it scrolls out of view: "corner" continues in a corner of the page, "stop" stops \
            playback.
            """),
        flag("library", "next", \.library.playsNext, "When a card's video ends, play the next card."),
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
        ("volume-drag", "Drag up or down in the right half: volume."),
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
