import GlissadeControls
import GlissadeLayers
import GlissadeSettings
import GlissadeTime

/// The current settings and the key map derived from them. Main thread.
@MainActor final class SettingsController: Advancing {
    private(set) var current = Settings()
    private(set) var keyMap = KeyMap()
    /// Each passes a part of the settings on if it differs from the same part of the previous settings.
    private var observers: [@MainActor (_ previous: Settings, _ current: Settings) -> Void] = []
    /// The user's settings file; nil if this run does not use it.
    private let file: SettingsFile?
    let chosenView: LibraryViewMemory
    private let console: Console
    private let pages: Pages
    /// Whether settings have been applied.
    private var isApplied = false
    /// The message about mistakes in the file that has yet to be shown; nil if there is none.
    private var notice: String?
    /// How long the message is shown.
    private static let noticeDuration = Duration.seconds(4)

    init(file: SettingsFile?, chosenView: LibraryViewMemory, console: Console, pages: Pages) {
        self.file = file
        self.chosenView = chosenView
        self.console = console
        self.pages = pages
    }

    /// Applies the settings file if it has changed. Prints the mistakes in the file, and shows the first one on the top
    /// page once no page is moving.
    func advance(to now: HostTime) -> Bool {
        let update = file?.takeUpdate()
        if let update { take(update) }
        guard let notice, let toast = pages.toast else { return update != nil }
        self.notice = nil
        toast.show(
            Toast.Message(kind: Icon.gear.rawValue, icon: .gear, text: notice, rest: Self.noticeDuration), now: now)
        return true
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
        current = settings
        if settings.keys != previous.keys { keyMap = KeyMap(changes: settings.keys) }
        // The first settings are no change: the user may have chosen a view over them in an earlier run.
        if isApplied, settings.library.view != previous.library.view {
            chosenView.settingChanged(to: settings.library.view)
        }
        isApplied = true
        for observer in observers { observer(previous, settings) }
    }

    /// Calls `apply` with a part of the settings: now, and whenever that part changes.
    ///
    /// For objects that keep what a setting says. Whoever creates such an object later gives it the same part of
    /// `current`, by the function that `apply` calls. Everything else reads `current` when it needs a setting.
    func observe<Part: Equatable>(
        _ part: KeyPath<Settings, Part> & Sendable, by apply: @escaping @MainActor (Part) -> Void
    ) {
        observers.append { previous, current in
            if current[keyPath: part] != previous[keyPath: part] { apply(current[keyPath: part]) }
        }
        apply(current[keyPath: part])
    }

    /// The view in which the library is shown: the user's last choice, or else the setting.
    var libraryView: Settings.Library.View { chosenView.view(over: current.library.view) }

    /// Remembers the user's choice of library view in the state folder.
    func setLibraryView(_ view: Settings.Library.View) { chosenView.choose(view, over: current.library.view) }

    /// Blocks until everything remembered is written. Called when the program ends or changes the renderer.
    func finish() { chosenView.finish() }
}
