/// The names that the settings file may use: commands, gestures and decoders. Supplied by the application. A value; any
/// thread.
public struct SettingsVocabulary: Sendable {
    /// The first words of all commands.
    public var commands: [String]
    /// First words of commands from earlier versions, still accepted but never suggested.
    public var formerCommands: [String]
    /// The names of all gestures.
    public var gestures: [String]
    /// The values of the `hwdec` option.
    public var decoders: [String]
    /// Returns the reason why a command with a known first word is invalid ("seek: a number of seconds is missing");
    /// nil if it is valid.
    public var fault: @Sendable (_ command: String) -> String?

    /// Takes all names.
    public init(
        commands: [String], formerCommands: [String] = [], gestures: [String], decoders: [String] = ["no"],
        fault: @escaping @Sendable (_ command: String) -> String? = { _ in nil }
    ) {
        self.commands = commands
        self.formerCommands = formerCommands
        self.gestures = gestures
        self.decoders = decoders
        self.fault = fault
    }
}
