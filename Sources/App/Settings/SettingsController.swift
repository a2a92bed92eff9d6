import Controls
import Settings
import Time

/// The current settings and the key map derived from them. Main thread.
@MainActor final class SettingsController {
    private(set) var current = Settings()
    private(set) var keyMap = KeyMap()
    /// Applies `current` to the program. The argument is the previous settings.
    var onChange: (@MainActor (Settings) -> Void)?
    /// The user's settings file; nil if this run does not use it.
    let file: SettingsFile?
    private let console: Console
    private let pages: Pages

    init(file: SettingsFile?, console: Console, pages: Pages) {
        self.file = file
        self.console = console
        self.pages = pages
    }

    /// Applies the settings file if it has changed. Prints the errors in the file, and shows the first one on the
    /// player's page.
    func advance(to now: HostTime) {
        guard let news = file?.takeUpdate() else { return }
        for mistake in news.mistakes { console.error("\(mistake)") }
        if let first = news.mistakes.first { pages.player?.tell(.gear, "\(first)", now: now) }
        apply(news.settings)
        pages.setNeedsTick()
    }

    /// Applies new settings. Settings that matter only at startup, such as the renderer and the initial volume, take
    /// effect when the program next starts.
    func apply(_ settings: Settings) {
        let previous = current
        current = settings
        keyMap = KeyMap(changes: settings.keys)
        onChange?(previous)
    }

    /// Applies the current settings again, for objects that were created since the last change.
    func reapply() { onChange?(current) }

    /// Stores the user's choice of library view in the current settings and in the settings file. Does not call
    /// `onChange`.
    func setLibraryView(_ view: Settings.Library.View) {
        current.library.view = view
        let console = console
        file?.set("view", in: "library", to: view.rawValue) { console.error("\($0)") }
    }
}
