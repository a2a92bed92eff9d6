extension SettingsOption {
    /// All sections, in the order of the sample file. The vocabulary defines the names in `gestures` and `keys`.
    static let sections = ["playback", "subtitles", "interface", "floating", "library", "gestures", "keys"]

    /// All options, in the order of the sample file.
    static let all: [SettingsOption] = [
        number("playback", "volume", 0...130, \.playback.volume, "Initial volume in percent."),
        flag("playback", "muted", \.playback.isMuted, "Start muted."),
        number("playback", "speed", 0.1...8, \.playback.speed, "Initial playback speed."),
        flag("playback", "resume", \.playback.resumes, "Resume films where you left off."),
        flag("playback", "history", \.playback.keepsHistory, "Remember what you play. false also disables resume."),
        flag("playback", "loop", \.playback.loops, "Repeat the film when it ends."),
        decoder(
            "playback", "hwdec", \.playback.hardware,
            """
            Hardware video decoding: "no"; "auto" to use it where it is available and helps; or a device, such as "vaapi" \
            or "cuda" (run glissade play --help for a list). Falls back to software decoding on failure.
            """),
        choice(
            "playback", "sync", \.playback.sync,
            """
            What sets the pace: "display" plays a film in step with the display's refreshes if their rates differ by at most \
            0.5 %, and resamples audio to follow; with "sound", audio always leads.
            """),
        flag(
            "playback", "variable-refresh", \.playback.usesVariableRefresh,
            "In fullscreen, show each frame exactly at its time. Only for displays with a variable refresh rate (VRR)."),
        languages(
            "playback", "audio-languages", \.playback.audioLanguages,
            #"Preferred audio languages, best first, such as ["ja", "en"]. [] uses the file's default."#),
        flag("subtitles", "visible", \.subtitles.isShown, "Show subtitles when available."),
        number("subtitles", "scale", 0.25...4, \.subtitles.scale, "Subtitle size, relative to the normal size."),
        languages(
            "subtitles", "languages", \.subtitles.languages,
            "Preferred subtitle languages, best first. [] uses the file's default."),
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
            never does. Takes effect at the next start.
            """),
        flag("floating", "leaves-page", \.floating.leavesPage, "Leave the film's page when picture-in-picture starts."),
        choice(
            "library", "view", \.library.view,
            #"How a folder is shown: as a "list", or as "cards", which play in place. The v key switches."#),
        flag("library", "sound", \.library.hasAudio, "Play audio for cards that play in place."),
        choice(
            "library", "out-of-view", \.library.leaving,
            """
            What happens to a playing card that scrolls out of view: it continues in a "corner" of the page, or playback \
            will "stop".
            """),
        flag("library", "next", \.library.playsNext, "Play the next card when one ends."),
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
        ("long-press", "Hold: double speed."),
        ("wheel", "Scroll: volume."),
        ("horizontal-wheel", "Scroll sideways: seek."),
        ("pinch", "Fit the film into the window, or fill the window."),
    ]
}

extension Settings.Interface {
    fileprivate var controlsTimeoutSeconds: Double {
        get { controlsTimeout / .seconds(1) }
        set { controlsTimeout = .seconds(newValue) }
    }
}
