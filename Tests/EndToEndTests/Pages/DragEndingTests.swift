import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    /// Interruptions of a drag by buttons, keys or the window: nothing is left stuck.
    @Suite("Ending a page drag", .enabled(if: Glissade.hasDisplay, "no display"))
    struct DragEndingTests {
        /// A page that was drawn 256 points aside, give or take the pixel under the pointer.
        private let held = 255...257

        @Test("Escape cancels a page drag, and otherwise Escape and Alt+Left go back a page")
        func escape() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 100, by: 256) { pointer in
                    try harness.waitForPage(at: held)
                    try harness.screen.press("Escape")
                    try harness.waitForPage()
                    // The pressed button no longer drags anything.
                    pointer.movePointer(to: Point(x: 600, y: 180))
                    try harness.waitForPage()
                }
                try harness.waitForPage()
                for key in ["Escape", "alt+Left"] {
                    try harness.screen.press(key)
                    try harness.waitForBar()
                    try harness.clickBar()
                    try harness.waitForPage()
                }
            }
            result.expectUnbroken()
        }

        @Test("Pressing a second button during a page drag leaves nothing stuck")
        func secondButton() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 100, by: 100) { pointer in
                    try harness.waitForPage(at: 99...101)
                    for button in [3, 2] {
                        pointer.setButton(button, isPressed: true)
                        pointer.movePointer(to: Point(x: 210, y: 180))
                        pointer.setButton(button, isPressed: false)
                    }
                    // A pointer at rest is the condition: only time can be waited for.
                    try harness.waitForFrames("the film goes on") { $0.region == "page" }
                }
                try harness.waitForPage()
                try WitnessTool.drive("move:64,180", "press", "throw:300,1500")
                try harness.waitForBar()
            }
            result.expectUnbroken()
        }

        @Test("Resizing the window during a page drag keeps the page under the pointer, and it returns completely")
        func resized() throws {
            try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 100, by: 128) { _ in
                    try harness.waitForPage(at: 127...129)
                    try harness.screen.command("windowsize", "320", "180")
                    try Program.untilTrue("the picture at the same share of the width") {
                        guard let picture = try harness.screen.picture(), picture.width == 320 else { return false }
                        // Every frame is white along its upper edge.
                        let edge = (0..<320).first { picture[$0, 3] > 180 } ?? 320
                        return (63...65).contains(edge) && FrameCode.read((0..<180).map { picture[300, $0] }) != nil
                    }
                    try harness.screen.command("windowsize", "\(PageHarness.width)", "\(PageHarness.height)")
                    try harness.waitForPage(at: 126...130)
                }
                try harness.waitForPage()
            }.expectUnbroken()
        }

        @Test("Hiding the window during a page drag brings it back with the page in place")
        func unmapped() throws {
            try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 100, by: 256) { _ in
                    try harness.waitForPage(at: held)
                    try harness.screen.command("windowunmap")
                    try Program.untilTrue("the window is gone") { try harness.screen.picture() == nil }
                    try harness.screen.command("windowmap")
                }
                try Program.tool("xdotool", "windowfocus", harness.screen.window)
                try harness.waitForPage()
                try WitnessTool.drive("move:64,180", "press", "throw:300,1500")
                try harness.waitForBar()
            }
        }

        @Test("Minimizing the window during a page drag brings it back with the page in place")
        func iconified() throws {
            try WindowManager.run {
                _ = try PageHarness.run { harness in
                    try Program.untilTrue("it plays") { try harness.screen.picture()?.frame ?? 0 > 3 }
                    let area = try harness.screen.area()
                    let pointer = try XScreen()
                    let (x, y) = (Double(area.x + 100), Double(area.y + 180))
                    pointer.movePointer(to: Point(x: x, y: y))
                    pointer.setButton(1, isPressed: true)
                    defer { pointer.setButton(1, isPressed: false) }
                    for step in 1...8 { pointer.movePointer(to: Point(x: x + Double(step) * 32, y: y)) }
                    try Program.untilTrue("the page is aside") { try harness.screen.picture()?.frame == nil }
                    try harness.screen.command("windowminimize")
                    try Program.untilTrue("the window is gone") { try harness.screen.picture() == nil }
                    pointer.setButton(1, isPressed: false)
                    try harness.screen.activate()
                    try harness.screen.waitForFrame("the whole picture") { $0 > 3 }
                }
            }
        }

        @Test("Closing the window during a page drag ends the program with status 0")
        func closed() throws {
            try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 100, by: 256) { pointer in
                    try harness.waitForPage(at: held)
                    pointer.requestClose(of: try #require(UInt(harness.screen.window)))
                    try harness.glissade.expect(.exited(0))
                    #expect(harness.glissade.errors == "")
                }
            }
        }
    }
}
