import Foundation
import Glibc
import Testing
import Time
import Witnessing

extension EndToEnd {
    /// A floating window under the hand.
    @Suite("Floating window drag", .enabled(if: Glissade.hasDisplay, "no display"))
    struct FloatingWindowDragTests {
        /// Where its buttons are, from its upper corners: in the middle of 32 points that lie 6 from the edges.
        private static let button = 22

        @Test("A drag from anywhere moves it, by as much as the user", arguments: [true, false])
        func moved(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try Floater.run { floater in
                    try floater.takeKeys()
                    let float = try floater.float()
                    var area = try float.waitForRest()
                    for (x, y, dx, dy) in [(60, 200, -500, -300), (400, 60, 120, 80)] {
                        try floater.drag(float, from: x, y, by: dx, dy)
                        area.x += dx
                        area.y += dy
                        try Program.untilTrue("the window at \(area)") { try float.area() == area }
                        #expect(try float.waitForRest() == area)
                    }
                    try floater.waitForFrames(in: float)
                }
            }
        }

        @Test("A corner resizes it with its shape kept, and never below 160x90", arguments: [true, false])
        func resized(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try Floater.run { floater in
                    try floater.takeKeys()
                    let float = try floater.float()
                    let begin = try float.waitForRest()
                    // The upper left corner: the lower right one stays.
                    try floater.drag(float, from: 4, 4, by: -320, -180)
                    let large = try float.waitForRest()
                    #expect(large.width > begin.width + 250)
                    #expect(abs(large.width * 9 - large.height * 16) <= 16)
                    #expect(abs(large.x + large.width - begin.x - begin.width) <= 1)
                    #expect(abs(large.y + large.height - begin.y - begin.height) <= 1)
                    try floater.waitForFrames(in: float)
                    // The lower right one, far beyond the smallest.
                    try floater.drag(
                        float, from: large.width - 4, large.height - 4, by: -large.width - 200, -large.height - 100)
                    let small = try float.waitForRest()
                    #expect((small.width, small.height) == (160, 90))
                    #expect((small.x, small.y) == (large.x, large.y))
                    try floater.waitForFrames(in: float)
                }
            }
        }

        @Test("The pointer brings buttons: close leaves the film paused in the small bar")
        func close() throws {
            try Floater.run { floater in
                try floater.takeKeys()
                let float = try floater.float()
                let area = try float.area()
                // A corner of the lower band, which is white without the buttons' scrim.
                func edge() -> UInt8 {
                    let (x, y) = (area.x + 20, area.y + area.height - 4)
                    return floater.eyes.grey(x: x..<x + 1, y: y..<y + 1)?.first ?? 0
                }
                try Program.untilTrue("no buttons") { edge() > 220 }
                try floater.point(at: 100, 200, of: float)
                try Program.untilTrue("buttons") { (60..<180).contains(edge()) }
                floater.eyes.movePointer(to: Floater.aside)
                try Program.untilTrue("no buttons again") { edge() > 220 }
                let last = try floater.waitForFrames(in: float)
                try floater.click(Self.button, Self.button, of: float)
                try floater.waitForNoFloat()
                let bar = try floater.barPicture()
                let frame = try floater.waitForStandstill { floater.frame(in: bar) }
                #expect(frame >= last)
                // And from there it goes on.
                try floater.takeKeys()
                try floater.screen.press("space")
                try floater.waitForFrames(after: frame) { floater.frame(in: bar) }
            }
        }

        @Test("Play and pause, and the way back, are buttons too; a double click goes back as well")
        func buttons() throws {
            try Floater.run { floater in
                try floater.takeKeys()
                let float = try floater.float()
                let area = try float.area()
                try floater.click(area.width / 2, area.height / 2, of: float)
                let frame = try floater.waitForStandstill { floater.frame(in: float) }
                try floater.click(area.width / 2, area.height / 2, of: float)
                let last = try floater.waitForFrames(in: float, after: frame)
                try floater.click(area.width - Self.button, Self.button, of: float)
                try floater.waitForNoFloat()
                try floater.waitForFrames(in: floater.screen, after: last)

                floater.eyes.movePointer(to: Floater.aside)
                try floater.takeKeys()
                try floater.float()
                let (x, y) = (area.x + 60, area.y + 200)
                try Eye.drive(
                    "move:\(x),\(y)", "wait:0.1", "press", "wait:0.04", "release", "wait:0.06", "press", "wait:0.04",
                    "release")
                try floater.waitForNoFloat()
                try floater.waitForFrames(in: floater.screen, after: last)
            }
        }

        @Test("With the keys: Space pauses, Escape goes back, and q quits", arguments: [true, false])
        func keys(isManaged: Bool) throws {
            try WindowManager.run(isManaged) {
                try Floater.run { floater in
                    try floater.takeKeys()
                    var float = try floater.float()
                    try float.takeKeys()
                    try float.press("space")
                    let frame = try floater.waitForStandstill { floater.frame(in: float) }
                    try float.press("space")
                    try floater.waitForFrames(in: float, after: frame)
                    try float.press("Escape")
                    try floater.waitForNoFloat()
                    try floater.waitForFrames(in: floater.screen, after: frame)
                    try floater.takeKeys()
                    float = try floater.float()
                    try float.takeKeys()
                    try float.press("q")
                    try floater.glissade.expect(.exited(0))
                    #expect(floater.glissade.errors == "")
                }
            }
        }

        @Test("The wheel over the floating window is the volume's; f there brings the film back, to the whole screen")
        func otherKeys() throws {
            try Floater.run { floater in
                try floater.takeKeys()
                let float = try floater.float()
                try floater.point(at: 100, 200, of: float)
                for button in [4, 5, 5] {
                    for isPressed in [true, false] { floater.eyes.setButton(button, isPressed: isPressed) }
                }
                let last = try floater.waitForFrames(in: float)
                try float.takeKeys()
                try float.press("f")
                let whole = try Screen.whole()
                try Program.untilTrue("the whole screen") { try floater.screen.area() == whole }
                try floater.waitForNoFloat()
                try floater.waitForFrames(in: floater.screen, after: last)
            }
        }
    }
}
