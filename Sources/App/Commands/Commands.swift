import GlissadeTime

/// Passes commands from keys, buttons, gestures and the desktop to their handler. Main thread.
@MainActor final class Commands {
    /// The origin of a command. Only `Command.leave` depends on it.
    enum Source: Hashable {
        /// Any origin other than a key press in a floating window: a key in the main window, a button, a menu, a
        /// gesture or the desktop.
        case mainWindow
        /// A key press in the floating window of this kind.
        case floating(FloatingWindowPositions.Kind)
    }

    /// Called to carry out a command. If nil, commands have no effect.
    var handler: (@MainActor (Command, Source, HostTime) -> Void)?

    func perform(_ command: Command, from source: Source = .mainWindow, now: HostTime) {
        handler?(command, source, now)
    }
}
