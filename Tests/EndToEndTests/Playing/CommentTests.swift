import Foundation
import Geometry
import Glibc
import ScreenProbe
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
