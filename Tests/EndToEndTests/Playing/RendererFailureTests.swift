import Foundation
import Glibc
import Testing
import GlissadeTestSupport
import GlissadeTime

extension EndToEnd {
    /// OpenGL that begins, and then fails: Mesa's rasterizer, which passes for a GPU, with a library before it that
    /// fails on purpose.
    @Suite("OpenGL failures at run time", .enabled(if: Glissade.hasDisplay, "no display"))
    struct RendererFailureTests {
        struct Failure: CustomTestStringConvertible {
            /// As `Tests/FailingGL` calls it.
            var kind: String
            /// After so many swaps.
            var swaps: Int
            var reason: String
            var testDescription: String { "\(kind) after \(swaps) frames" }

            var takeover: String { "glissade: OpenGL failed, switching to software rendering: \(reason)\n" }

            func environment() throws -> [String: String?] {
                [
                    "LD_PRELOAD": try RendererFailureTests.library.get(), "GLISSADE_FAIL": kind,
                    "GLISSADE_FAIL_AFTER": "\(swaps)", "force_gl_renderer": "Test GPU", "LIBGL_ALWAYS_SOFTWARE": "1",
                ]
            }

            static let lostLater = Failure(
                kind: "swap", swaps: 40, reason: "cannot show frames: the OpenGL context is lost")
            static let all = [
                lostLater, Failure(kind: "swap", swaps: 0, reason: lostLater.reason),
                Failure(kind: "link", swaps: 0, reason: "the driver rejects the shader planar: no log"),
                Failure(kind: "memory", swaps: 0, reason: "the driver is out of memory"),
                Failure(kind: "memory", swaps: 40, reason: "the driver is out of memory"),
            ]
        }

        /// The library, compiled once.
        private static let library = Result {
            let folder = try TemporaryFolder.make()
            let source = Repository.path("Tests/FailingGL/failing.c")
            try Program.tool("cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", folder + "/failing.so", source, "-ldl")
            return folder + "/failing.so"
        }

        /// Plays a film, ends it by its own key after `body`, and gives the numbers of the frames that it has shown.
        @discardableResult private func run(
            _ failure: Failure, options: [String] = [], _ body: (Program, Screen) throws -> Void
        ) throws -> [Int] {
            try TemporaryFolder.with { folder in
                let (log, report) = (folder + "/frames.csv", folder + "/report.json")
                let place = ["--size", "640x360", "--position", "40,40", "--no-controls", "--audio", "silent"]
                let arguments = place + ["--frame-log", log, "--report", report] + options + [try Clip.film.get()]
                try Glissade.run(arguments, environment: try failure.environment()) { glissade in
                    try Program.untilTrue("the failure is told") {
                        if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
                        return !glissade.errors.isEmpty
                    }
                    let screen = try window(of: glissade)
                    try body(glissade, screen)
                    try Program.tool("xdotool", "windowfocus", screen.window)
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == failure.takeover)
                }
                let text = try String(contentsOfFile: report, encoding: .utf8)
                #expect(text.contains("software (pixman"))
                return try Glissade.shownFrames(log, rate: 30)
            }
        }

        /// The window that took the other's place: the only one whose picture shows a frame.
        private func window(of program: Program) throws -> Screen {
            let id = try Program.until("a window with the film") {
                try FloatingHarness.windows(of: program).first { try Screen.picture(of: $0)?.frame != nil }
            }
            return Screen(window: id)
        }

        @Test(
            "When OpenGL fails, software rendering continues with the same video and position in the same place",
            arguments: Failure.all)
        func playing(failure: Failure) throws {
            let frames = try run(failure) { glissade, screen in
                try screen.waitForFrame("it plays on") { $0 > failure.swaps + 30 }
                #expect(FloatingHarness.windows(of: glissade) == [screen.window])
                #expect(try screen.area() == Screen.Area(x: 40, y: 40, width: 640, height: 360))
            }
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }, "\(frames)")
        }

        @Test("When OpenGL fails a paused video stays paused, and its frame is shown again")
        func paused() throws {
            let failure = Failure(kind: "swap", swaps: 0, reason: Failure.lostLater.reason)
            try run(failure, options: ["--paused", "--start", "10"]) { _, screen in
                let frame = try screen.waitForStandstill()
                #expect(frame == 300)
            }
        }

        @Test("When OpenGL fails fullscreen stays, and leaving it restores the window", arguments: [true, false])
        func fullscreen(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                _ = try run(.lostLater, options: ["--fullscreen"]) { _, screen in
                    let whole = try Screen.size()
                    try Program.untilTrue("all of the screen") {
                        let area = try screen.area()
                        return (area.width, area.height) == (whole.width, whole.height)
                    }
                    try screen.waitForFrame("it plays on") { $0 > 70 }
                    try Program.tool("xdotool", "windowfocus", screen.window)
                    try screen.press("f")
                    try Program.untilTrue("its own size") {
                        let area = try screen.area()
                        return (area.width, area.height) == (640, 360)
                    }
                }
            }
        }

        @Test("When OpenGL fails a floating video floats again")
        func floating() throws {
            let failure = Failure(kind: "window", swaps: 20, reason: Failure.lostLater.reason)
            try run(failure, options: ["--float", "clock"]) { glissade, screen in
                try Program.untilTrue("the clock") { FloatingHarness.windows(of: glissade).count == 2 }
                try screen.waitForFrame("it plays on") { $0 > 60 }
            }
        }

        @Test("If OpenGL was requested explicitly, its failure is an error", arguments: Failure.all)
        func askedFor(failure: Failure) throws {
            let options = ["--renderer", "gles", "--size", "640x360", "--audio", "none", try Clip.film.get()]
            try Glissade.run(options, environment: try failure.environment()) { glissade in
                try glissade.expect(.exited(1))
                #expect(glissade.errors == "glissade: \(failure.reason)\n")
            }
        }
    }
}
