import Foundation
import GlissadeGeometry
import Glibc
import GlissadeScreenProbe
import GlissadeTestSupport
import Testing
import GlissadeTime

/// The program with an upright film that is rotated in fullscreen, on a screen of 1920×1080: the layout is 1080×1920,
/// and its upper edge is at the screen's right edge.
struct RotatedHarness {
    static let frameCount = 900
    static let (width, height) = (1920, 1080)
    /// From left to right on the screen: what is upwards in the film. The code lies between the controls and the title.
    static let code = 320..<1720
    /// Across the code, away from what stands in the middle and from the thumbnails.
    static let rows = [450, 950]
    /// The progress bar: its distance from the left edge of the screen, and its reach from top to bottom.
    static let barColumn = 64
    static let bar = 72...996
    static let play = Point(x: 28, y: 28)
    static let aside = Point(x: 1500, y: 400)

    let glissade: Program
    let screen: Screen
    let display: XScreen

    /// Plays a film, has it fill the screen, and ends the program by its own key after `body`.
    static func run(
        renderer: String, options: [String] = [], film: String? = nil, _ body: (RotatedHarness) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/glissade", withIntermediateDirectories: false)
            try Data("[interface]\nfullscreen-turns = true\n".utf8).write(
                to: URL(fileURLWithPath: folder + "/glissade/config.toml"))
            let display = try XScreen()
            display.movePointer(to: aside)
            let place = ["--size", "360x480", "--position", "60,40", "--audio", "silent", "--renderer", renderer]
            let arguments = try place + options + [film ?? Clip.portrait.get()]
            try Glissade.run(arguments, environment: ["XDG_CONFIG_HOME": folder]) { glissade in
                let harness = RotatedHarness(glissade: glissade, screen: try Screen(of: glissade), display: display)
                try harness.screen.takeKeys()
                try harness.screen.press("f")
                try harness.waitForFrame("a rotated frame") { _ in true }
                try body(harness)
                try harness.screen.press("q")
                try glissade.expect(.exited(0))
                #expect(glissade.errors == "")
            }
        }
    }

    /// The frame of the rotated film that is on the screen; nil where there is none.
    var frame: Int? {
        let found = Self.rows.map { row in
            display.grey(x: Self.code, y: row..<row + 1).flatMap { FrameCode.read($0.reversed())?.number }
        }
        return found[0] == found[1] ? found[0] : nil
    }

    @discardableResult func waitForFrame(_ what: String, _ isRight: (Int) -> Bool) throws -> Int {
        try Program.until(what) {
            if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
            return frame.flatMap { isRight($0) ? $0 : nil }
        }
    }

    /// Waits until the same frame stands for a while.
    func waitForStandstill() throws -> Int {
        var (last, since): (Int?, Date) = (nil, .distantPast)
        return try Program.until("the film stands still") {
            let frame = frame
            if frame != last { (last, since) = (frame, Date()) }
            return Date().timeIntervalSince(since) > 0.4 ? frame : nil
        }
    }

    /// Whether the progress bar is there: its whole length is brighter than the black that the film has there.
    var showsBar: Bool {
        let column = display.grey(
            x: Self.barColumn..<Self.barColumn + 1, y: Self.bar.lowerBound + 4..<Self.bar.upperBound - 4)
        return column?.allSatisfy { $0 > 24 } ?? false
    }

    func showControls() throws {
        try Program.untilTrue("the controls come") {
            display.movePointer(to: Point(x: Self.aside.x + Double(Int.random(in: 1...20)), y: Self.aside.y))
            return showsBar
        }
    }

    func click(_ place: Point) throws {
        try WitnessTool.drive(
            "move:\(place.x),\(place.y + 8)", "glide:\(place.x),\(place.y),0.1", "press", "wait:0.06", "release")
    }

    /// Where a frame lies on the progress bar.
    static func place(of frame: Double) -> Point {
        Point(
            x: Double(barColumn),
            y: (Double(bar.lowerBound) + Double(bar.count - 1) * frame / Double(frameCount)).rounded())
    }
}

extension EndToEnd {
    /// Fullscreen with `interface.fullscreen-turns`, under a real pointer, judged from the screen.
    @Suite("Rotated fullscreen", .enabled(if: Glissade.hasDisplay, "no display"))
    struct RotatedFullscreenTests {
        @Test(
            "A click on the rotated play button pauses, and a press on the rotated progress bar seeks there",
            arguments: ["software", "gles"])
        func controls(renderer: String) throws {
            try RotatedHarness.run(renderer: renderer) { harness in
                let size = try Screen.size()
                try #require(size.width == RotatedHarness.width && size.height == RotatedHarness.height)
                let begun = try harness.waitForFrame("the film") { _ in true }
                try harness.waitForFrame("it goes on") { $0 > begun + 5 }
                try harness.showControls()
                try harness.click(RotatedHarness.play)
                _ = try harness.waitForStandstill()
                for target in [600.0, 210] {
                    try harness.showControls()
                    try harness.click(RotatedHarness.place(of: target))
                    // One pixel of the bar is a frame.
                    try harness.waitForFrame("frame \(target)") { abs(Double($0) - target) <= 2 }
                    // On a busy machine the nearest keyframe is seen first.
                    #expect(abs(Double(try harness.waitForStandstill()) - target) <= 2)
                }
                try harness.click(RotatedHarness.play)
                try harness.waitForFrame("it goes on from there") { $0 > 220 }
                try harness.screen.press("f")
                try Program.untilTrue("a window") {
                    let area = try harness.screen.area()
                    return (area.width, area.height) == (360, 480)
                }
            }
        }

        @Test(
            "The rotated film goes on while the main thread hangs",
            .enabled(if: MainThreadStop.isAllowed, "no python3, or no permission to trace other processes"),
            arguments: ["software", "gles"])
        func late(renderer: String) throws {
            let film = try Clip.slowPortrait.get()
            try RotatedHarness.run(renderer: renderer, options: ["--no-controls"], film: film) { harness in
                try harness.waitForFrame("the film") { $0 > 15 }
                let frames = try MainThreadStop.frames(of: harness.glissade, atLeast: 8) { harness.frame }
                #expect(frames == frames.sorted())
            }
        }
    }
}
