import ArgumentParser

/// The command line.
@main struct Witness: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness", abstract: "Tells from outside which frames of a coded film the screen shows.",
        subcommands: [Watch.self, Follow.self, Drive.self, Respond.self, Film.self], defaultSubcommand: Watch.self)
}
