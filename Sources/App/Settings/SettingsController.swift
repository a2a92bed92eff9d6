import GlissadeControls
import GlissadeLayers
import GlissadeSettings
import GlissadeTime

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
    /// Whether settings have been applied.
    private var isApplied = false
    /// The message about mistakes in the file that has yet to be shown; nil if there is none.
    private var notice: String?
    /// How long the message is shown.
    private static let noticeDuration = Duration.seconds(4)

    init(file: SettingsFile?, console: Console, pages: Pages) {
        self.file = file
        self.console = console
        self.pages = pages
    }

    /// Applies the settings file if it has changed. Prints the mistakes in the file, and shows the first one on the top
    /// page once no page is moving.
    func advance(to now: HostTime) {
        if let update = file?.takeUpdate() {
            take(update)
            pages.setNeedsTick()
        }
        guard let notice, let toast = pages.toast else { return }
        self.notice = nil
        toast.show(
            Toast.Message(kind: Icon.gear.rawValue, icon: .gear, text: notice, rest: Self.noticeDuration), now: now)
        pages.setNeedsTick()
    }

    /// Applies an update, unless its file is not valid TOML. The current settings then stay: of a file that is being
    /// edited, whole sections could be missing.
    private func take(_ update: SettingsUpdate) {
        for mistake in update.mistakes { console.error("\(mistake)") }
        let keepsCurrent = isApplied && update.hasSyntaxErrors
        let mistake = update.mistakes.first { !keepsCurrent || $0.isSyntaxError }
        notice = mistake.map { keepsCurrent ? "Settings not applied: \($0)" : "\($0)" }
        guard keepsCurrent else { return apply(update.settings) }
        if let file = update.mistakes.first?.file {
            console.error("\(file): not applied, because it is not valid TOML")
        }
    }

    /// Applies new settings. Settings that matter only at startup, such as the renderer and the initial volume, take
    /// effect when the program next starts.
    func apply(_ settings: Settings) {
        let previous = current
        isApplied = true
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
