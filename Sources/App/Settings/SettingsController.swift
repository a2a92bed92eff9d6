import Controls
import Settings
import Time

/// The current settings, and the key map made from them. Main thread.
@MainActor final class SettingsController {
    private(set) var current = Settings()
    private(set) var keyMap = KeyMap()
    /// Applies `current`; called with the settings before.
    var onChange: (@MainActor (Settings) -> Void)?
    /// Nil if the defaults apply.
    let file: SettingsFile?
    private let console: Console
    private let pages: Pages

    init(file: SettingsFile?, console: Console, pages: Pages) {
        self.file = file
        self.console = console
        self.pages = pages
    }

    /// Applies the settings file if it has changed, and reports its mistakes.
    func advance(to now: HostTime) {
        guard let news = file?.takeUpdate() else { return }
        for mistake in news.mistakes { console.error("\(mistake)") }
        if let first = news.mistakes.first { pages.player?.tell(.gear, "\(first)", now: now) }
        apply(news.settings)
        pages.setNeedsTick()
    }

    /// Applies new settings. Those for the start of playback take effect the next time the program starts.
    func apply(_ settings: Settings) {
        let previous = current
        current = settings
        keyMap = KeyMap(changes: settings.keys)
        onChange?(previous)
    }

    /// Applies the current settings to what was opened since.
    func reapply() { onChange?(current) }

    /// Stores the view that the user has switched the library to.
    func setLibraryView(_ view: Settings.Library.View) {
        current.library.view = view
        let console = console
        file?.set("view", in: "library", to: view.rawValue) { console.error("\($0)") }
    }
}
