import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// Pointer and keys on the floating window.
    @Suite("Using the floating window", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingWindowDragTests {
        /// Where its buttons are, from its upper corners: in the middle of 32 points that lie 6 from the edges.
        private static let button = 22

        @Test("Dragging anywhere in the floating window moves it with the pointer", arguments: [true, false])
        func moved(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    var area = try float.waitForRest()
                    for (x, y, dx, dy) in [(60, 200, -500, -300), (400, 60, 120, 80)] {
                        try harness.drag(float, from: x, y, by: dx, dy)
                        area.x += dx
                        area.y += dy
                        try Program.untilTrue("the window at \(area)") { try float.area() == area }
                        #expect(try float.waitForRest() == area)
                    }
                    try harness.waitForFrames(in: float)
                }
            }
        }

        @Test(
            "Dragging a corner resizes the floating window, keeping its aspect ratio, down to 160x90",
            arguments: [true, false])
        func resized(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    let begin = try float.waitForRest()
                    // The upper left corner: the lower right one stays.
                    try harness.drag(float, from: 4, 4, by: -320, -180)
                    let large = try float.waitForRest()
                    #expect(large.width > begin.width + 250)
                    #expect(abs(large.width * 9 - large.height * 16) <= 16)
                    #expect(abs(large.x + large.width - begin.x - begin.width) <= 1)
                    #expect(abs(large.y + large.height - begin.y - begin.height) <= 1)
                    try harness.waitForFrames(in: float)
                    // The lower right one, far beyond the smallest.
                    try harness.drag(
                        float, from: large.width - 4, large.height - 4, by: -large.width - 200, -large.height - 100)
                    let small = try float.waitForRest()
                    #expect((small.width, small.height) == (160, 90))
                    #expect((small.x, small.y) == (large.x, large.y))
                    try harness.waitForFrames(in: float)
                }
            }
        }

        @Test(
            "Hovering the floating window shows its buttons, and its close button pauses the video in the mini player")
        func close() throws {
            try FloatingHarness.run { harness in
                try harness.takeKeys()
                let float = try harness.float()
                let area = try float.area()
                // A corner of the lower band, which is white without the buttons' scrim.
                func edge() -> UInt8 {
                    let (x, y) = (area.x + 20, area.y + area.height - 4)
                    return harness.display.grey(x: x..<x + 1, y: y..<y + 1)?.first ?? 0
                }
                try Program.untilTrue("no buttons") { edge() > 220 }
                try harness.point(at: 100, 200, of: float)
                try Program.untilTrue("buttons") { (60..<180).contains(edge()) }
                harness.display.movePointer(to: FloatingHarness.aside)
                try Program.untilTrue("no buttons again") { edge() > 220 }
                let last = try harness.waitForFrames(in: float)
                try harness.click(Self.button, Self.button, of: float)
                try harness.waitForNoFloat()
                let bar = try harness.barPicture()
                let frame = try harness.waitForStandstill { harness.frame(in: bar) }
                #expect(frame >= last)
                // And from there it goes on.
                try harness.takeKeys()
                try harness.screen.press("space")
                try harness.waitForFrames(after: frame) { harness.frame(in: bar) }
            }
        }

        @Test("The floating window can be paused by its button, and returns by its button or a double click")
        func buttons() throws {
            try FloatingHarness.run { harness in
                try harness.takeKeys()
                let float = try harness.float()
                let area = try float.area()
                try harness.click(area.width / 2, area.height / 2, of: float)
                let frame = try harness.waitForStandstill { harness.frame(in: float) }
                try harness.click(area.width / 2, area.height / 2, of: float)
                let last = try harness.waitForFrames(in: float, after: frame)
                try harness.click(area.width - Self.button, Self.button, of: float)
                try harness.waitForNoFloat()
                try harness.waitForFrames(in: harness.screen, after: last)

                harness.display.movePointer(to: FloatingHarness.aside)
                try harness.takeKeys()
                try harness.float()
                let (x, y) = (area.x + 60, area.y + 200)
                try WitnessTool.drive(
                    "move:\(x),\(y)", "wait:0.1", "press", "wait:0.04", "release", "wait:0.06", "press", "wait:0.04",
                    "release")
                try harness.waitForNoFloat()
                try harness.waitForFrames(in: harness.screen, after: last)
            }
        }

        @Test("In the floating window Space pauses, Escape returns and q quits", arguments: [true, false])
        func keys(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    var float = try harness.float()
                    try float.takeKeys()
                    try float.press("space")
                    let frame = try harness.waitForStandstill { harness.frame(in: float) }
                    try float.press("space")
                    try harness.waitForFrames(in: float, after: frame)
                    try float.press("Escape")
                    try harness.waitForNoFloat()
                    try harness.waitForFrames(in: harness.screen, after: frame)
                    try harness.takeKeys()
                    float = try harness.float()
                    try float.takeKeys()
                    try float.press("q")
                    try harness.glissade.expect(.exited(0))
                    #expect(harness.glissade.errors == "")
                }
            }
        }

        @Test("In the floating window f takes the video to fullscreen")
        func otherKeys() throws {
            try FloatingHarness.run { harness in
                try harness.takeKeys()
                let float = try harness.float()
                let last = try harness.waitForFrames(in: float)
                try float.takeKeys()
                try float.press("f")
                let whole = try Screen.whole()
                try Program.untilTrue("the whole screen") { try harness.screen.area() == whole }
                try harness.waitForNoFloat()
                try harness.waitForFrames(in: harness.screen, after: last)
            }
        }
    }
}
