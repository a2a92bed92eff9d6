import App
import ArgumentParser
import Platform
import Time

/// The command line.
@main struct Glissade: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glissade", abstract: "A video player whose picture never stops.",
        usage: """
            glissade [play] [<options>] [<file|folder|url> ...]
            glissade bench [<options>] <file>
            glissade bench --growth [<options>] <file> ...
            glissade info <file|folder|url>
            glissade config
            """,
        discussion: keys, version: programVersion,
        subcommands: [Play.self, Bench.self, Info.self, Config.self], defaultSubcommand: Play.self
    )

    /// When the process began: now, less what it has worked already on being loaded.
    static let started = HostTime.now() - ResourceUsage().cpuTime

    static func main() {
        _ = started
        MallocTuning.returnsLargeBlocks()
        // ArgumentParser's own status for wrong usage is 64; this program's is 2.
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            exit(withError: code)
        } catch {
            guard exitCode(for: error) != .success else { exit(withError: error) }
            Console().error(inOneLine(message(for: error)))
            exit(withError: ExitCode(ExitStatus.usage.rawValue))
        }
    }
}

/// What lists its choices one in a line, with dashes, with commas.
private func inOneLine(_ message: String) -> String {
    var words = ""
    for line in message.split(whereSeparator: \.isNewline) {
        let text = line.drop { $0 == " " }
        let isItem = text.hasPrefix("- ")
        let separator = words.isEmpty ? "" : isItem && !words.hasSuffix(":") ? ", " : " "
        words += separator + (isItem ? text.dropFirst(2) : text)
    }
    return words
}

private let keys = "Keys:\n" + HelpTexts.keys

struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play files, the media of a folder, or addresses, one after the other.", discussion: keys)

    @OptionGroup var window: WindowArguments
    @OptionGroup var playing: PlayingArguments
    @OptionGroup var floating: FloatingArguments
    @OptionGroup var output: OutputArguments
    @Flag(help: "End the program when the last one has ended.") var exitAtEnd = false
    @Argument(help: ArgumentHelp("What to play; without, the library.", valueName: "file|folder|url"))
    var locations: [String] = []

    func run() throws {
        var options = LaunchOptions()
        window.apply(to: &options)
        playing.apply(to: &options)
        floating.apply(to: &options)
        output.apply(to: &options)
        options.exitsAtEnd = exitAtEnd
        options.locations = locations
        try finish(options)
    }
}

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a file to its end, by itself or under a hand, and print what each frame took.")

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case rest, throughput, drag, push, scrub, fullscreen, float, list, all
        case throwing = "throw"
    }

    @OptionGroup var window: WindowArguments
    @OptionGroup var playing: PlayingArguments
    @OptionGroup var output: OutputArguments
    @Option(
        help: ArgumentHelp(
            """
            rest: at its own rate, untouched. throughput: every frame as fast as it goes. drag: a hand swings the page. \
            throw: a hand throws it away, brings it back, lets it spring back. push: a hand pulls in the page at the \
            right. scrub: a hand draws the progress bar to and fro. fullscreen: in and out. float: out into a \
            floating window and back. list: a hand scrolls the cards of its folder. all: one after the other, in one \
            table. (default: rest)
            """,
            valueName: "name"))
    var scenario: Choice?
    @Flag(
        help: ArgumentHelp(
            """
            Instead: how the cost of a frame grows with the window, with the film (of each file), with layers on its \
            page, and with pages beneath it. --duration is for each size of each.
            """))
    var growth = false
    @Argument(help: "The file to play; several for --growth.") var file: [String]

    func validate() throws {
        if growth, scenario != nil {
            throw ValidationError("--scenario cannot be combined with --growth")
        }
        if !growth, file.count > 1 { throw ValidationError("only --growth takes more than one <file>: \(file[1])") }
        guard growth || scenario == .all else { return }
        if output.frameLog != nil || !output.screenshot.isEmpty {
            throw ValidationError("--frame-log and --screenshot are for one scenario")
        }
        if playing.duration == .zero, growth {
            throw ValidationError("--duration 0 leaves --growth nothing to measure")
        }
    }

    func run() throws {
        var options = LaunchOptions()
        window.apply(to: &options)
        playing.apply(to: &options)
        output.apply(to: &options)
        options.locations = file
        // The process's first thread runs this, before any other exists.
        let status = MainActor.assumeIsolated {
            growth
                ? benchGrowth(options, started: Glissade.started)
                : scenario == .all
                    ? bench(scenarios.map { with($0, options) }, started: Glissade.started)
                    : launch(with(scenarios[0], options), started: Glissade.started)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private var scenarios: [LaunchOptions.Scenario] {
        switch scenario ?? .rest {
        case .rest: [.rest]
        case .throughput: [.throughput]
        case .drag: [.drag]
        case .throwing: [.throwing]
        case .push: [.push]
        case .scrub: [.scrub]
        case .fullscreen: [.fullscreen]
        case .float: [.float]
        case .list: [.list]
        case .all: LaunchOptions.Scenario.allCases
        }
    }

    private func with(_ scenario: LaunchOptions.Scenario, _ options: LaunchOptions) -> LaunchOptions {
        var options = options
        options.scenario = scenario
        // What plays in a card goes on with the next.
        if scenario == .list { options.duration = options.duration ?? .seconds(20) }
        if scenario == .throughput {
            options.player.isUntimed = true
            options.player.audio = .none
        }
        return options
    }
}

struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say what is in a file.")

    @Argument(help: ArgumentHelp("What to look into.", valueName: "file|folder|url")) var location: String

    func run() throws {
        let status = MainActor.assumeIsolated { printInfo(of: location) }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

private func finish(_ options: LaunchOptions) throws {
    // The process's first thread runs this, before any other exists.
    let status = MainActor.assumeIsolated { launch(options, started: Glissade.started) }
    if status != .done { throw ExitCode(status.rawValue) }
}

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a settings file with every option, its default and what it means.")

    func run() { Console().print(HelpTexts.settings) }
}
