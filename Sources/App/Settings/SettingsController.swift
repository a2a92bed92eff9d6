import Controls
import Settings
import Time

/// The current settings, and the key map made from them. Main thread.
@MainActor final class SettingsController {
    private(set) var current = Settings()
    private(set) var keyMap = KeyMap()
    /// Called to apply `current`, with the previous settings.
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

    /// Applies the settings file if it has changed, and reports errors in it.
    func advance(to now: HostTime) {
        guard let news = file?.takeUpdate() else { return }
        for mistake in news.mistakes { console.error("\(mistake)") }
        if let first = news.mistakes.first { pages.player?.tell(.gear, "\(first)", now: now) }
        apply(news.settings)
        pages.setNeedsTick()
    }

    /// Applies new settings. Those that concern the start of playback take effect at the program's next start.
    func apply(_ settings: Settings) {
        let previous = current
        current = settings
        keyMap = KeyMap(changes: settings.keys)
        onChange?(previous)
    }

    /// Applies the current settings to windows and pages opened since.
    func reapply() { onChange?(current) }

    /// Stores the library view that the user has chosen.
    func setLibraryView(_ view: Settings.Library.View) {
        current.library.view = view
        let console = console
        file?.set("view", in: "library", to: view.rawValue) { console.error("\($0)") }
    }
}
