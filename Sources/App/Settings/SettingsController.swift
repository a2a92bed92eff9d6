import Controls
import Settings
import Time

/// The current settings, and the key map made from them. Main thread.
@MainActor final class SettingsController {
    private(set) var current = Settings()
    private(set) var keyMap = KeyMap()
    /// Called to apply `current` to the program. The parameter is the previous settings.
    var onChange: (@MainActor (Settings) -> Void)?
    /// The settings file; nil if the run does not use one.
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

    /// Applies new settings. Some, such as the renderer and the initial volume, take effect at the program's next
    /// start.
    func apply(_ settings: Settings) {
        let previous = current
        current = settings
        keyMap = KeyMap(changes: settings.keys)
        onChange?(previous)
    }

    /// Applies the current settings to objects that were created after the last change.
    func reapply() { onChange?(current) }

    /// Stores the user's choice of library view in the settings file.
    func setLibraryView(_ view: Settings.Library.View) {
        current.library.view = view
        let console = console
        file?.set("view", in: "library", to: view.rawValue) { console.error("\($0)") }
    }
}
