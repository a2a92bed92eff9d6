import Foundation
import Glibc
import Testing
import Time
import Witnessing

extension EndToEnd {
    /// Whatever ends while the film floats: nothing else does, or all does.
    @Suite("Floating ending", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingEndingTests {
        private func close(_ screen: Screen, _ floater: Floater) throws {
            floater.eyes.requestClose(of: try #require(UInt(screen.window)))
        }

        @Test(
            "The main window is closed: the film continues, and the program ends with its window",
            arguments: [true, false])
        func mainClosed(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try Floater.run { floater in
                    try floater.takeKeys()
                    let float = try floater.float()
                    let last = try floater.waitForFrames(in: float)
                    try close(floater.screen, floater)
                    try Program.untilTrue("the main window is gone") { floater.windows == [float.window] }
                    try floater.waitForFrames(in: float, after: last)
                    try close(float, floater)
                    try floater.glissade.expect(.exited(0))
                    #expect(floater.glissade.errors == "")
                }
            }
        }

        @Test("The main window is closed: it comes back with the film's page", arguments: [true, false])
        func mainBack(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try Floater.run { floater in
                    try floater.takeKeys()
                    let home = try floater.screen.waitForRest()
                    for _ in 1...2 {
                        let float = try floater.float()
                        try close(floater.screen, floater)
                        try Program.untilTrue("the main window is gone") { floater.windows == [float.window] }
                        let area = try float.area()
                        let last = try floater.waitForFrames(in: float)
                        try floater.click(area.width - 22, 22, of: float)
                        try Program.untilTrue("the main window") { floater.windows == [floater.screen.window] }
                        try floater.waitForFrames(in: floater.screen, after: last)
                        try floater.screen.wait(for: home)
                        floater.eyes.movePointer(to: Floater.aside)
                        try floater.takeKeys()
                    }
                }
            }
        }

        @Test("Closed by the window manager it is as by its button: the film is paused, and in the small bar")
        func floatClosed() throws {
            try Floater.run { floater in
                try floater.takeKeys()
                let float = try floater.float()
                try close(float, floater)
                try floater.waitForNoFloat()
                let bar = try floater.barPicture()
                _ = try floater.waitForStandstill { floater.frame(in: bar) }
            }
        }

        @Test("The film of a list ends while it floats: the next one plays there")
        func nextFilm() throws {
            try Floater.run(arguments: [try Clip.short.get(), try Clip.second.get()]) { floater in
                try floater.takeKeys()
                let float = try floater.float()
                try floater.waitForFrames(in: float, after: 127)
                try float.takeKeys()
                try float.press("Escape")
                try floater.waitForNoFloat()
                _ = try floater.waitForStandstill { try floater.screen.picture()?.frame }
            }
        }

        @Test("The only film ends while it floats: its last frame stays, and it plays again from the page")
        func onlyFilm() throws {
            try TemporaryFolder.with { folder in
                // Alone in its folder: there is nothing to go on with.
                let film = folder + "/film.mp4"
                try FileManager.default.copyItem(atPath: try Clip.short.get(), toPath: film)
                try Floater.run(arguments: [film]) { floater in
                    try floater.takeKeys()
                    let float = try floater.float()
                    #expect(try floater.waitForStandstill { floater.frame(in: float) } == 49)
                    try floater.screen.press("o")
                    try floater.waitForNoFloat()
                    try Program.untilTrue("the last frame") { floater.frame(in: floater.screen) == 49 }
                    try floater.screen.press("space")
                    try floater.waitForFrames(in: floater.screen)
                }
            }
        }

        @Test("The film's folder is deleted while it floats: it plays on to its end")
        func deleted() throws {
            try TemporaryFolder.with { outer in
                let folder = outer + "/films"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try FileManager.default.copyItem(atPath: try Clip.long.get(), toPath: folder + "/a.mp4")
                try Floater.run(arguments: [folder + "/a.mp4"]) { floater in
                    try floater.takeKeys()
                    let float = try floater.float()
                    let last = try floater.waitForFrames(in: float)
                    try FileManager.default.removeItem(atPath: folder)
                    try floater.waitForFrames(in: float, after: last + 25)
                    try floater.screen.press("o")
                    try floater.waitForNoFloat()
                    try floater.waitForFrames(in: floater.screen, after: last + 25)
                }
            }
        }

        @Test("A signal while the film floats, also alone, ends it with status 4 and a report")
        func signal() throws {
            for isAlone in [false, true] {
                try TemporaryFolder.with { folder in
                    let report = folder + "/r.json"
                    try Floater.run(options: ["--report", report]) { floater in
                        try floater.takeKeys()
                        let float = try floater.float()
                        if isAlone {
                            try close(floater.screen, floater)
                            try Program.untilTrue("the main window is gone") { floater.windows == [float.window] }
                        }
                        floater.glissade.send(SIGTERM)
                        try floater.glissade.expect(.exited(4))
                        #expect(floater.glissade.errors == "")
                    }
                    #expect(try Glissade.Report(report).video.shown > 0)
                }
            }
        }

        @Test("The X server goes away while the film floats: the program ends, and does not say that all is well")
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
                        try Program.untilTrue("a floating window") { Floater.windows(of: glissade).count == 2 }
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
