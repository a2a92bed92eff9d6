import Foundation
import Testing
import GlissadeTestSupport

enum Python {
    /// Itself, whatever stands before it in PATH: it runs without a PATH as well. Nil where there is none.
    static let path = try? Program.tool("python3", "-c", "import sys; print(sys.executable, end='')")

    static let scripts = Repository.path("Scripts")

    /// Runs the tests that a package of the scripts has of its own.
    static func expectSuccess(ofTestsIn package: String) throws {
        let arguments = [
            try #require(path), "-m", "unittest", "discover", "-s", "\(scripts)/\(package)/tests", "-t", scripts,
        ]
        try Program.run(arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"]) { tests in
            try tests.expect(.exited(0))
            // With none found it would be content as well.
            #expect(tests.errors.contains("\nOK") && !tests.errors.contains("Ran 0 tests"), "\(tests.errors)")
        }
    }
}

extension EndToEnd {
    /// `Scripts/bench` but for what it measures: times are measured in benchmarks, not judged in tests.
    @Suite("Bench script", .enabled(if: Python.path != nil, "no python3")) struct BenchScriptTests {
        @Test("The unit tests of Scripts/bench succeed")
        func units() throws {
            try Python.expectSuccess(ofTestsIn: "benching")
        }

        private func expectFailure(
            _ arguments: [String], environment: [String: String?] = [:], status: Int32, saying words: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let environment = environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
            try Program.run(
                [try #require(Python.path), Python.scripts + "/bench"] + arguments, environment: environment
            ) { bench in
                try bench.expect(.exited(status), sourceLocation: sourceLocation)
                let lines = bench.errors.split(separator: "\n", omittingEmptySubsequences: false)
                let said = "\(arguments.joined(separator: " ")) said: \(bench.errors)"
                #expect(lines.count == 2 && lines[1].isEmpty, "\(said)", sourceLocation: sourceLocation)
                #expect(bench.errors.hasPrefix("bench: "), "\(said)", sourceLocation: sourceLocation)
                #expect(bench.errors.contains(words), "\(said)", sourceLocation: sourceLocation)
                #expect(bench.output == "", sourceLocation: sourceLocation)
            }
        }

        @Test(
            "Scripts/bench reports a wrong option or value in one line, with exit status 2",
            arguments: [
                ("--bogus", "--bogus"), ("--rounds 0", "--rounds"), ("--rounds -1", "--rounds"),
                ("--rounds x", "--rounds"),
                ("--rounds", "--rounds"), ("--threads 0", "--threads"), ("--players nobody", "nobody"),
                ("--players glissade,", "unknown player"), ("--clips 1080p61-h264-8", "1080p61-h264-8"),
                ("--only everything", "everything"), ("--scenarios --scenario-list flight", "flight"),
                ("film.mp4", "film.mp4"),
            ])
        func wrongOption(options: String, words: String) throws {
            try expectFailure(options.split(separator: " ").map(String.init), status: 2, saying: words)
        }

        @Test("Scripts/bench reports an output folder that cannot be written before it measures anything")
        func unwritable() throws {
            try expectFailure(["--out", "/proc/glissade"], status: 1, saying: "cannot write to /proc/glissade")
            try expectFailure(["--out", "/dev/null"], status: 1, saying: "cannot write to /dev/null")
        }

        @Test("Scripts/bench reports a missing tool or binary before it measures anything")
        func missing() throws {
            try TemporaryFolder.with { folder in
                func expect(_ more: [String], environment: [String: String?] = [:], saying words: String) throws {
                    try expectFailure(["--out", folder] + more, environment: environment, status: 1, saying: words)
                }
                try expect([], environment: ["PATH": folder], saying: "ffmpeg is missing")
                try expect(["--witness", "/nonexistent/witness"], saying: "no witness at /nonexistent/witness")
                let aWitness = ["--witness", "/bin/true"]
                try expect(
                    aWitness + ["--glissade", "/nonexistent/glissade"], saying: "no binary at /nonexistent/glissade")
                try expect(
                    aWitness + ["--players", "glissade", "--threads", "2"],
                    saying: "number of decoder threads cannot be set")
            }
        }
    }
}
