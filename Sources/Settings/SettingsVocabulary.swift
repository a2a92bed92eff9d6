/// What the program that reads its settings has: the commands that keys can be given, the gestures, and what decodes. Any
/// thread.
public struct SettingsVocabulary: Sendable {
    /// The first words of commands.
    public var commands: [String]
    /// First words of commands that earlier versions had, which are still accepted and never suggested.
    public var formerCommands: [String]
    public var gestures: [String]
    /// What can be chosen to decode pictures.
    public var decoders: [String]
    /// Why a command whose first word is known cannot be done ("seek: a number of seconds is missing"); nil where it can.
    public var fault: @Sendable (_ command: String) -> String?

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
