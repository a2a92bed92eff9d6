import Foundation
import Glibc
import Motion
import Testing

extension EndToEnd {
    /// A film without a GPU, and without OpenGL until somebody wants more than the film.
    @Suite(.enabled(if: Glissade.hasDisplay && access("/dev/dri", F_OK) != 0, "no display, or a GPU"))
    struct DirectPictureTests {
        /// Whether the program has Mesa's rasterizer in memory.
        private func hasDriver(_ program: Program) throws -> Bool {
            try String(contentsOfFile: "/proc/\(program.id)/maps", encoding: .utf8).contains("_dri.so")
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
    }
}
