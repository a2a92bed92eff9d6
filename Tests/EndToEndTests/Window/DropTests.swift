import Foundation
import Glibc
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    @Suite("Dropped files", .enabled(if: Glissade.hasDisplay, "no display")) struct DropTests {
        @Test("A dropped file is opened, and a file URL without a path does no harm")
        func drop() throws {
            let clip = try Clip.long.get()
            try TemporaryFolder.with { folder in
                let shot = folder + "/s.png"
                let options = ["--size", "320x180", "--audio", "none", "--no-history", "--paused"]
                try Glissade.run(options + ["--screenshot", "0=\(shot)", clip]) { glissade in
                    try Program.untilTrue("the screenshot") { access(shot, F_OK) == 0 }
                    let screen = try XScreen()
                    func drop(_ list: String) -> Bool? { screen.drop(Array(list.utf8), onWindowOf: glissade.id) }
                    // As long as a piece of memory, so that the memory behind it is not part of the list.
                    for length in [1, 7, 24, 4088] {
                        #expect(drop("file://" + String(repeating: "h", count: length)) == true)
                    }
                    #expect(drop("file://localhost\(folder)/not%20there.mp4\r\n") == true)
                    try Program.untilTrue("the message") { glissade.errors.contains("not there.mp4") }
                    #expect(glissade.errors == "glissade: \(folder)/not there.mp4: no such file or directory\n")
                    glissade.send(SIGTERM)
                    try glissade.expect(.exited(4))
                }
            }
        }

        @Test("Drops to or from windows that do not exist do no harm")
        func goneWindows() throws {
            let clip = try Clip.long.get()
            try TemporaryFolder.with { folder in
                let shot = folder + "/s.png"
                let options = ["--size", "320x180", "--audio", "none", "--no-history", "--paused"]
                try Glissade.run(options + ["--screenshot", "0=\(shot)", clip]) { glissade in
                    try Program.untilTrue("the screenshot") { access(shot, F_OK) == 0 }
                    let screen = try XScreen()
                    func drop(_ name: String, isSourceGone: Bool = false) -> Bool? {
                        let list = Array("file://\(folder)/\(name)\r\n".utf8)
                        return screen.drop(list, onWindowOf: glissade.id, isSourceGone: isSourceGone)
                    }
                    #expect(screen.forgeDrop(onWindowOf: glissade.id))
                    #expect(drop("one.mp4", isSourceGone: true) == true)
                    try Program.untilTrue("the first message") { glissade.errors.contains("one.mp4") }
                    #expect(drop("two.mp4") == true)
                    try Program.untilTrue("the second message") { glissade.errors.contains("two.mp4") }
                    glissade.send(SIGTERM)
                    try glissade.expect(.exited(4))
                }
            }
        }
    }
}
