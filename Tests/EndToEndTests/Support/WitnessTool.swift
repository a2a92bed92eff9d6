import Foundation
import Glibc
import Testing
import GlissadeScreenProbe
import GlissadeTestSupport
import GlissadeTime

/// The `witness` command, run beside the program under test.
enum WitnessTool {
    /// Lies beside the tests, which are built with it.
    static let path: String? = {
        let root = Repository.root.path
        return [root + "/.build/debug/witness", root + "/.build/release/witness"].first { access($0, X_OK) == 0 }
    }()

    /// The result of a run, with each change that was observed.
    struct WatchResult {
        var observed: RegionObserver.Result
        var changes: [Change]
        /// The one region's, or of all together.
        var summary: FrameSummary { observed.together ?? observed.regions.values.first ?? FrameSummary() }
    }

    struct Change: Hashable {
        var time: HostTime
        var region: String
        /// A number, or what else was seen.
        var frame: String
        /// The picture's left edge on the screen, where it was looked for.
        var left: Int?
        /// The first column to the right of it.
        var right: Int?
    }

    /// Watches `regions` (`NAME=X,Y,WIDTH,HEIGHT`) for as long as `body` runs.
    static func watch(
        _ regions: [String], options: [String] = [], _ body: (Program) throws -> Void
    ) throws -> WatchResult {
        try TemporaryFolder.with { folder in
            let summary = folder + "/summary.json"
            let regions = regions.flatMap { ["--region", $0] }
            return try Program.run([try tool(), "watch", "--summary", summary] + regions + options) { witness in
                // It has asked the server to tell of drawing before it writes its first line.
                try Program.untilTrue("the witness watches") {
                    if witness.hasEnded { throw Program.Failure(description: "witness: \(witness.errors)") }
                    return witness.output.contains("\n")
                }
                try body(witness)
                witness.send(SIGTERM)
                try witness.expect(.exited(0))
                let data = try Data(contentsOf: URL(fileURLWithPath: summary))
                return WatchResult(
                    observed: try JSONDecoder().decode(RegionObserver.Result.self, from: data),
                    changes: changes(of: witness))
            }
        }
    }

    /// What a witness that still watches has told so far.
    static func changes(of witness: Program) -> [Change] {
        witness.output.split(separator: "\n").dropFirst().compactMap(change)
    }

    /// Moves the pointer and presses buttons step by step; see `PointerStep`.
    static func drive(_ steps: String...) throws {
        try Program.run([try tool(), "drive"] + steps) { try $0.expect(.exited(0)) }
    }

    static func tool() throws -> String {
        guard let path else { throw Program.Failure(description: "there is no witness: `swift build --build-tests`") }
        return path
    }

    private static func change(_ line: Substring) -> Change? {
        let words = line.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count == 6, let time = Int64(words[0]) else { return nil }
        return Change(
            time: HostTime(nanoseconds: time), region: String(words[1]), frame: String(words[2]), left: Int(words[4]),
            right: Int(words[5]))
    }
}
