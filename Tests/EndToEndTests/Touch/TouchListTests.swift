import Foundation
import GlissadeGeometry
import Testing
import GlissadeTime

extension EndToEnd {
    /// Lists under the fingers of a `TouchServer`.
    @Suite(
        "Touching lists", .enabled(if: Glissade.isBuilt, "no binary"),
        .enabled(if: TouchServer.obstacle == nil, "\(TouchServer.obstacle ?? "")"))
    struct TouchListTests {
        /// Where the names are: right of the posters, and left of the scroll bar.
        private static let columns = 140..<600
        private static let top = 60

        /// Whether `picture` shows what `start` shows, `distance` pixels higher.
        private func isMoved(_ picture: GreyPicture, from start: GreyPicture, by distance: Int) -> Bool {
            (Self.top..<picture.height - distance).allSatisfy { row in
                Self.columns.allSatisfy { picture[$0, row] == start[$0, row + distance] }
            }
        }

        @Test("A list follows a finger to the pixel and stays while it rests, and a flick scrolls on")
        func drag() throws {
            let path = try #require(Glissade.path)
            try TemporaryFolder.with { folder in
                for index in 0..<24 {
                    // Each name of its own, so that no two rows look the same.
                    let name = "\(index) " + String(repeating: "film ", count: index % 7 + 1)
                    try FileManager.default.linkItem(atPath: Clip.long.get(), toPath: "\(folder)/\(name).mp4")
                }
                try TouchServer.run { server in
                    let options = ["--size", "640x360", "--position", "0,0", "--audio", "silent"]
                    try Program.run(["env", "--chdir=\(folder)", path] + options) { glissade in
                        let screen = try Screen(of: glissade)
                        // The details come when the files have been opened.
                        var still = Date()
                        var start = try screen.waitForStillPicture()
                        try Program.untilTrue("the rows are complete") {
                            guard let picture = try screen.picture() else { return false }
                            if picture != start { (start, still) = (picture, Date()) }
                            return Date().timeIntervalSince(still) > 1
                        }
                        try server.screen.press(1, 400, 320)
                        var last = Point(x: 400, y: 320)
                        for distance in [40, 157, 83, 200] {
                            let next = Point(x: 400, y: 320 - Double(distance))
                            try server.screen.glide(1, from: last, to: next)
                            last = next
                            try Program.untilTrue("the list \(distance) pixels higher") {
                                try screen.picture().map { isMoved($0, from: start, by: distance) } ?? false
                            }
                        }
                        let arrived = Date()
                        try Program.untilTrue("the finger has rested") {
                            let picture = try screen.picture()
                            #expect(picture.map { isMoved($0, from: start, by: 200) } == true)
                            return Date().timeIntervalSince(arrived) > 0.3
                        }
                        try server.screen.release(1)
                        let rest = try screen.waitForStillPicture()
                        #expect(isMoved(rest, from: start, by: 200), "released at rest, it does not move on")
                        try server.screen.press(2, 400, 320)
                        try server.screen.glide(2, from: Point(x: 400, y: 320), to: Point(x: 400, y: 220), steps: 4)
                        try server.screen.release(2)
                        try Program.untilTrue("it has scrolled farther than the finger moved") {
                            guard let picture = try screen.picture() else { return false }
                            return (0...100).allSatisfy { !isMoved(picture, from: rest, by: $0) }
                        }
                        try screen.press("q")
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                }
            }
        }
    }
}
