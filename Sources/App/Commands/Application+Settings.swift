import Controls
import Settings
import Time

// What a person has set, at the start and whenever the file has changed.

extension Application {
    /// Takes in what the settings file says now, and what in it is of no use.
    func takeSettings(now: HostTime) {
        guard let news = settingsFile?.takeUpdate() else { return }
        for mistake in news.mistakes { console.error("\(mistake)") }
        if let first = news.mistakes.first { playerPage?.tell(.gear, "\(first)", now: now) }
        apply(news.settings)
        setNeedsTick()
    }

    /// What goes by the settings goes by these. What is set for how a film begins counts from the program's next
    /// start on.
    func apply(_ settings: Settings) {
        applyLibrary(settings.library)
        self.settings = settings
        keyMap = KeyMap(changes: settings.keys)
        fullscreen.shape = settings.interface.turnsInFullscreen ? .rotate : .fit
        playing?.subtitles.subtitles.scale = settings.subtitles.scale
        if let playerPage { apply(settings, to: playerPage) }
    }

    func apply(_ settings: Settings, to page: PlayerPage) {
        page.visibility.patience = settings.interface.controlsTimeout
        page.gestures.disabled = Set(settings.disabledGestures.compactMap(VideoGesture.init))
    }

    var subtitlePreference: SubtitleChoices.Preference {
        SubtitleChoices.Preference(isShown: settings.subtitles.isShown, languages: settings.subtitles.languages)
    }
}
