import GlissadePlatform
import GlissadeSettings

/// The view of the library that the user last chose with the button or the key, kept in the state folder.
///
/// The setting `library.view` is the view until the user chooses another. A choice lasts, also in later runs, until the
/// user changes the setting: what was written last applies. Main thread.
@MainActor final class LibraryViewMemory {
    typealias View = Settings.Library.View

    /// A choice, and the setting over which it was made.
    struct Choice: Equatable {
        var view: View
        var setting: View

        /// The text of the file: the view and the setting, as in `cards list`.
        var text: String { "\(view.rawValue) \(setting.rawValue)\n" }

        init(_ view: View, over setting: View) {
            self.view = view
            self.setting = setting
        }

        /// Returns nil if the text is malformed.
        init?(text: String) {
            let words = text.split(whereSeparator: \.isWhitespace).map { View(rawValue: String($0)) }
            guard words.count == 2, let view = words[0], let setting = words[1] else { return nil }
            self.init(view, over: setting)
        }
    }

    private let file: StateFile
    private var choice: Choice?
    private static let longestFile = 256

    /// - Parameter folder: The state folder; nil to remember the choice only in memory.
    init(folder: BytePath?) {
        file = StateFile("library-view", in: folder)
        // Read synchronously: the file has a dozen bytes, and the first library page needs them.
        choice = file.read(atMost: Self.longestFile).flatMap { Choice(text: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the view to show while `library.view` is `setting`.
    func view(over setting: View) -> View {
        guard let choice, choice.setting == setting else { return setting }
        return choice.view
    }

    func choose(_ view: View, over setting: View) {
        let choice = Choice(view, over: setting)
        guard choice != self.choice else { return }
        self.choice = choice
        file.write(Array(choice.text.utf8))
    }

    /// Forgets the choice if it was made over another setting: the user has changed it to `setting`.
    func settingChanged(to setting: View) {
        if let choice, choice.setting != setting { choose(setting, over: setting) }
    }

    /// Blocks until the file is written. Called when the program ends or changes the renderer.
    func finish() { file.finish() }
}
