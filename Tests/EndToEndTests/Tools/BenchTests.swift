import Foundation
import Testing

extension EndToEnd {
    /// Several runs in one process, with one table and one report.
    @Suite("Bench command") struct BenchTests {
        private func report(_ path: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        @Test(
            "The bench command prints all scenarios in one table and writes them in one report",
            arguments: PlayingTests.surfaces)
        func all(surface: [String]) throws {
            let clip = try Clip.short.get()
            let isOffscreen = surface.contains("--offscreen")
            let usual = ["rest", "throughput", "drag", "throw", "push", "scrub"]
            let scenarios = usual + (isOffscreen ? [] : ["fullscreen", "float"]) + ["list"]
            try TemporaryFolder.with { folder in
                let path = folder + "/r.json"
                let options = ["--audio", "silent", "--duration", "1", "--scenario", "all", "--report", path]
                try Glissade.run(["bench"] + surface + options + [clip]) { glissade in
                    try glissade.expect(.exited(0))
                    let rows = glissade.output.split(separator: "\n").filter { row in
                        scenarios.contains { row.hasPrefix($0 + " ") }
                    }
                    #expect(rows.map { $0.prefix { $0 != " " } } == scenarios.map { $0[...] }, "a row each")
                    let said = glissade.errors.split(separator: "\n")
                    #expect(said.count == (isOffscreen ? 2 : 0))
                    #expect(said.allSatisfy { $0.hasSuffix(": skipped: needs a window") })
                }
                let report = try report(path)
                #expect(report["scenario"] as? String == "all")
                #expect(report["file"] as? String == clip)
                let list = try #require(report["scenarios"] as? [[String: Any]])
                #expect(list.map { $0["scenario"] as? String } == scenarios)
                for run in list where run["scenario"] as? String != "list" {
                    let costs = try #require(run["cost_ms"] as? [String: Any])
                    for stage in ["decode", "upload", "compose", "draw", "swap", "loop"] {
                        #expect(costs[stage] is [String: Any], "\(stage) of \(run["scenario"] ?? "")")
                    }
                    let video = try #require(run["video"] as? [String: Any])
                    #expect(try #require(video["shown"] as? Int) > 0)
                    #expect([video["width"] as? Int, video["height"] as? Int] == [320, 180])
                }
            }
        }

        @Test(
            "The bench command with --growth prints a table and writes a series for windows, videos, layers and pages")
        func growth() throws {
            let clips = [try Clip.short.get(), try Clip.film.get()]
            try TemporaryFolder.with { folder in
                let path = folder + "/r.json"
                let options = ["--offscreen", "--audio", "none", "--size", "320x180", "--duration", "0.3"]
                try Glissade.run(["bench", "--growth", "--report", path] + options + clips) { glissade in
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                    for row in [
                        "window, rest", "video, rest", "layers, rest", "pages, drag", "ms per layer", "exponent",
                    ] {
                        #expect(glissade.output.contains("\n\(row) "), "\(row)")
                    }
                }
                let series = try #require(try report(path)["series"] as? [[String: Any]])
                #expect(series.map { $0["name"] as? String } == ["window", "video", "layers", "pages"])
                let sizes = try series.map { series in
                    try #require(series["points"] as? [[String: Any]]).map { $0["x"] as? Double }
                }
                #expect(sizes[0] == [0.2304, 0.5184, 0.9216, 2.0736, 3.6864])
                #expect(sizes[1] == [0.0576, 0.2304])
                #expect(sizes[2] == [10, 30, 100, 300, 1000])
                #expect(sizes[3] == [0, 1, 2, 4, 8])
            }
        }

        @Test(
            "The bench command reports a file that cannot be played once and exits with status 1",
            arguments: [["--scenario", "all"], ["--growth"]])
        func unplayable(options: [String]) throws {
            try TemporaryFolder.with { folder in
                let bad = folder + "/bad.mp4"
                try Data("no film".utf8).write(to: URL(fileURLWithPath: bad))
                for file in [bad, folder + "/gone.mp4"] {
                    try Glissade.run(["bench", "--offscreen", "--audio", "none"] + options + [file]) { glissade in
                        try glissade.expect(.exited(1))
                        let lines = glissade.errors.split(separator: "\n")
                        #expect(lines.count == 1)
                        #expect(lines.first?.hasPrefix("glissade: \(file): ") == true)
                    }
                }
            }
        }

        @Test("A bench report that cannot be written is reported in one line, and the table is still printed")
        func unwritable() throws {
            let path = "/nonexistent/r.json"
            let options = [
                "--offscreen", "--audio", "none", "--scenario", "all", "--duration", "0.2", "--report", path,
            ]
            try Glissade.run(["bench"] + options + [try Clip.short.get()]) { glissade in
                try glissade.expect(.exited(1))
                #expect(glissade.errors.split(separator: "\n").filter { $0.contains(path) }.count == 1)
                #expect(glissade.output.contains("\nthroughput "))
            }
        }
    }
}
