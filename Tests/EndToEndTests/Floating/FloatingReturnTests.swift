import Foundation
import GlissadeGeometry
import Glibc
import GlissadeScreenProbe
import Testing

extension EndToEnd {
    /// Where a video that floats came from, and how it returns there.
    @Suite("Returning from a floating window", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingReturnTests {
        /// Calls `body` with an environment whose settings file contains `settings`.
        private func withSettings(_ settings: String, _ body: ([String: String?]) throws -> Void) throws {
            try TemporaryFolder.with { folder in
                try FileManager.default.createDirectory(
                    atPath: folder + "/glissade", withIntermediateDirectories: true)
                try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/glissade/config.toml"))
                try body(["XDG_CONFIG_HOME": folder])
            }
        }

        @Test("A page that stays says that its video floats, and its button brings the video back")
        func sign() throws {
            try withSettings("[floating]\nleaves-page = false\n") { environment in
                try FloatingHarness.run(environment: environment) { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    let last = try harness.waitForFrames(in: float)
                    try Program.untilTrue("the sign instead of the film") {
                        guard let picture = try harness.screen.picture(), picture.frame == nil else { return false }
                        // The text is in the middle of the page, below the icon.
                        return (190..<226).contains { y in (180..<460).count { picture[$0, y] > 150 } >= 12 }
                    }
                    try harness.click(320, 257, of: harness.screen)
                    try harness.waitForNoFloat()
                    try harness.waitForFrames(in: harness.screen, after: last)
                }
            }
        }

        @Test(
            "A video that was fullscreen when it began to float returns to fullscreen",
            arguments: ["o", "double click"])
        func fullscreen(way: String) throws {
            try FloatingHarness.run { harness in
                let screen = harness.screen
                try harness.takeKeys()
                try harness.waitForFrames(in: screen)
                let whole = try Screen.whole()
                try screen.press("f")
                try Program.untilTrue("the whole screen") { try screen.area() == whole }
                let last = try harness.waitForFrames(in: screen)
                try screen.press("o")
                let float = try harness.waitForFloat()
                let floating = try harness.waitForFrames(in: float, after: last)
                try Program.untilTrue("the library") { try harness.showsLibrary() }
                if way == "o" {
                    try screen.press("o")
                } else {
                    let area = try float.area()
                    try harness.point(at: area.width / 3, area.height / 3, of: float)
                    try WitnessTool.drive("press", "wait:0.05", "release", "wait:0.08", "press", "wait:0.05", "release")
                }
                try harness.waitForNoFloat()
                try Program.untilTrue("the whole screen again") { try screen.area() == whole }
                try harness.waitForFrames(in: screen, after: floating)
            }
        }
    }
}
