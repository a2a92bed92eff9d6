import Foundation
import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

/// A process that a test has started: its output is kept in files, every wait has a bound, and it never outlives the
/// test that runs it.
final class Program {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// How a process ended.
    enum End: Hashable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// Far more than anything here takes, on a machine that does much else.
    static let timeout = Duration.seconds(60)

    let id: pid_t
    private let folder: String
    private(set) var end: End?

    /// Starts `arguments` (a path, or a name to be looked for in PATH) and ends it after `body`, whatever happens.
    ///
    /// - Parameter environment: changes to this process's own; nil takes a variable away.
    static func run<R>(
        _ arguments: [String], environment: [String: String?] = [:], _ body: (Program) throws -> R
    ) throws -> R {
        let program = try Program(arguments, environment)
        defer { program.reap() }
        return try body(program)
    }

    /// Runs a tool to its end; it must succeed.
    @discardableResult static func tool(_ arguments: String...) throws -> String {
        try run(arguments) { tool in
            guard try tool.wait() == .exited(0) else {
                throw Failure(description: "\(arguments.joined(separator: " ")): \(tool.errors)")
            }
            return tool.output
        }
    }

    private init(_ arguments: [String], _ changes: [String: String?]) throws {
        folder = try TemporaryFolder.make()
        var environment = ProcessInfo.processInfo.environment
        // Nothing that a person has set, or has played, has a part in a test.
        environment["XDG_STATE_HOME"] = folder + "/state"
        environment["XDG_CONFIG_HOME"] = folder + "/config"
        for (name, value) in changes { environment[name] = value }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 1, folder + "/output", flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder + "/errors", flags, 0o600)

        // Signals as a program expects to find them, whatever the tests' own runner does with them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        func strings(_ list: [String]) -> [UnsafeMutablePointer<CChar>?] { list.map { strdup($0) } + [nil] }
        let argumentList = strings(arguments)
        let environmentList = strings(environment.map { "\($0.key)=\($0.value)" })
        defer { (argumentList + environmentList).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, arguments[0], &actions, &attributes, argumentList, environmentList)
        guard code == 0 else {
            TemporaryFolder.remove(folder)
            throw Failure(description: "\(arguments[0]) does not start: \(String(cString: strerror(code)))")
        }
        self.id = id
    }

    var output: String { text("output") }
    var errors: String { text("errors") }
    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
    }

    var hasEnded: Bool {
        if end != nil { return true }
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return false }
        let signal = status & 0x7F
        end = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        return true
    }

    /// Waits for the end.
    ///
    /// - Throws: where it does not come within `bound`.
    func wait(_ bound: Duration = Program.timeout) throws -> End {
        try Self.until("the program ends", bound) { hasEnded ? end : nil }
    }

    func send(_ signal: Int32) { if end == nil { kill(id, signal) } }

    private func reap() {
        if !hasEnded {
            kill(id, SIGKILL)
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
        }
        TemporaryFolder.remove(folder)
    }

    /// Asks until there is an answer.
    ///
    /// - Throws: where none comes within `bound`.
    static func until<R>(_ what: String, _ bound: Duration = Program.timeout, _ ask: () throws -> R?) throws -> R {
        guard let answer = try firstValue(within: bound, every: .milliseconds(10), ask) else {
            throw Failure(description: "waited \(bound) in vain: \(what)")
        }
        return answer
    }

    /// Asks until the answer is yes.
    static func untilTrue(
        _ what: String, _ bound: Duration = Program.timeout, _ ask: () throws -> Bool
    ) throws {
        _ = try until(what, bound) { try ask() ? true : nil }
    }
}

/// Folders that tests write in.
enum TemporaryFolder {
    static func make() throws -> String {
        var template = Array((NSTemporaryDirectory() + "/glissade-e2e.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Program.Failure(description: "no temporary folder: \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

    /// Gives `body` a folder, and takes it away afterwards.
    static func with<R>(_ body: (String) throws -> R) throws -> R {
        let folder = try make()
        defer { remove(folder) }
        return try body(folder)
    }
}

extension Program {
    /// Waits for the end, which must be `wanted`.
    func expect(
        _ wanted: End, within bound: Duration = Program.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let end = try wait(bound)
        #expect(end == wanted, "it said: \(errors)", sourceLocation: sourceLocation)
    }
}
