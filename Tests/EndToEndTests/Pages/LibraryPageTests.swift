import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    /// The program begun without a file: the contents of the folder, and the effect of a click.
    @Suite("Library", .enabled(if: Glissade.hasDisplay, "no display"))
    struct LibraryPageTests {
        private static let barHeight = 48
        private static let rowHeight = 84

        /// Starts the program in `folder`, with a window of 640x360.
        private func open(_ folder: String, _ body: (Program, Screen) throws -> Void) throws {
            guard let path = Glissade.path else { throw Program.Failure(description: "no binary") }
            try XScreen().movePointer(to: Point(x: 1200, y: 900))
            let options = ["--size", "640x360", "--position", "0,0", "--no-controls", "--audio", "silent"]
            try Program.run(["env", "--chdir=\(folder)", path] + options) { glissade in
                try body(glissade, try Screen(of: glissade))
            }
        }

        private func quit(_ glissade: Program, _ screen: Screen) throws {
            try screen.press("q")
            try glissade.expect(.exited(0))
        }

        private func copy(_ clip: Result<String, any Error>, to path: String) throws {
            try FileManager.default.copyItem(atPath: try clip.get(), toPath: path)
        }

        /// Where a row lies, counted from 0.
        private func rows(_ row: Int) -> Range<Int> {
            let top = Self.barHeight + row * Self.rowHeight
            return top..<top + Self.rowHeight
        }

        /// Whether a name can be read in a row: light pixels, right of where the poster lies, and above the small bar.
        private func hasText(_ picture: GreyPicture, row: Int) -> Bool {
            rows(row).clamped(to: 0..<270).contains { y in (136..<600).count { picture[$0, y] > 110 } >= 4 }
        }

        private func waitForRows(_ count: Int, _ screen: Screen) throws {
            try Program.untilTrue("\(count) rows") {
                guard let picture = try screen.picture() else { return false }
                return (0..<3).allSatisfy { hasText(picture, row: $0) == ($0 < count) }
            }
        }

        private func click(row: Int) throws {
            try WitnessTool.drive("move:400,\(rows(row).lowerBound + 42)", "wait:0.1", "press", "wait:0.05", "release")
        }

        @Test("A folder's files are shown as rows, and a click or Down and Enter plays one")
        func rows() throws {
            try TemporaryFolder.with { folder in
                try copy(Clip.long, to: folder + "/a.mp4")
                try copy(Clip.second, to: folder + "/b.mp4")
                try open(folder) { glissade, screen in
                    try waitForRows(2, screen)
                    try click(row: 1)
                    try screen.waitForFrame("the second film") { $0 >= 128 }
                    try screen.press("Escape")
                    try waitForRows(2, screen)
                    _ = try screen.waitForStillPicture(height: 270)
                    try screen.press("Home", "Return")
                    try screen.waitForFrame("the first film") { $0 < 128 }
                    try quit(glissade, screen)
                    #expect(glissade.errors == "")
                }
                try open(folder) { glissade, screen in
                    try waitForRows(2, screen)
                    try screen.press("Down", "Return")
                    try screen.waitForFrame("the first film") { $0 < 128 }
                    try quit(glissade, screen)
                    #expect(glissade.errors == "")
                }
            }
        }

        @Test("The row of a deleted file disappears, and a broken file says so and does not play")
        func deletedAndBroken() throws {
            try TemporaryFolder.with { folder in
                try copy(Clip.long, to: folder + "/a.mp4")
                try copy(Clip.second, to: folder + "/b.mp4")
                try Data("no film".utf8).write(to: URL(fileURLWithPath: folder + "/c.mp4"))
                try open(folder) { glissade, screen in
                    try waitForRows(3, screen)
                    try FileManager.default.removeItem(atPath: folder + "/b.mp4")
                    try waitForRows(2, screen)
                    try click(row: 1)
                    try Program.untilTrue("a message") { glissade.errors.contains("c.mp4: ") }
                    #expect(glissade.errors.split(separator: "\n").count == 1)
                    #expect(glissade.errors.contains("not a media file"))
                    try screen.press("Escape")
                    try waitForRows(2, screen)
                    _ = try screen.waitForStillPicture(height: 270)
                    try click(row: 0)
                    try screen.waitForFrame("the film that is whole") { $0 > 0 }
                    // One of what was to be played could not be.
                    try quit(glissade, screen)
                }
            }
        }

        @Test("A folder of ten thousand files opens and can be scrolled to its end")
        func manyFiles() throws {
            try TemporaryFolder.with { folder in
                for number in 1...10_000 {
                    _ = FileManager.default.createFile(atPath: folder + "/film \(number).mp4", contents: nil)
                }
                try open(folder) { glissade, screen in
                    try waitForRows(3, screen)
                    let top = try #require(try screen.picture())
                    try screen.press("End")
                    let end = try screen.waitForStillPicture { !$0.isEqual(to: top, within: 8) && hasText($0, row: 2) }
                    try screen.press("Prior")
                    _ = try screen.waitForStillPicture { !$0.isEqual(to: end, within: 8) }
                    try quit(glissade, screen)
                    #expect(glissade.errors == "")
                }
            }
        }
    }
}
