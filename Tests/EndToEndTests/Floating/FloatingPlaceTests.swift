import Foundation
import Glibc
import Testing
import GlissadeTime

extension EndToEnd {
    /// Where a floating window opens the next time.
    @Suite("Floating window position", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingPlaceTests {
        /// Runs `body` with a state folder that holds `text`, if any, as the places of floating windows.
        private func withState(_ text: String?, _ body: ([String: String?], _ file: String) throws -> Void) throws {
            try TemporaryFolder.with { folder in
                let file = folder + "/glissade/floating"
                if let text {
                    try FileManager.default.createDirectory(
                        atPath: folder + "/glissade", withIntermediateDirectories: false)
                    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                }
                try body(["XDG_STATE_HOME": folder], file)
            }
        }

        private func open(
            _ environment: [String: String?], _ body: (FloatingHarness, Screen) throws -> Void
        ) throws {
            try FloatingHarness.run(options: ["--no-history"], environment: environment) { harness in
                try harness.takeKeys()
                try body(harness, try harness.float())
            }
        }

        @Test(
            "Position and size of the floating window are kept across restarts and returns", arguments: [true, false])
        func kept(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try withState(nil) { environment, file in
                    var area = Screen.Area(x: 0, y: 0, width: 0, height: 0)
                    try open(environment) { harness, float in
                        try harness.drag(float, from: 4, 4, by: -160, -90)
                        _ = try float.waitForRest()
                        try harness.drag(float, from: 100, 200, by: -300, -200)
                        area = try float.waitForRest()
                        try harness.takeKeys()
                        harness.display.movePointer(to: FloatingHarness.aside)
                        try harness.screen.press("o")
                        try harness.waitForNoFloat()
                        let again = try harness.float()
                        #expect(try again.waitForRest() == area)
                    }
                    let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
                    #expect(text == "film \(area.x) \(area.y) \(area.width) \(area.height)\n")
                    try open(environment) { _, float in
                        let there = try float.waitForRest()
                        #expect(there == area)
                    }
                }
            }
        }

        @Test(
            "A damaged state file is ignored",
            arguments: ["\0\0\0", "film 1 2 3\nfilm a b c d\n", "film 10 10 -480 270\n", "film 9e9 0 1 1\n"])
        func damaged(text: String) throws {
            try withState(text) { environment, _ in
                try open(environment) { _, float in
                    let whole = try Screen.whole()
                    let area = try float.area()
                    #expect((area.width, area.height) == (480, 270))
                    #expect((area.x + area.width, area.y + area.height) == (whole.width - 24, whole.height - 24))
                }
            }
        }

        @Test(
            "An off-screen or oversized position is moved onto the screen, and one of another aspect ratio takes the video's",
            arguments: [
                "film 5000 4000 480 270\n", "film -3000 -2000 640 360\n", "film 100 100 8000 4500\n",
                "film 300 300 400 400\n",
            ])
        func elsewhere(text: String) throws {
            try withState(text) { environment, _ in
                try open(environment) { _, float in
                    let whole = try Screen.whole()
                    let area = try float.area()
                    #expect(area.x >= 0 && area.y >= 0)
                    #expect(area.x + area.width <= whole.width && area.y + area.height <= whole.height)
                    #expect(abs(area.width * 9 - area.height * 16) <= 16)
                }
            }
        }

        @Test("A state folder that cannot be written does no harm")
        func unwritable() throws {
            try withState(nil) { environment, file in
                // A file where the folder would be.
                let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
                try Data().write(to: folder)
                try open(environment) { harness, float in
                    try harness.drag(float, from: 100, 200, by: -100, -100)
                    try harness.waitForFrames(in: float)
                }
            }
        }
    }
}
