import Foundation
import GlissadeGeometry
import Glibc
import GlissadeScreenProbe
import Testing

extension EndToEnd {
    /// Moving comments over the video, on the screen. The film of `ControlsHarness` is black in its upper 100 rows.
    @Suite("Moving comments", .enabled(if: Glissade.hasDisplay, "no display")) struct CommentTests {
        private static let file = """
            <i><d p="0,5,36,16777215,0,0,u,1">WWWWWWWWWW</d><d p="0,5,36,16777215,0,0,v,2">WWWWWWWWWW</d></i>
            """

        /// The number of bright pixels where the comments at the top are.
        private func brightness(_ harness: ControlsHarness) -> Int {
            let grey = harness.display.grey(x: 200..<760, y: 4..<96) ?? []
            return grey.count { $0 > 160 }
        }

        @Test(
            "Comments given with --comments are drawn over the video, with both renderers",
            arguments: ["software", "gles"])
        func drawn(renderer: String) throws {
            try TemporaryFolder.with { folder in
                let path = folder + "/comments.xml"
                try Data(Self.file.utf8).write(to: URL(fileURLWithPath: path))
                let options = ["--comments", path, "--renderer", renderer, "--no-controls", "--paused", "--start", "1"]
                try ControlsHarness.run(options: options) { harness in
                    try harness.waitUntil("the comments") { brightness(harness) > 1000 }
                    try harness.screen.press("d")
                    try harness.waitUntil("no comments") { brightness(harness) == 0 }
                    try harness.screen.press("d")
                    try harness.waitUntil("the comments again") { brightness(harness) > 1000 }
                }
            }
        }

        /// 10,000 comments, of which 200 appear within the first second, and the others later than the film is long.
        private static let crowd: String = {
            let lines = (0..<10_000).map { index in
                let time = index < 200 ? Double(index) / 200 : 100 + Double(index) / 10
                return "<d p=\"\(time),\(index % 2 == 0 ? 1 : 6),25,16777215,0,0,u,\(index)\">comment \(index)</d>"
            }
            return "<i>\(lines.joined())</i>"
        }()

        @Test("With 10,000 comments, 200 of them moving over the video, a frame allocates nothing for each comment")
        func allocations() throws {
            try TemporaryFolder.with { folder in
                let (comments, settings) = (folder + "/comments.xml", folder + "/glissade/config.toml")
                try Data(Self.crowd.utf8).write(to: URL(fileURLWithPath: comments))
                try FileManager.default.createDirectory(atPath: folder + "/glissade", withIntermediateDirectories: true)
                // They cross the video in 16 s, so that they are all there during the test.
                let style = "[danmaku]\nlimit = 200\noverlap = true\nspeed = 0.5\nheight = 0.15\n"
                try Data(style.utf8).write(to: URL(fileURLWithPath: settings))
                let counter = try AllocationCounter(in: folder)
                let environment = counter.environment.merging(["XDG_CONFIG_HOME": folder]) { $1 }
                let options = ["--comments", comments, "--no-controls", "--renderer", "software"]
                try ControlsHarness.run(options: options, environment: environment) { harness in
                    try harness.waitUntil("the comments in the middle") { brightness(harness) > 1000 }
                    let withComments = try allocations(of: counter, harness)
                    try harness.screen.press("d")
                    try harness.waitUntil("no comments") { brightness(harness) == 0 }
                    let without = try allocations(of: counter, harness)
                    // Comments move at the display's rate, so there are two frames for each of the film. The X library
                    // allocates memory for each event.
                    #expect(without < 50 && withComments < 2 * without + 10, "in a frame of the film")
                }
            }
        }

        /// The allocations of the threads that draw, per frame of the film, over two seconds of it.
        private func allocations(of counter: AllocationCounter, _ harness: ControlsHarness) throws -> Double {
            let first = try #require(harness.frames.last)
            let before = try counter.allocations(of: harness.glissade, threads: AllocationCounter.drawing)
            let last = try harness.waitForFrame("two seconds") { $0 >= first + 2 * ControlsHarness.rate }
            let after = try counter.allocations(of: harness.glissade, threads: AllocationCounter.drawing)
            return Double(after - before) / Double(last - first)
        }

        @Test("A file of comments that cannot be read is reported, and the video plays")
        func unreadable() throws {
            try ControlsHarness.run(options: ["--comments", "/nonexistent/comments.xml"]) { harness in
                try Program.untilTrue("the message") { harness.glissade.errors.contains("no such file") }
                #expect(harness.glissade.errors == "glissade: /nonexistent/comments.xml: no such file\n")
                let frame = try harness.waitForFrame("a frame") { _ in true }
                try harness.waitForFrame("a later frame") { $0 > frame + 10 }
            }
        }
    }
}
