import Time

/// Receives the commands of keys, buttons, gestures and the desktop, and passes them on. Main thread.
@MainActor final class Commands {
    /// Where a command comes from.
    enum Source: Hashable {
        case mainWindow
        /// A key or a button of a floating window.
        case floating(FloatingWindowPositions.Kind)
    }

    /// Carries commands out.
    var handler: (@MainActor (Command, Source, HostTime) -> Void)?

    func perform(_ command: Command, from source: Source = .mainWindow, now: HostTime) {
        handler?(command, source, now)
    }
}
