import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// The film out in a window of its own, and back.
    @Suite("Floating a video", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingWindowTests {
        @Test("The o key floats the video above all windows on all desktops, without decorations, at its aspect ratio")
        func properties() throws {
            try WindowManager.run {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    let properties = try float.properties()
                    let states = properties["_NET_WM_STATE"] ?? ""
                    #expect(states.contains("_NET_WM_STATE_ABOVE"))
                    // All desktops: what is no number of one.
                    #expect(properties["_NET_WM_DESKTOP"]?.contains("4294967295") == true)
                    // The second flag says that decorations are told of; the third number, that there are none.
                    #expect(properties["_MOTIF_WM_HINTS"]?.contains("0x2, 0x0, 0x0, 0x0, 0x0") == true)
                    let hints = try float.sizeHints()
                    #expect(hints.contains("minimum size: 160 by 90"), "\(hints)")
                    #expect(hints.contains("minimum aspect ratio: 640/360"), "\(hints)")
                    #expect(hints.contains("maximum aspect ratio: 640/360"), "\(hints)")
                    let area = try float.area()
                    #expect(area.width * 9 == area.height * 16)
                    let whole = try Screen.whole()
                    #expect(area.x + area.width <= whole.width && area.y + area.height <= whole.height)
                    // The main window keeps the keys.
                    let active = try Program.tool("xdotool", "getwindowfocus")
                    #expect(active.trimmingCharacters(in: .whitespacesAndNewlines) == harness.screen.window)
                }
            }
        }

        @Test(
            "While the video floats the library is shown, and o again returns the page at the current frame",
            arguments: [true, false])
        func outAndBack(isManaged: Bool) throws {
            try TemporaryFolder.with { folder in
                let (report, log) = (folder + "/r.json", folder + "/l.csv")
                try WindowManager.run(isManaged) {
                    try FloatingHarness.run(options: ["--report", report, "--frame-log", log]) { harness in
                        try harness.takeKeys()
                        var last = -1
                        for _ in 1...2 {
                            let float = try harness.float()
                            last = try harness.waitForFrames(in: float, after: last)
                            try Program.untilTrue("the library") { try harness.showsLibrary() }
                            #expect(harness.windows.count == 2)
                            try harness.screen.press("o")
                            try harness.waitForNoFloat()
                            last = try harness.waitForFrames(in: harness.screen, after: last)
                        }
                    }
                }
                let video = try Glissade.Report(report).video
                // On a busy machine one that was uploaded can be replaced before a refresh shows it, and one that was taken
                // before the windows change can be given up.
                #expect(
                    (video.shown...video.due).contains(video.uploaded), "each frame once, whichever windows show it")
                #expect(video.shown + video.dropped <= video.due)
                let frames = try Glissade.shownFrames(log, rate: 30)
                #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }, "none twice, and none again")
            }
        }

        @Test("The video stays visible throughout floating and returning", arguments: [true, false])
        func unbroken(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                let seen = try WitnessTool.follow(length: Clip.markedLength) { witness in
                    try FloatingHarness.run(arguments: [try Clip.marked.get()]) { harness in
                        try harness.takeKeys()
                        let home = try witness.waitForFrames("it plays") { $0.width == FloatingHarness.width }
                        for _ in 1...2 {
                            try harness.screen.press("o")
                            try witness.waitForFrames("it floats") { (470...490).contains($0.width) }
                            try harness.screen.press("o")
                            try harness.waitForNoFloat()
                            try witness.waitForFrames("it is back") { $0.left == home.left && $0.right == home.right }
                        }
                    }
                }
                #expect(seen.observed.isTold)
                // A window manager puts the new window into a frame of its own, and a single look may fall between.
                #expect(seen.longestBlack <= (isManaged ? .milliseconds(50) : .zero), "\(seen.blackCount) times")
            }
        }

        @Test("However often o is pressed in a row, the video ends up in one window and keeps playing")
        func quickly() throws {
            try FloatingHarness.run { harness in
                try harness.takeKeys()
                try harness.waitForFrames(in: harness.screen)
                for count in [2, 3, 4, 5] {
                    let keys = Array(repeating: "o", count: count)
                    _ = try Program.run(["xdotool", "key", "--delay", "25"] + keys) { try $0.wait() }
                    // Presses while it comes or goes may count for nothing: but it is whole, in one place.
                    _ = try harness.screen.waitForRest(1.2)
                    let windows = harness.windows
                    #expect(windows.count <= 2)
                    if let float = windows.first(where: { $0 != harness.screen.window }) {
                        try harness.waitForFrames(in: Screen(window: float))
                        try harness.screen.press("o")
                        try harness.waitForNoFloat()
                    }
                    try harness.waitForFrames(in: harness.screen)
                }
            }
        }

        @Test(
            "The o key in fullscreen floats the video, and the main window leaves fullscreen", arguments: [true, false])
        func fromFullscreen(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    let screen = harness.screen
                    try harness.takeKeys()
                    try harness.waitForFrames(in: screen)
                    let (home, whole) = (try screen.waitForRest(), try Screen.whole())
                    try screen.press("f")
                    try Program.untilTrue("the whole screen") { try screen.area() == whole }
                    let last = try harness.waitForFrames(in: screen)
                    try screen.press("o")
                    let float = try harness.waitForFloat()
                    try harness.waitForFrames(in: float, after: last)
                    try screen.wait(for: home)
                    try Program.untilTrue("the library") { try harness.showsLibrary() }
                    // f brings the film back, to the whole screen.
                    try screen.press("f")
                    try Program.untilTrue("the whole screen") { try screen.area() == whole }
                    try harness.waitForNoFloat()
                    try harness.waitForFrames(in: screen, after: last)
                    try screen.press("f")
                    try screen.wait(for: home)
                    try harness.waitForFrames(in: screen)
                }
            }
        }

        @Test("Dragging a page or resizing the main window does not disturb the floating video")
        func mainUnderTheHand() throws {
            try FloatingHarness.run { harness in
                let screen = harness.screen
                try harness.takeKeys()
                let float = try harness.float()
                // On its way back the page is taken and thrown off again.
                try screen.press("o")
                try harness.drag(screen, from: 40, 150, by: 400, 0)
                try screen.command("windowsize", "700", "420")
                _ = try screen.waitForRest(1.2)
                try Program.untilTrue("the film at one place") {
                    let shown = [
                        harness.windows.contains(float.window) ? harness.frame(in: float) : nil,
                        try screen.picture()?.frame,
                        try harness.frame(in: harness.barPicture()),
                    ]
                    return shown.count { $0 != nil } == 1
                }
            }
        }
    }
}
