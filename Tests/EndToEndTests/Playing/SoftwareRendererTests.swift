import Foundation
import Glibc
import Testing
import GlissadeTime

extension EndToEnd {
    /// A machine without a GPU.
    @Suite(
        "Without a GPU",
        .enabled(if: Glissade.hasDisplay && access("/dev/dri", F_OK) != 0, "no display, or a GPU"))
    struct SoftwareRendererTests {
        /// Whether the program has an OpenGL driver, a rasterizer or a compiler for one in memory; the small libraries that only
        /// pass calls on do not count.
        private func hasDriver(_ program: Program) throws -> Bool {
            // Read to its end: the kernel gives a page at a time, where Foundation may take the first for all.
            let path = "/proc/\(program.id)/maps"
            let file = try #require(fopen(path, "r"), "\(path): \(String(cString: strerror(errno)))")
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 4096)
            var isRead = false
            while fgets(&line, CInt(line.count), file) != nil {
                isRead = true
                let names = ["_dri.so", "/libgallium", "/libLLVM", "/libEGL_", "/libGLX_"]
                for name in names where strstr(line, name) != nil {
                    return true
                }
            }
            // Nothing is said of a program that has ended.
            try #require(isRead, "\(path) is empty")
            return false
        }

        @Test("Software rendering loads no OpenGL driver, and no frame is repeated, whatever is drawn over the video")
        func firstInput() throws {
            try ControlsHarness.run(options: ["--no-controls"]) { harness in
                let begun = try harness.waitForFrame("it plays") { $0 > 10 }
                try harness.click(Int(ControlsHarness.aside.x), Int(ControlsHarness.aside.y))
                try harness.waitUntil("the controls") { harness.showsBar }
                try harness.waitForFrame("it goes on") { $0 > begun + 20 }
                #expect(try !hasDriver(harness.glissade))
                #expect(zip(harness.frames, harness.frames.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test("A paused video stays visible while the controls appear")
        func paused() throws {
            try ControlsHarness.run(options: ["--no-controls", "--paused"]) { harness in
                try harness.waitForFrame("the first") { $0 == 0 }
                try harness.click(Int(ControlsHarness.aside.x), Int(ControlsHarness.aside.y))
                try harness.waitUntil("the controls") { harness.showsBar }
                #expect(Set(harness.frames) == [0])
            }
        }

        @Test("The message of a key press appears and disappears")
        func message() throws {
            try ControlsHarness.run(options: ["--no-controls", "--paused"]) { harness in
                try harness.waitForFrame("the first") { $0 == 0 }
                let before = try harness.screen.waitForStillPicture()
                try harness.screen.press("m")
                try Program.untilTrue("a message") { try harness.screen.picture() != before }
                #expect(try !hasDriver(harness.glissade))
                try Program.untilTrue("none") { try harness.screen.picture() == before }
                try harness.screen.press("Right")
                try harness.waitForFrame("further on") { $0 > 60 }
            }
        }

        @Test("OpenGL on Mesa's software rasterizer is used if requested, with a warning")
        func openGL() throws {
            try TemporaryFolder.with { folder in
                let report = folder + "/report.json"
                try Glissade.run([
                    "--size", "320x180", "--audio", "none", "--renderer", "gles", "--duration", "1", "--report", report,
                    try Clip.short.get(),
                ]) { glissade in try glissade.expect(.exited(0)) }
                let text = try String(contentsOfFile: report, encoding: .utf8)
                #expect(text.contains("llvmpipe") || text.contains("softpipe"), "\(text)")
            }
        }

        @Test("Without any OpenGL driver a video plays as usual")
        func noDriver() throws {
            let environment = [
                "LIBGL_DRIVERS_PATH": "/nonexistent", "LIBGL_ALWAYS_SOFTWARE": "1",
                "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent", "__GLX_VENDOR_LIBRARY_NAME": "none",
            ]
            let options = ["--size", "480x270", "--audio", "none", "--duration", "1", try Clip.short.get()]
            try Glissade.run(options, environment: environment) { glissade in try glissade.expect(.exited(0)) }
        }
    }
}
