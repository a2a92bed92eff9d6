import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// Whatever ends while the film floats: nothing else does, or all does.
    @Suite("Closing windows while the video floats", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingEndingTests {
        private func close(_ screen: Screen, _ harness: FloatingHarness) throws {
            harness.display.requestClose(of: try #require(UInt(screen.window)))
        }

        @Test(
            "When the main window is closed the video keeps floating, and the program ends with that window",
            arguments: [true, false])
        func mainClosed(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    let last = try harness.waitForFrames(in: float)
                    try close(harness.screen, harness)
                    try Program.untilTrue("the main window is gone") { harness.windows == [float.window] }
                    try harness.waitForFrames(in: float, after: last)
                    try close(float, harness)
                    try harness.glissade.expect(.exited(0))
                    #expect(harness.glissade.errors == "")
                }
            }
        }

        @Test(
            "When the main window is closed, returning from the floating window reopens it with the player page",
            arguments: [true, false])
        func mainBack(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let home = try harness.screen.waitForRest()
                    for _ in 1...2 {
                        let float = try harness.float()
                        try close(harness.screen, harness)
                        try Program.untilTrue("the main window is gone") { harness.windows == [float.window] }
                        let area = try float.area()
                        let last = try harness.waitForFrames(in: float)
                        try harness.click(area.width - 22, 22, of: float)
                        try Program.untilTrue("the main window") { harness.windows == [harness.screen.window] }
                        try harness.waitForFrames(in: harness.screen, after: last)
                        try harness.screen.wait(for: home)
                        harness.display.movePointer(to: FloatingHarness.aside)
                        try harness.takeKeys()
                    }
                }
            }
        }

        @Test("Closing the floating window by the window manager or its button pauses the video in the mini player")
        func floatClosed() throws {
            try FloatingHarness.run { harness in
                try harness.takeKeys()
                let float = try harness.float()
                try close(float, harness)
                try harness.waitForNoFloat()
                let bar = try harness.barPicture()
                _ = try harness.waitForStandstill { harness.frame(in: bar) }
            }
        }

        @Test("The next video of a playlist plays in the floating window")
        func nextFilm() throws {
            try FloatingHarness.run(arguments: [try Clip.short.get(), try Clip.second.get()]) { harness in
                try harness.takeKeys()
                let float = try harness.float()
                try harness.waitForFrames(in: float, after: 127)
                try float.takeKeys()
                try float.press("Escape")
                try harness.waitForNoFloat()
                _ = try harness.waitForStandstill { try harness.screen.picture()?.frame }
            }
        }

        @Test("At the end of the only video its last frame stays, and it can be replayed from its page")
        func onlyFilm() throws {
            try TemporaryFolder.with { folder in
                // Alone in its folder: there is nothing to go on with.
                let film = folder + "/film.mp4"
                try FileManager.default.copyItem(atPath: try Clip.short.get(), toPath: film)
                try FloatingHarness.run(arguments: [film]) { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    #expect(try harness.waitForStandstill { harness.frame(in: float) } == 49)
                    try harness.screen.press("o")
                    try harness.waitForNoFloat()
                    try Program.untilTrue("the last frame") { harness.frame(in: harness.screen) == 49 }
                    try harness.screen.press("space")
                    try harness.waitForFrames(in: harness.screen)
                }
            }
        }

        @Test("A floating video whose folder is deleted plays to its end")
        func deleted() throws {
            try TemporaryFolder.with { outer in
                let folder = outer + "/films"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try FileManager.default.copyItem(atPath: try Clip.long.get(), toPath: folder + "/a.mp4")
                try FloatingHarness.run(arguments: [folder + "/a.mp4"]) { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    let last = try harness.waitForFrames(in: float)
                    try FileManager.default.removeItem(atPath: folder)
                    try harness.waitForFrames(in: float, after: last + 25)
                    try harness.screen.press("o")
                    try harness.waitForNoFloat()
                    try harness.waitForFrames(in: harness.screen, after: last + 25)
                }
            }
        }

        @Test("A signal while the video floats ends the program with status 4 and a report")
        func signal() throws {
            for isAlone in [false, true] {
                try TemporaryFolder.with { folder in
                    let report = folder + "/r.json"
                    try FloatingHarness.run(options: ["--report", report]) { harness in
                        try harness.takeKeys()
                        let float = try harness.float()
                        if isAlone {
                            try close(harness.screen, harness)
                            try Program.untilTrue("the main window is gone") { harness.windows == [float.window] }
                        }
                        harness.glissade.send(SIGTERM)
                        try harness.glissade.expect(.exited(4))
                        #expect(harness.glissade.errors == "")
                    }
                    #expect(try Glissade.Report(report).video.shown > 0)
                }
            }
        }

        @Test("When the X server dies while the video floats, the program ends with a failure")
        func serverGone() throws {
            try Program.run(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-noreset"]) { server in
                let display = try Program.until("an X server") {
                    server.output.contains("\n") ? ":" + server.output.trimmingCharacters(in: .newlines) : nil
                }
                let options = ["--size", "640x360", "--audio", "silent", try Clip.film.get()]
                try Glissade.run(options, environment: ["DISPLAY": display]) { glissade in
                    try withDisplay(display) {
                        let screen = try Screen(of: glissade)
                        try screen.waitForFrame("it plays") { $0 > 2 }
                        try screen.press("o")
                        try Program.untilTrue("a floating window") { FloatingHarness.windows(of: glissade).count == 2 }
                    }
                    server.send(SIGKILL)
                    let end = try glissade.wait()
                    #expect(end != .exited(0), "\(glissade.errors)")
                }
            }
        }

        /// The tools look at the server that the environment names. Tests run one at a time.
        private func withDisplay(_ display: String, _ body: () throws -> Void) throws {
            let old = ProcessInfo.processInfo.environment["DISPLAY"]
            setenv("DISPLAY", display, 1)
            defer { if let old { setenv("DISPLAY", old, 1) } }
            try body()
        }
    }
}
