import Foundation
import Glibc
import GlissadeTestSupport

/// The binary under test.
enum Glissade {
    /// What `Scripts/test` built; otherwise the one beside the tests.
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let root = Repository.root.path
        let places = [
            environment["GLISSADE_BINARY"], root + "/.build/release/glissade", root + "/.build/debug/glissade",
        ]
        return places.compactMap { $0 }.first { access($0, X_OK) == 0 }
    }()

    static var isBuilt: Bool { path != nil }
    static var hasDisplay: Bool { isBuilt && ProcessInfo.processInfo.environment["DISPLAY"]?.isEmpty == false }

    /// Starts it; see `Program.run`.
    static func run<R>(
        _ arguments: [String], environment: [String: String?] = [:], _ body: (Program) throws -> R
    ) throws -> R {
        guard let path else { throw Program.Failure(description: "there is no binary to test") }
        return try Program.run([path] + arguments, environment: environment, body)
    }

    /// The report that a run has written.
    struct Report: Decodable {
        struct Video: Decodable {
            var fps: Double?
            var due: Int
            var shown: Int
            var dropped: Int
            var uploaded: Int
        }
        struct Window: Decodable {
            var width: Int
            var height: Int
        }
        var version: Int
        var file: String
        var window: Window
        var video: Video

        init(_ path: String) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// The frames that a run has shown, by a frame log, in their order: each by its number at `rate`.
    static func shownFrames(_ log: String, rate: Double) throws -> [Int] {
        let text = try String(contentsOfFile: log, encoding: .utf8)
        return text.split(separator: "\n").dropFirst().compactMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).last.flatMap { Double($0) }
                .map { Int(($0 / 1e9 * rate).rounded()) }
        }
    }
}
