import Foundation
import GlissadeGeometry
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    /// Page drags, which must not disturb the video.
    @Suite("Page drags", .enabled(if: Glissade.hasDisplay, "no display"))
    struct DragTests {
        @Test(
            "The video keeps playing while its page is dragged back and forth, and the page returns if released early")
        func swing() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                let begun = WitnessTool.changes(of: harness.witness).count
                try WitnessTool.drive(
                    "move:32,180", "press", "glide:96,180,0.2", "swing:96,240,1.5,0.75", "glide:160,180,0.2",
                    "wait:0.3",
                    "release")
                let held = WitnessTool.changes(of: harness.witness).dropFirst(begun)
                    .filter { $0.region == "page" && $0.left ?? 0 > 0 }
                let frames = held.compactMap { Int($0.frame) }
                #expect(frames.last ?? 0 > frames.first ?? 0, "the film goes on while the page is held")
                #expect(Set(held.map(\.left)).count > 3, "the page follows the pointer")
                // The pointer's way, and at its highest speed, 603 points per second, 12 ms of extrapolation.
                let farther = held.filter { $0.left ?? 0 > 208 + 8 || $0.right != PageHarness.width }
                #expect(farther.isEmpty, "no farther than the pointer has moved")
                try harness.waitForPage()
            }
            result.expectUnbroken()
            // Off the window's left edge the page never was, and the bar is not for a page that comes back.
            #expect(result.observed.regions["bar"]?.positions ?? 0 <= 1)
        }

        @Test("With GLISSADE_LOG=gestures every state change of a gesture is printed, with its time")
        func log() throws {
            let place = ["--size", "640x360", "--position", "0,0", "--audio", "silent"]
            let environment = ["GLISSADE_LOG": "gestures"]
            try Glissade.run(place + [try Clip.film.get()], environment: environment) { glissade in
                let screen = try Screen(of: glissade)
                try WitnessTool.drive("move:100,180", "press", "glide:400,180,0.3", "release")
                try Program.untilTrue("the drag's end is printed") {
                    let lines = glissade.errors.split(separator: "\n")
                    return ["possible → began", "began → changed", "changed → ended"].allSatisfy { change in
                        lines.contains { $0.hasPrefix("gestures: ") && $0.contains(change) }
                    }
                }
                try screen.press("q")
                try glissade.expect(.exited(0))
            }
        }

        @Test(
            "The film goes on while the main thread is stopped, at rest and in the middle of a drag",
            .enabled(if: MainThreadStop.isAllowed, "no python3, or no permission to trace other processes"),
            arguments: ["software", "gles"])
        func stopped(renderer: String) throws {
            let result = try PageHarness.run(options: ["--renderer", renderer]) { harness in
                try harness.waitForPage()
                try harness.expectFilmGoesOn(where: 0)
                try harness.hold(from: 64, by: 200) { _ in
                    // Less what a gesture takes to be recognized.
                    try harness.waitForPage(at: 120...200)
                    let left = try #require(WitnessTool.changes(of: harness.witness).last { $0.left ?? 0 > 0 }?.left)
                    try harness.expectFilmGoesOn(where: left)
                }
                try harness.waitForPage()
            }
            result.expectUnbroken()
        }

        @Test(
            "After a fling the video continues in the mini player, and a click there reopens its page without repeating a frame"
        )
        func throwAway() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                for _ in 1...2 {
                    try WitnessTool.drive("move:64,180", "press", "throw:300,1500")
                    try harness.waitForBar()
                    try harness.clickBar()
                    try harness.waitForPage()
                }
            }
            result.expectUnbroken()
        }

        @Test("A drag to the left shows the details over the video, which keeps playing there and in the mini player")
        func boundPush() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                try harness.hold(from: 600, by: -256) { _ in
                    // Behind the details' page, whose left edge is at 384; and moved to the left a little.
                    try harness.waitForFrames("the film beneath") { change in
                        change.region == "page" && change.left == 0 && change.right.map { $0 < 384 + 2 } == true
                    }
                }
                try harness.waitForBar()
                try harness.screen.press("Escape")
                try harness.waitForPage()
                // Not far enough: it goes out again.
                try WitnessTool.drive("move:600,180", "press", "glide:500,180,0.2", "wait:0.3", "release")
                try harness.waitForPage()
            }
            result.expectUnbroken()
        }

        @Test("A tilting wheel pops the page like a drag")
        func horizontalWheel() throws {
            let result = try PageHarness.run { harness in
                try harness.waitForPage()
                let pointer = try XScreen()
                func scroll(button: Int, times: Int) {
                    for _ in 1...times {
                        for isPressed in [true, false] { pointer.setButton(button, isPressed: isPressed) }
                    }
                }
                pointer.movePointer(to: Point(x: 100, y: 120))
                // A notch is 40 points; X calls the ones to the right and to the left buttons 6 and 7.
                scroll(button: 6, times: 8)
                try harness.waitForBar()
                try harness.clickBar()
                try harness.waitForPage()
                scroll(button: 7, times: 8)
                try harness.waitForBar()
            }
            result.expectUnbroken()
        }
    }
}
