/// The names of commands, gestures, decoders and encodings that the settings file may use. The application provides them. A
/// value; any thread.
package struct SettingsVocabulary: Sendable {
    /// The first words of all commands.
    package var commands: [String]
    /// The first words of commands from earlier versions. They are still accepted, but never suggested.
    package var formerCommands: [String]
    /// The names of all gestures.
    package var gestures: [String]
    /// The valid values of the `hwdec` option.
    package var decoders: [String]
    /// The valid values of the `encoding` option.
    package var encodings: [String]
    /// Returns why a command is invalid, such as "seek: a number of seconds is missing"; nil if the command is valid.
    /// Called only for commands with a known first word.
    package var fault: @Sendable (_ command: String) -> String?

    /// Creates a vocabulary. By default, the only decoder is `no`, the only encoding is `auto`, and every command with a known first word is valid.
    package init(
        commands: [String], formerCommands: [String] = [], gestures: [String], decoders: [String] = ["no"],
        encodings: [String] = ["auto"],
        fault: @escaping @Sendable (_ command: String) -> String? = { _ in nil }
    ) {
        self.commands = commands
        self.formerCommands = formerCommands
        self.gestures = gestures
        self.decoders = decoders
        self.encodings = encodings
        self.fault = fault
    }
}
