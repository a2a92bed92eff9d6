import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// Out to the whole screen and back, seen on the screen.
    @Suite("Fullscreen by the f key", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FullscreenTests {
        private func waitForWhole(_ screen: Screen) throws {
            let whole = try Screen.whole()
            try Program.untilTrue("the window covers the screen") { try screen.area() == whole }
        }

        @Test(
            "The f key fills the screen, f again restores the window exactly, and the video stays visible throughout",
            arguments: [true, false])
        func thereAndBack(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                let seen = try WitnessTool.follow(length: Clip.markedLength) { witness in
                    try FloatingHarness.run(arguments: [try Clip.marked.get()]) { harness in
                        let screen = harness.screen
                        try screen.takeKeys()
                        let home = try witness.waitForFrames("it plays") { $0.width == FloatingHarness.width }
                        let (area, frame) = (try screen.waitForRest(), try screen.properties()["_NET_FRAME_EXTENTS"])
                        for _ in 1...2 {
                            try screen.press("f")
                            try waitForWhole(screen)
                            let whole = try Screen.size().width
                            try witness.waitForFrames("all of the screen") { $0.covers(whole) }
                            try screen.press("f")
                            try screen.wait(for: area)
                            try witness.waitForFrames("where it was") { $0.left == home.left && $0.right == home.right }
                        }
                        try screen.wait(for: area)
                        #expect(try screen.properties()["_NET_FRAME_EXTENTS"] == frame)
                    }
                }
                #expect(seen.observed.isTold)
                // Without a window manager, the moment in which the window shrinks may be seen. With one, a single look may
                // fall into the server's change of the window; what lasts is the program's doing.
                if isManaged { #expect(seen.longestBlack <= .milliseconds(50), "\(seen.blackCount) times") }
                #expect(seen.observed.all.backwards == 0, "\(seen.aroundBackwards)")
            }
        }

        @Test("Pressing f during the transition reverses it")
        func turningBack() throws {
            try WindowManager.run {
                try FloatingHarness.run { harness in
                    let screen = harness.screen
                    try screen.takeKeys()
                    try harness.waitForFrames(in: screen)
                    let (home, whole) = (try screen.waitForRest(), try Screen.whole())
                    for (keys, end) in [
                        (["f", "f", "f"], whole), (["f", "f"], whole), (["Escape", "f", "f"], home),
                        (["f", "f"], home),
                    ] {
                        _ = try Program.run(["xdotool", "key", "--delay", "30"] + keys) { try $0.wait() }
                        // On a busy machine the window may rest before all keys have had their effect.
                        try Program.untilTrue("the place after \(keys)") { try screen.waitForRest(1.2) == end }
                        try harness.waitForFrames(in: screen)
                    }
                }
            }
        }

        @Test(
            "With --fullscreen the program starts in fullscreen, and f gives it its window", arguments: [true, false])
        func fromTheBegin(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run(options: ["--fullscreen"]) { harness in
                    let screen = harness.screen
                    try screen.takeKeys()
                    try waitForWhole(screen)
                    try harness.waitForFrames { try screen.picture()?.frame }
                    try screen.press("f")
                    let size = (FloatingHarness.width, FloatingHarness.height)
                    try Program.untilTrue("a window") {
                        let area = try screen.area()
                        return (area.width, area.height) == size
                    }
                    try harness.waitForFrames(in: screen)
                    #expect(try screen.properties()["_NET_WM_STATE"]?.contains("FULLSCREEN") != true)
                    try screen.press("f")
                    try waitForWhole(screen)
                    try screen.press("Escape")
                    try Program.untilTrue("a window again") {
                        let area = try screen.area()
                        return (area.width, area.height) == size
                    }
                }
            }
        }

        @Test("Fullscreen set or ended by the window manager is followed")
        func asked() throws {
            try WindowManager.run {
                try FloatingHarness.run { harness in
                    let screen = harness.screen
                    try screen.takeKeys()
                    try harness.waitForFrames(in: screen)
                    let home = try screen.waitForRest()
                    let window = try #require(UInt(screen.window))
                    try screen.press("f")
                    try waitForWhole(screen)
                    try harness.waitForFrames { try screen.picture()?.frame }
                    harness.display.requestState("_NET_WM_STATE_FULLSCREEN", isOn: false, of: window)
                    try screen.wait(for: home)
                    try harness.waitForFrames(in: screen)
                    // It knows: one press is enough.
                    try screen.press("f")
                    try waitForWhole(screen)
                    try screen.press("f")
                    try screen.wait(for: home)

                    harness.display.requestState("_NET_WM_STATE_FULLSCREEN", isOn: true, of: window)
                    try waitForWhole(screen)
                    try harness.waitForFrames { try screen.picture()?.frame }
                    try screen.press("Escape")
                    try screen.wait(for: home)
                    try harness.waitForFrames(in: screen)
                }
            }
        }

        @Test("A minimized window ignores f and keeps playing")
        func minimized() throws {
            try WindowManager.run {
                try FloatingHarness.run { harness in
                    let screen = harness.screen
                    try screen.takeKeys()
                    let before = try harness.waitForFrames(in: screen)
                    let home = try screen.waitForRest()
                    try screen.command("windowminimize")
                    try Program.untilTrue("the window is gone") { harness.windows.isEmpty }
                    try Program.tool("xdotool", "key", "--window", screen.window, "f")
                    // Nothing on screen shows it, so wait by the clock.
                    let sent = Date()
                    try Program.untilTrue("half a second") { Date().timeIntervalSince(sent) > 0.5 }
                    try screen.activate()
                    try harness.waitForFrames(in: screen, after: before + 15)
                    try screen.wait(for: home)
                }
            }
        }

        @Test("Closing the window during a fullscreen transition ends the program with status 0 and a report")
        func closed() throws {
            for (isManaged, keys) in [(true, ["f"]), (false, ["f"]), (true, ["f", "f"])] {
                try TemporaryFolder.with { folder in
                    let report = folder + "/r.json"
                    try WindowManager.run(isManaged) {
                        try FloatingHarness.run(options: ["--report", report]) { harness in
                            try harness.takeKeys()
                            try harness.waitForFrames(in: harness.screen)
                            _ = try Program.run(["xdotool", "key", "--delay", "60"] + keys) { try $0.wait() }
                            harness.display.requestClose(of: try #require(UInt(harness.screen.window)))
                            try harness.glissade.expect(.exited(0))
                            #expect(harness.glissade.errors == "")
                        }
                    }
                    #expect(try Glissade.Report(report).video.shown > 0)
                }
            }
        }

        @Test("A window resized and moved during a transition ends at its requested place or in fullscreen")
        func resized() throws {
            try FloatingHarness.run { harness in
                let screen = harness.screen
                try screen.takeKeys()
                try harness.waitForFrames(in: screen)
                try screen.press("f")
                try screen.command("windowsize", "500", "300")
                try screen.command("windowmove", "100", "120")
                _ = try screen.waitForRest(1.2)
                try harness.waitForFrames { try screen.picture()?.frame }
                // Wherever that was: there is a way back to a window.
                try screen.press("f")
                _ = try screen.waitForRest(1.2)
                try harness.waitForFrames { try screen.picture()?.frame }
            }
        }
    }
}
