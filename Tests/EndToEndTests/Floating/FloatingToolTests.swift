import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// What floats that is no film: a clock, and lines of subtitles.
    @Suite("Floating clock and subtitles", .enabled(if: Glissade.isBuilt))
    struct FloatingToolTests {
        /// What of a window's picture is light: writing.
        private func ink(_ window: String) throws -> Int {
            guard let picture = try Screen.picture(of: window) else { return 0 }
            return picture.pixels.count { $0 > 140 }
        }

        /// Whether a window shows another picture than before.
        private func waitForChange(_ window: Screen) throws {
            let first = try Program.until("a picture") { try window.picture() }
            try Program.untilTrue("another picture") {
                try window.picture().map { !$0.isEqual(to: first, within: 8) } == true
            }
        }

        private func floatWindow(named name: String, of program: Program) throws -> Screen {
            try Program.until("a window \(name)") {
                if program.hasEnded { throw Program.Failure(description: "ended: \(program.errors)") }
                let found = try? Program.tool(
                    "xdotool", "search", "--onlyvisible", "--all", "--pid", "\(program.id)", "--name", "^\(name)$")
                return found?.split(separator: "\n").last.map { Screen(window: String($0)) }
            }
        }

        @Test(
            "The clock can float alone in one small window, and closing it ends the program",
            .enabled(if: Glissade.hasDisplay), arguments: [true, false])
        func clockAlone(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                let display = try XScreen()
                display.movePointer(to: FloatingHarness.aside)
                try Glissade.run(["--float", "clock"]) { glissade in
                    let clock = try floatWindow(named: "Clock", of: glissade)
                    try Program.untilTrue("writing") { try ink(clock.window) > 100 }
                    #expect(FloatingHarness.windows(of: glissade) == [clock.window])
                    let area = try clock.area()
                    #expect((area.width, area.height) == (300, 96))
                    try waitForChange(clock)
                    display.requestClose(of: try #require(UInt(clock.window)))
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
            }
        }

        @Test("The floating clock's format is a setting, and its window fits it", .enabled(if: Glissade.hasDisplay))
        func clockFormat() throws {
            try TemporaryFolder.with { folder in
                try FileManager.default.createDirectory(
                    atPath: folder + "/glissade", withIntermediateDirectories: true)
                try "[floating]\nclock = \"HH:mm\"\n".write(
                    toFile: folder + "/glissade/config.toml", atomically: true, encoding: .utf8)
                try Glissade.run(["--float", "clock"], environment: ["XDG_CONFIG_HOME": folder]) { glissade in
                    let clock = try floatWindow(named: "Clock", of: glissade)
                    try Program.untilTrue("writing") { try ink(clock.window) > 50 }
                    let area = try clock.area()
                    #expect(area.width < 300 && area.height == 96)
                }
            }
        }

        @Test(
            "The floating clock and the floating video can be closed independently", .enabled(if: Glissade.hasDisplay))
        func clockAndFilm() throws {
            try FloatingHarness.run(options: ["--float", "clock"]) { harness in
                let clock = try floatWindow(named: "Clock", of: harness.glissade)
                let screen = Screen(window: try #require(harness.windows.first { $0 != clock.window }))
                let main = FloatingHarness(glissade: harness.glissade, screen: screen, display: harness.display)
                try main.takeKeys()
                try main.waitForFrames(in: screen)
                try waitForChange(clock)
                // Three windows, two of them floating.
                try screen.press("o")
                try Program.untilTrue("three windows") { main.windows.count == 3 }
                try screen.press("C")
                try Program.untilTrue("no clock") { !main.windows.contains(clock.window) }
                try main.waitForFrames(in: main.waitForFloat())
                try screen.press("o")
                try main.waitForNoFloat()
                try main.waitForFrames(in: screen)
                // Back again, and closed while the film is in its page.
                try screen.press("C")
                let again = try main.waitForFloat()
                try Program.untilTrue("writing") { try ink(again.window) > 100 }
                harness.display.requestClose(of: try #require(UInt(again.window)))
                try main.waitForNoFloat()
                try main.waitForFrames(in: screen)
                try screen.press("q")
                try harness.glissade.expect(.exited(0))
                #expect(harness.glissade.errors == "")
            }
        }

        @Test(
            "Subtitle lines can float beside the video and follow it", .enabled(if: Glissade.hasDisplay))
        func lines() throws {
            try TemporaryFolder.with { folder in
                let film = folder + "/film.mp4"
                try FileManager.default.createSymbolicLink(atPath: film, withDestinationPath: Clip.film.get())
                let text = (0..<60).map { number in
                    let (seconds, half) = (number / 2, number % 2 * 500)
                    func time(_ milliseconds: Int) -> String {
                        String(format: "00:00:%02d,%03d", seconds, milliseconds)
                    }
                    return
                        "\(number + 1)\n\(time(half)) --> \(time(half + 480))\n\(String(repeating: "H", count: 3 + number % 9))\n"
                }.joined(separator: "\n")
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/film.srt"))
                try FloatingHarness.run(options: ["--float", "lines"], arguments: [film]) { harness in
                    let lines = try floatWindow(named: "Subtitles", of: harness.glissade)
                    let screen = Screen(window: try #require(harness.windows.first { $0 != lines.window }))
                    try screen.takeKeys()
                    try Program.untilTrue("writing") { try ink(lines.window) > 200 }
                    try waitForChange(lines)
                    try screen.press("O")
                    try Program.untilTrue("no lines") { harness.windows == [screen.window] }
                    try screen.press("O")
                    try Program.untilTrue("lines") { harness.windows.count == 2 }
                    try screen.press("q")
                    try harness.glissade.expect(.exited(0))
                    #expect(harness.glissade.errors == "")
                }
            }
        }

        @Test("An unknown name after --float is a usage error")
        func unknown() throws {
            for arguments in [["--float", "nonsense"], ["--float"], ["--float", ""]] {
                try Glissade.run(arguments) { glissade in
                    try glissade.expect(.exited(2))
                    #expect(glissade.errors.contains("--float"))
                }
            }
        }

        @Test("Without a window system --float is refused in one line, with status 1")
        func offscreen() throws {
            for float in ["clock", "lines"] {
                try Glissade.run(
                    ["--offscreen", "--float", float, "--audio", "none", "--exit-at-end", try Clip.short.get()]
                ) { glissade in
                    try glissade.expect(.exited(1))
                    #expect(glissade.errors.split(separator: "\n").count == 1, "\(glissade.errors)")
                }
            }
            try Glissade.run(["--offscreen", "--float", "clock"]) { glissade in
                try glissade.expect(.exited(1))
                #expect(glissade.errors.split(separator: "\n").count == 1, "\(glissade.errors)")
            }
        }
    }
}
