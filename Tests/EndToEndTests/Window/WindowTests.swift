import Foundation
import Glibc
import GlissadeGeometry
import GlissadeScreenProbe
import Testing

extension EndToEnd {
    @Suite("Window", .enabled(if: Glissade.hasDisplay, "no display"))
    struct WindowTests {
        private let options = ["--audio", "silent", "--paused"]

        @Test("The window takes the video's size")
        func ownSize() throws {
            try Glissade.run(options + [try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                let area = try screen.area()
                #expect(area.width == Clip.size.width)
                #expect(area.height == Clip.size.height)
            }
        }

        @Test("In a Wayland session the program opens an X11 window")
        func waylandSession() throws {
            // A compositor that is not there: a program that asks it for a window gets none.
            let session = ["WAYLAND_DISPLAY": "wayland-nobody", "XDG_SESSION_TYPE": "wayland"]
            try Glissade.run(options + [try Clip.long.get()], environment: session) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
            }
        }

        @Test("The --size, --position and --borderless options are obeyed")
        func placed() throws {
            let place = ["--size", "640x360", "--position", "200,150", "--borderless"]
            try Glissade.run(options + place + [try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                #expect(try screen.area() == .init(x: 200, y: 150, width: 640, height: 360))
            }
        }

        @Test("On a display of 192 dpi a point is two pixels long, and a press is where the pointer is seen")
        func dense() throws {
            let property = ["xprop", "-root", "-format", "RESOURCE_MANAGER", "8s"]
            try Program.run(property + ["-set", "RESOURCE_MANAGER", "Xft.dpi: 192\n"]) { try $0.expect(.exited(0)) }
            defer { _ = try? Program.tool("xprop", "-root", "-remove", "RESOURCE_MANAGER") }
            let (width, height) = (ControlsHarness.width, ControlsHarness.height)
            let margins = ControlsHarness.margins
            let region = "film=0,\(margins.top * 2),\(width * 2),\((height - margins.top - margins.bottom) * 2)"
            _ = try WitnessTool.watch([region]) { witness in
                let place = ["--size", "\(width)x\(height)", "--position", "0,0"]
                try Glissade.run(options + place + [try Clip.controlled.get()]) { glissade in
                    func frame() -> Int? { WitnessTool.changes(of: witness).compactMap { Int($0.frame) }.last }
                    let screen = try Screen(of: glissade)
                    try Program.untilTrue("the first") { frame() == 0 }
                    #expect(try screen.area() == .init(x: 0, y: 0, width: width * 2, height: height * 2))
                    let target = 606
                    let x = (ControlsHarness.place(of: Double(target) + 0.5) * 2).rounded()
                    let row = ControlsHarness.barRow * 2
                    let display = try XScreen()
                    try Program.untilTrue("the controls") {
                        display.movePointer(to: Point(x: 600 + Double(Int.random(in: 1...20)), y: 500))
                        let bar = display.grey(x: Int(x) - 120..<Int(x) + 120, y: row..<row + 1)
                        return bar?.allSatisfy { $0 > 24 } ?? false
                    }
                    try WitnessTool.drive("move:\(x - 120),\(row)", "press", "glide:\(x),\(row),0.4", "wait:0.2")
                    try Program.untilTrue("the frame at that place") { frame().map { abs($0 - target) <= 1 } ?? false }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
            }
        }

        @Test("A window manager that died without withdrawing its announcement does not block the window")
        func deadManager() throws {
            func isNamed() throws -> Bool {
                try Program.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").contains("window id")
            }
            try Program.run(["openbox", "--sm-disable"]) { manager in
                try Program.untilTrue("openbox") { try isNamed() }
                manager.send(SIGKILL)
                _ = try manager.wait()
            }
            #expect(try isNamed())
            try Glissade.run(options + [try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
            }
            #expect(try !isNamed())
        }

        @Test("The video is letterboxed in a window of another aspect ratio")
        func resized() throws {
            try Glissade.run(options + ["--size", "320x180", try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                for _ in 1...2 { try screen.press("period") }
                try screen.waitForFrame("the third") { $0 == 2 }
                for (width, height) in [(640, 360), (800, 300), (300, 600), (161, 97), (320, 180)] {
                    try screen.command("windowsize", "\(width)", "\(height)")
                    try Program.untilTrue("the picture at \(width)x\(height)") {
                        guard let picture = try screen.picture() else { return false }
                        return picture.width == width && picture.height == height && picture.frame == 2
                            && Self.isFramedInBlack(picture)
                    }
                }
                try screen.press("q")
                try glissade.expect(.exited(0))
            }
        }

        @Test("After a series of quick resizes a paused frame is as sharp as in a window opened at that size")
        func resizedQuickly() throws {
            let clip = try Clip.long.get()
            // Not a multiple of the clip's own size: the bars' edges are soft, each size in its own way.
            let (width, height) = (507, 285)
            let fresh = try Glissade.run(options + ["--size", "\(width)x\(height)", clip]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                return try screen.picture()
            }
            try Glissade.run(options + ["--size", "960x540", clip]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                for _ in 1...5 {
                    var steps: [String] = []
                    for step in stride(from: 20, through: 0, by: -1) {
                        steps += ["windowsize", screen.window, "\(width + step * 16)", "\(height + step * 9)"]
                    }
                    let end = try Program.run(["xdotool"] + steps) { try $0.wait() }
                    #expect(end == .exited(0))
                    try Program.untilTrue("the sharp picture") {
                        guard let picture = try screen.picture(), let fresh else { return false }
                        return picture.isEqual(to: fresh, within: 2)
                    }
                }
                try screen.press("q")
                try glissade.expect(.exited(0))
            }
        }

        /// Black right up to where the picture has to be, and the picture right up to there.
        private static func isFramedInBlack(_ picture: GreyPicture) -> Bool {
            let scale = min(Double(picture.width) / 320, Double(picture.height) / 180)
            let (across, down) = (320 * scale, 180 * scale)
            let (right, bottom) = ((Double(picture.width) + across) / 2, (Double(picture.height) + down) / 2)
            let (left, top) = (Double(picture.width) - right, Double(picture.height) - bottom)
            for (x, y) in [(0.0, 0.0), (left - 2, top), (right + 2, bottom), (left, top - 2), (right, bottom + 2)] {
                let isOutside = x < left - 1 || y < top - 1 || x > right + 1 || y > bottom + 1
                let (column, row) = (Int(x), Int(y))
                guard isOutside, column >= 0, row >= 0, column < picture.width, row < picture.height else { continue }
                if picture[column, row] > 3 { return false }
            }
            // Every frame is white above and below, to its corners.
            return [Int(left) + 2, Int(right) - 3].allSatisfy { column in
                picture[column, Int(top) + 2] > 200 && picture[column, Int(bottom) - 2] > 200
            }
        }

        @Test("Closing the window ends the program with status 0, and the report is written")
        func closed() throws {
            try TemporaryFolder.with { folder in
                let report = folder + "/r.json"
                // The window manager is there first: one that is just beginning may overlook a window that comes then.
                try WindowManager.run {
                    try Glissade.run(options + ["--report", report, try Clip.long.get()]) { glissade in
                        let screen = try Screen(of: glissade)
                        try screen.waitForFrame("the first") { $0 == 0 }
                        try screen.activate()
                        // What openbox does then is what a click on the close button does: WM_DELETE_WINDOW.
                        try screen.press("alt+F4")
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                }
                #expect(try Glissade.Report(report).video.shown == 1)
            }
        }

        @Test("A minimized window draws nothing while playback continues, and shows the current frame when restored")
        func iconified() throws {
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let arguments = ["--audio", "silent", "--frame-log", log, try Clip.long.get()]
                try WindowManager.run {
                    try Glissade.run(arguments) { glissade in
                        let screen = try Screen(of: glissade)
                        let before = try screen.waitForFrame("it plays") { $0 > 2 }
                        try screen.command("windowminimize")
                        try Program.untilTrue("the window is gone") { try screen.picture() == nil }
                        // Time passes while nobody looks: waited for by the clock, for there is nothing to see.
                        let gone = Date()
                        try Program.untilTrue("two seconds") { Date().timeIntervalSince(gone) > 2 }
                        try screen.activate()
                        // The desktop clears the window before the program gets to draw it.
                        let after = try screen.waitForFrame("back") { $0 > before }
                        #expect(after - before >= 40)
                        try screen.press("q")
                        try glissade.expect(.exited(0))
                    }
                }
                let frames = try Glissade.shownFrames(log, rate: Clip.rate)
                let gaps = zip(frames, frames.dropFirst()).map { $1 - $0 }
                #expect(gaps.max() ?? 0 >= 30, "what nobody saw was not shown")
                #expect(gaps.allSatisfy { $0 > 0 })
            }
        }
    }
}

/// A window manager for as long as a test needs one.
enum WindowManager {
    static func run<R>(options: [String] = [], _ body: () throws -> R) throws -> R {
        try TemporaryFolder.with { folder in
            // It says that it is there before it listens: a window that is shown in between stays hidden. The command is run
            // once it listens.
            let ready = folder + "/ready"
            return try Program.run(["openbox", "--sm-disable", "--startup", "touch \(ready)"] + options) { manager in
                try Program.untilTrue("openbox") {
                    if manager.hasEnded { throw Program.Failure(description: "openbox: \(manager.errors)") }
                    return FileManager.default.fileExists(atPath: ready)
                }
                // Ended by a signal that it hears, it takes back what it told the server: GLFW 3.3.8 stops the program by
                // an assertion where a window manager is announced and gone.
                defer {
                    manager.send(SIGTERM)
                    _ = try? manager.wait()
                    _ = try? Program.tool("xprop", "-root", "-remove", "_NET_SUPPORTING_WM_CHECK")
                }
                return try body()
            }
        }
    }
}

extension Screen {
    /// Brings the window to the front, and the keys to it.
    func activate() throws { try Program.tool("xdotool", "windowactivate", "--sync", window) }
}
