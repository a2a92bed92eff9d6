import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A screen of two monitors of different sizes, side by side, with a window manager.
    @Suite(
        "A second monitor", .enabled(if: Glissade.isBuilt, "no binary"),
        .enabled(if: TwoMonitors.obstacle == nil, "\(TwoMonitors.obstacle ?? "")"))
    struct SecondMonitorTests {
        /// Waits until the window shows a frame in the size of a monitor, and returns the frame's number.
        private func waitForFrame(on monitor: Screen.Area, _ screen: Screen) throws -> Int {
            try Program.until("a picture of the monitor's size") {
                guard let picture = try screen.picture(), picture.width == monitor.width,
                    picture.height == monitor.height
                else { return nil }
                return picture.frame
            }
        }

        @Test(
            "A fullscreen window moved to another monitor is fullscreen there, and leaving restores its size",
            arguments: ["software", "gles"])
        func moved(renderer: String) throws {
            try TwoMonitors.run {
                let options = ["--renderer", renderer, "--size", "640x360", "--no-controls", "--audio", "silent"]
                try Glissade.run(options + ["--loop", try Clip.long.get()]) { glissade in
                    let screen = try Screen(of: glissade)
                    try screen.waitForFrame("the film in its window") { $0 > 5 }
                    try screen.press("f")
                    try screen.wait(for: TwoMonitors.first)
                    for monitor in [TwoMonitors.second, TwoMonitors.first, TwoMonitors.second] {
                        try screen.press(TwoMonitors.moveKey)
                        try screen.wait(for: monitor)
                        let frame = try waitForFrame(on: monitor, screen)
                        try screen.waitForFrame("the film goes on") { $0 != frame }
                        #expect(try screen.properties()["_NET_WM_STATE"]?.contains("FULLSCREEN") == true)
                    }
                    try screen.press("f")
                    try Program.untilTrue("a window on the second monitor") {
                        let (area, state) = (try screen.area(), try screen.properties()["_NET_WM_STATE"])
                        return (area.width, area.height) == (640, 360) && state?.contains("FULLSCREEN") != true
                    }
                    try screen.waitForFrame("the film in its window") { _ in true }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
            }
        }

        @Test("A window begins fullscreen on the monitor on which it is")
        func second() throws {
            try TwoMonitors.run {
                let place = ["--size", "320x180", "--position", "1400,100", "--no-controls", "--audio", "silent"]
                try Glissade.run(place + ["--loop", try Clip.long.get()]) { glissade in
                    let screen = try Screen(of: glissade)
                    try screen.waitForFrame("the film in its window") { $0 > 5 }
                    try screen.press("f")
                    try screen.wait(for: TwoMonitors.second)
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
            }
        }
    }

    /// Two outputs of an Xorg without hardware, and openbox, of which a key moves windows to the other one.
    private enum TwoMonitors {
        static let first = Screen.Area(x: 0, y: 0, width: 1280, height: 720)
        static let second = Screen.Area(x: 1280, y: 0, width: 800, height: 600)
        static let moveKey = "super+m"
        static let obstacle = Xorg.obstacle(drivers: ["drivers/dummy_drv.so"]) { _ in configuration }

        private static let keys = """
            <openbox_config xmlns="http://openbox.org/3.4/rc"><keyboard><keybind key="W-m">
            <action name="MoveResizeTo"><monitor>next</monitor></action>
            </keybind></keyboard></openbox_config>
            """
        private static let configuration = Xorg.screen(modelines: [
            #""mode" 74.25 1280 1390 1430 1650 720 725 730 750"#, #""small" 40 800 840 968 1056 600 601 605 628"#,
        ])

        static func run(_ body: () throws -> Void) throws {
            try TemporaryFolder.with { folder in
                try keys.write(toFile: folder + "/openbox.xml", atomically: true, encoding: .utf8)
                try Xorg.run(in: folder, configuration) {
                    try Program.tool("xrandr", "--addmode", "DUMMY1", "small")
                    try Program.tool("xrandr", "--output", "DUMMY1", "--mode", "small", "--right-of", "DUMMY0")
                    try WindowManager.run(options: ["--config-file", folder + "/openbox.xml"], body)
                }
            }
        }
    }
}
