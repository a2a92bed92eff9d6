import Foundation
import Glibc
import Motion
import Testing

extension EndToEnd {
    /// A film without a GPU, and without OpenGL until somebody wants more than the film.
    @Suite(.enabled(if: Glissade.hasDisplay && access("/dev/dri", F_OK) != 0, "no display, or a GPU"))
    struct DirectPictureTests {
        /// Whether the program has Mesa's rasterizer in memory: a driver's file, or, from Mesa 24.2 on, the one of all drivers.
        private func hasDriver(_ program: Program) throws -> Bool {
            // Read to its end: the kernel gives a page at a time, where Foundation may take the first for all.
            guard let file = fopen("/proc/\(program.id)/maps", "r") else { return false }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 4096)
            while fgets(&line, CInt(line.count), file) != nil {
                if strstr(line, "_dri.so") != nil || strstr(line, "/libgallium") != nil { return true }
            }
            return false
        }

        @Test(
            "no driver is loaded for a film alone; the first hand brings it, the controls come, and no frame comes twice"
        )
        func firstHand() throws {
            try Overlay.run(options: ["--no-controls"]) { overlay in
                let begun = try overlay.waitForFrame("it plays") { $0 > 10 }
                #expect(try !hasDriver(overlay.glissade))
                try overlay.click(Int(Overlay.aside.x), Int(Overlay.aside.y))
                try overlay.waitUntil("the controls") { overlay.showsBar }
                #expect(try hasDriver(overlay.glissade))
                try overlay.waitForFrame("it goes on") { $0 > begun + 20 }
                #expect(zip(overlay.frames, overlay.frames.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test("a paused film stays on show while the driver comes, and after it")
        func paused() throws {
            try Overlay.run(options: ["--no-controls", "--paused"]) { overlay in
                try overlay.waitForFrame("the first") { $0 == 0 }
                try overlay.click(Int(Overlay.aside.x), Int(Overlay.aside.y))
                try overlay.waitUntil("the driver") { (try? hasDriver(overlay.glissade)) == true }
                try overlay.waitUntil("the controls") { overlay.showsBar }
                #expect(Set(overlay.frames) == [0])
            }
        }

        @Test("what a key says of itself comes when there is a driver, and goes again")
        func message() throws {
            try Overlay.run(options: ["--no-controls", "--paused"]) { overlay in
                try overlay.waitForFrame("the first") { $0 == 0 }
                let before = try overlay.screen.waitForStillPicture()
                try overlay.screen.press("m")
                try Program.untilTrue("a message") { try overlay.screen.picture() != before }
                #expect(try hasDriver(overlay.glissade))
                try Program.untilTrue("none") { try overlay.screen.picture() == before }
                try overlay.screen.press("Right")
                try overlay.waitForFrame("further on") { $0 > 60 }
            }
        }

        @Test("beside the first film, what the driver compiles is brought into its cache; with the next it is there")
        func driverCache() throws {
            try TemporaryFolder.with { folder in
                let marker = folder + "/glissade/driver-cache"
                func play(_ body: (Overlay) throws -> Void) throws {
                    try Overlay.run(environment: ["MESA_SHADER_CACHE_DIR": folder], body)
                }
                // A folder of files, or, from Mesa 23 on, one of a database.
                func entries() -> Int {
                    ["mesa_shader_cache", "mesa_shader_cache_db"].reduce(0) { count, name in
                        count + (FileManager.default.enumerator(atPath: "\(folder)/\(name)")?.allObjects.count ?? 0)
                    }
                }
                try play { overlay in
                    try Program.untilTrue("all of it") {
                        FileManager.default.contents(atPath: marker).map { $0.last == UInt8(ascii: "3") } ?? false
                    }
                    #expect(entries() > 0)
                    #expect(try !hasDriver(overlay.glissade), "another process's work")
                }
                let made = try FileManager.default.attributesOfItem(atPath: marker)[.modificationDate] as? Date
                try play { overlay in
                    try overlay.waitForFrame("past the time for it") { $0 > 100 }
                    try Program.run(["pgrep", "-P", "\(overlay.glissade.id)"]) { search in
                        let end = try search.wait()
                        #expect(end == .exited(1), "\(search.output)")
                    }
                }
                let kept = try FileManager.default.attributesOfItem(atPath: marker)[.modificationDate] as? Date
                #expect(kept == made)
            }
        }

        @Test("where the driver was begun by something else than a hand, and nothing moves, the first key is answered")
        func keyAtRest() throws {
            try TemporaryFolder.with { folder in
                let tone = folder + "/tone.flac"
                try Program.tool("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=60", tone)
                try Glissade.run(["--size", "480x270", "--audio", "silent", "--paused", tone]) { glissade in
                    let screen = try Screen(of: glissade)
                    try Program.untilTrue("the driver") { try hasDriver(glissade) }
                    _ = try screen.waitForStillPicture()
                    // One that waits, and one that would not by itself.
                    try screen.press("i")
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
            }
        }

        /// Mesa has its drivers in the libraries that it is linked with (from 24.2 on): none can be missing, and a GLX without
        /// any holds this window up. What shows it is going to be replaced by a renderer that knows no driver.
        static let driversMayBeMissing =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/x86_64-linux-gnu"))
            .map { !$0.contains { $0.hasPrefix("libgallium") } } ?? true

        @Test(
            "a key that ends the program needs no driver; one that shows something finds that there is none",
            .enabled(
                if: driversMayBeMissing,
                "Mesa's drivers are part of its libraries here; the renderers' work replaces this"))
        func noDriver() throws {
            let film = try Clip.short.get()
            for (key, end) in [("q", Program.End.exited(0)), ("i", .exited(1))] {
                let environment = ["LIBGL_DRIVERS_PATH": "/nonexistent", "LIBGL_ALWAYS_SOFTWARE": "1"]
                let options = ["--size", "480x270", "--audio", "silent", "--paused", film]
                try Glissade.run(options, environment: environment) { glissade in
                    let screen = try Screen(of: glissade)
                    _ = try screen.waitForStillPicture()
                    try screen.press(key)
                    try glissade.expect(end)
                }
            }
        }

        @Test("the command that fills the driver's cache says in one line where there is no display")
        func noDisplay() throws {
            try Glissade.run(["fill-driver-cache"], environment: ["DISPLAY": ":7777"]) { program in
                let end = try program.wait()
                #expect(end == .exited(1))
                #expect(program.errors.split(separator: "\n").count == 1)
            }
        }
    }
}
