import GlissadeApp
import ArgumentParser
import GlissadeBenchmark
import GlissadePlatform
import GlissadeTime

/// The `glissade` command.
@main struct Glissade: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glissade", abstract: "A video player that keeps playing while you navigate.",
        usage: """
            glissade [play] [<options>] [<file|folder|url> ...]
            glissade bench [<options>] <file>
            glissade info <file|folder|url>
            glissade keys
            glissade config
            """,
        discussion: "For playback options, see 'glissade help play'.", version: programVersion,
        subcommands: [Play.self, Bench.self, Info.self, Keys.self, Config.self], defaultSubcommand: Play.self
    )

    /// When the process started. Estimated at the start of `main`: the current time minus the CPU time used so far.
    static let started = HostTime.now() - ResourceUsage().cpuTime

    static func main() {
        _ = started
        MallocTuning.returnsLargeBlocks()
        // After a usage error, ArgumentParser would exit with 64, but this program must exit with 2.
        do {
            var command = try parseAsRoot(ArgumentText.ofProcess)
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

/// Returns a message as one line. Joins its lines with spaces, and the items of a list with commas.
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

struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play files, folders and URLs in order. If none are given, open the library.")

    @OptionGroup var window: WindowArguments
    @OptionGroup var playing: PlayingArguments
    @OptionGroup var floating: FloatingArguments
    @OptionGroup var output: OutputArguments
    @Flag(help: "Quit when the last file has ended.") var exitAtEnd = false
    @Argument(help: ArgumentHelp("What to play.", valueName: "file|folder|url"))
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
        abstract: "Play a file, optionally with simulated input, and print the frame times.")

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case rest, throughput, drag
        case throwing = "throw"
        case push, scrub, fullscreen, float, list, all
    }

    @OptionGroup var window: WindowArguments
    @OptionGroup var playing: PlayingArguments
    @OptionGroup var output: OutputArguments
    @Option(
        help: ArgumentHelp(
            """
            rest: no input. throughput: every frame, as fast as possible. drag: drag the page back and forth. \
            throw: throw the page away and return to it; drag it a little and let it spring back. push: drag in the \
            details page. scrub: drag the progress bar. fullscreen: enter and leave fullscreen. float: picture-in-picture \
            and back. list: scroll the cards of the file's folder. all: all of these, in one table. (default: rest)
            """,
            valueName: "name"))
    var scenario: Choice?
    @Flag(
        help: ArgumentHelp(
            """
            Instead of a scenario, measure how the cost of a frame grows with the window size, the video size (one row \
            per file), and the number of layers and pages. --duration applies to each run.
            """))
    var growth = false
    @Argument(help: "The file to play; --growth accepts several.") var file: [String]

    func validate() throws {
        if growth, scenario != nil {
            throw ValidationError("--scenario cannot be combined with --growth")
        }
        if !growth, file.count > 1 { throw ValidationError("only --growth accepts more than one file: \(file[1])") }
        guard growth || scenario == .all else { return }
        if output.frameLog != nil || !output.screenshot.isEmpty {
            throw ValidationError("--frame-log and --screenshot need a single scenario")
        }
        if playing.duration == .zero, growth {
            throw ValidationError("--growth needs a --duration above 0")
        }
    }

    func run() throws {
        var options = LaunchOptions()
        window.apply(to: &options)
        playing.apply(to: &options)
        output.apply(to: &options)
        options.locations = file
        // This runs on the process's first thread, before there is any other.
        let status = MainActor.assumeIsolated {
            if growth { return benchGrowth(options, started: Glissade.started) }
            guard let scenario = Scenario(scenario ?? .rest) else {
                return benchAllScenarios(options, started: Glissade.started)
            }
            return bench(scenario, options, started: Glissade.started)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

extension Scenario {
    /// Creates the scenario for a choice. Returns nil for `all`.
    fileprivate init?(_ choice: Bench.Choice) {
        switch choice {
        case .rest: self = .rest
        case .throughput: self = .throughput
        case .drag: self = .drag
        case .throwing: self = .throwing
        case .push: self = .push
        case .scrub: self = .scrub
        case .fullscreen: self = .fullscreen
        case .float: self = .float
        case .list: self = .list
        case .all: return nil
        }
    }
}

struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the streams and other details of a file, a URL, or each file in a folder.")

    @Argument(help: ArgumentHelp("What to describe.", valueName: "file|folder|url")) var location: String

    func run() throws {
        let status = MainActor.assumeIsolated { printInfo(of: location) }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

private func finish(_ options: LaunchOptions) throws {
    // This runs on the process's first thread, before there is any other.
    let status = MainActor.assumeIsolated { launch(options, start: RunStart(time: Glissade.started)) }
    if status != .done { throw ExitCode(status.rawValue) }
}

struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the default keyboard shortcuts.")

    func run() { Console().print(HelpTexts.keys) }
}

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a sample settings file with every option and its default.")

    func run() { Console().print(HelpTexts.settings) }
}
