import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    /// Films that play in the library's cards, and go from there to the whole screen and into their own window.
    @Suite("Inline playback in cards", .enabled(if: Glissade.hasDisplay, "no display"))
    struct CardTests {
        /// Opens a folder with `count` films as cards, in a window of 960x600, and watches the first one play.
        private func open(
            films count: Int = 2, _ body: (FloatingHarness, WitnessTool.Follower) throws -> Void
        ) throws -> WitnessTool.FollowResult {
            try TemporaryFolder.with { folder in
                let films = folder + "/films"
                try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: false)
                try FileManager.default.createDirectory(
                    atPath: folder + "/glissade", withIntermediateDirectories: false)
                try Data("[library]\nview = \"cards\"\n".utf8).write(
                    to: URL(fileURLWithPath: folder + "/glissade/config.toml"))
                for number in 1...count {
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(films)/film \(number).mp4", withDestinationPath: Clip.marked.get())
                }
                guard let path = Glissade.path else { throw Program.Failure(description: "no binary") }
                let display = try XScreen()
                display.movePointer(to: Point(x: 1700, y: 900))
                let options = ["--size", "960x600", "--position", "40,40", "--no-controls", "--audio", "silent"]
                return try WitnessTool.follow(length: Clip.markedLength) { witness in
                    let program = ["env", "--chdir=\(films)", path] + options
                    try Program.run(program, environment: ["XDG_CONFIG_HOME": folder]) { glissade in
                        let harness = FloatingHarness(
                            glissade: glissade, screen: try Screen(of: glissade), display: display)
                        try body(harness, witness)
                        if glissade.hasEnded { return }
                        try harness.takeKeys()
                        try harness.screen.press("q")
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                }
            }
        }

        private func markedFrame(in area: Screen.Area, _ display: XScreen) -> Int? {
            let row = area.y + area.height / 3
            guard let line = display.line(x: area.x..<area.x + area.width, y: row..<row + 1) else { return nil }
            return MarkedCode.findings(in: line).lazy.compactMap { $0.number }.first
        }

        @Test("The most visible card plays by itself, and f takes its video to fullscreen and back to the card")
        func fullscreen() throws {
            let seen = try open { harness, witness in
                let card = try witness.waitForFrames("the film in its card") { $0.left > 40 && $0.width < 960 }
                let whole = try Screen.size().width
                for _ in 1...2 {
                    try harness.screen.press("f")
                    try witness.waitForFrames("all of the screen") { $0.covers(whole) }
                    try harness.screen.press("f")
                    try witness.waitForFrames("its card") { place in
                        abs(place.left - card.left) <= 2 && abs(place.right - card.right) <= 2
                    }
                }
            }
            #expect(seen.observed.isTold)
            #expect(seen.blackCount == 0, "for up to \(seen.longestBlack): \(seen.aroundBlack)")
        }

        @Test("Pressing f twice in a row turns the video back to its card, where it continues")
        func turningBack() throws {
            _ = try open { harness, witness in
                let card = try witness.waitForFrames("the film in its card") { $0.left > 40 && $0.width < 960 }
                let home = try harness.screen.waitForRest()
                for keys in [["f", "f"], ["f", "f", "f", "f"]] {
                    _ = try Program.run(["xdotool", "key", "--delay", "60"] + keys) { try $0.wait() }
                    try harness.screen.wait(for: home)
                    try witness.waitForFrames("its card") { place in
                        abs(place.left - card.left) <= 2 && abs(place.right - card.right) <= 2
                    }
                }
            }
        }

        @Test("The o key over a card floats its video, and o again opens its page")
        func floating() throws {
            _ = try open { harness, witness in
                try witness.waitForFrames("the film in its card") { $0.left > 40 && $0.width < 960 }
                try harness.screen.press("o")
                let float = try harness.waitForFloat()
                // The card's poster is larger, and may be of a frame close by: what is asked for is what the window shows.
                try harness.waitForFrames { try markedFrame(in: float.area(), harness.display) }
                try harness.screen.press("o")
                try harness.waitForNoFloat()
                try witness.waitForFrames("its page") { abs($0.left - 40) <= 4 && abs($0.width - 960) <= 8 }
            }
        }

        @Test("The v key turns the cards into a list")
        func list() throws {
            _ = try open { harness, witness in
                try witness.waitForFrames("the film in its card") { $0.left > 40 && $0.width < 960 }
                try harness.screen.press("v")
                try Program.untilTrue("rows with names") {
                    guard let picture = try harness.screen.picture() else { return false }
                    return [0, 1].allSatisfy { row in
                        (48 + row * 84..<132 + row * 84).contains { y in
                            (136..<600).count { picture[$0, y] > 110 } >= 4
                        }
                    }
                }
                try harness.screen.press("v")
                try witness.waitForFrames("the film in its card again") { $0.left > 40 && $0.width < 960 }
            }
        }
    }
}
