import Foundation
import Geometry
import Glibc
import Testing
import Witnessing

extension EndToEnd {
    /// Whatever becomes of the hand, the keys or the window in the middle of a drag: nothing is stuck.
    @Suite("Drag ending", .enabled(if: Glissade.hasDisplay, "no display"))
    struct DragEndingTests {
        /// A page that was drawn 256 points aside, give or take the pixel that the hand is on.
        private let held = 255...257

        @Test("Escape takes a drag back, at rest it goes back a page, and so does Alt with the left arrow")
        func escape() throws {
            let testimony = try Showing.run { showing in
                try showing.waitForPage()
                try showing.hold(from: 100, by: 256) { hand in
                    try showing.waitForPage(at: held)
                    try showing.screen.press("Escape")
                    try showing.waitForPage()
                    // What the hand still holds is nothing.
                    hand.movePointer(to: Point(x: 600, y: 180))
                    try showing.waitForPage()
                }
                try showing.waitForPage()
                for key in ["Escape", "alt+Left"] {
                    try showing.screen.press(key)
                    try showing.waitForBar()
                    try showing.clickBar()
                    try showing.waitForPage()
                }
            }
            testimony.expectUnbroken()
        }

        @Test("A second button in the middle of a drag leaves nothing stuck")
        func secondButton() throws {
            let testimony = try Showing.run { showing in
                try showing.waitForPage()
                try showing.hold(from: 100, by: 100) { hand in
                    try showing.waitForPage(at: 99...101)
                    for button in [3, 2] {
                        hand.setButton(button, isPressed: true)
                        hand.movePointer(to: Point(x: 210, y: 180))
                        hand.setButton(button, isPressed: false)
                    }
                    // The clock is all there is to wait for: a hand at rest is what lets go.
                    try showing.waitForFrames("the film goes on") { $0.region == "page" }
                }
                try showing.waitForPage()
                try Eye.drive("move:64,180", "press", "throw:300,1500")
                try showing.waitForBar()
            }
            testimony.expectUnbroken()
        }

        @Test("A window that is resized in the middle of a drag keeps its page in the user, and all of it comes back")
        func resized() throws {
            try Showing.run { showing in
                try showing.waitForPage()
                try showing.hold(from: 100, by: 128) { _ in
                    try showing.waitForPage(at: 127...129)
                    try showing.screen.command("windowsize", "320", "180")
                    try Program.untilTrue("the picture at the same share of the width") {
                        guard let picture = try showing.screen.picture(), picture.width == 320 else { return false }
                        // Every frame is white along its upper edge.
                        let edge = (0..<320).first { picture[$0, 3] > 180 } ?? 320
                        return (63...65).contains(edge) && FrameCode.read((0..<180).map { picture[300, $0] }) != nil
                    }
                    try showing.screen.command("windowsize", "\(Showing.width)", "\(Showing.height)")
                    try showing.waitForPage(at: 126...130)
                }
                try showing.waitForPage()
            }.expectUnbroken()
        }

        @Test("A window that goes away in the middle of a drag comes back with its page in place")
        func unmapped() throws {
            try Showing.run { showing in
                try showing.waitForPage()
                try showing.hold(from: 100, by: 256) { _ in
                    try showing.waitForPage(at: held)
                    try showing.screen.command("windowunmap")
                    try Program.untilTrue("the window is gone") { try showing.screen.picture() == nil }
                    try showing.screen.command("windowmap")
                }
                try Program.tool("xdotool", "windowfocus", showing.screen.window)
                try showing.waitForPage()
                try Eye.drive("move:64,180", "press", "throw:300,1500")
                try showing.waitForBar()
            }
        }

        @Test("A window that is iconified in the middle of a drag comes back with its page in place")
        func iconified() throws {
            try WindowManager.run {
                _ = try Showing.run { showing in
                    try Program.untilTrue("it plays") { try showing.screen.picture()?.frame ?? 0 > 3 }
                    let area = try showing.screen.area()
                    let hand = try XScreen()
                    let (x, y) = (Double(area.x + 100), Double(area.y + 180))
                    hand.movePointer(to: Point(x: x, y: y))
                    hand.setButton(1, isPressed: true)
                    defer { hand.setButton(1, isPressed: false) }
                    for step in 1...8 { hand.movePointer(to: Point(x: x + Double(step) * 32, y: y)) }
                    try Program.untilTrue("the page is aside") { try showing.screen.picture()?.frame == nil }
                    try showing.screen.command("windowminimize")
                    try Program.untilTrue("the window is gone") { try showing.screen.picture() == nil }
                    hand.setButton(1, isPressed: false)
                    try showing.screen.activate()
                    try showing.screen.waitForFrame("the whole picture") { $0 > 3 }
                }
            }
        }

        @Test("Closed in the middle of a drag, it ends with status 0")
        func closed() throws {
            try Showing.run { showing in
                try showing.waitForPage()
                try showing.hold(from: 100, by: 256) { hand in
                    try showing.waitForPage(at: held)
                    hand.requestClose(of: try #require(UInt(showing.screen.window)))
                    try showing.glissade.expect(.exited(0))
                    #expect(showing.glissade.errors == "")
                }
            }
        }
    }
}
