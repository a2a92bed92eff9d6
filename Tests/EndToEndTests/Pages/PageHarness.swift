import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

/// The program with a video in the corner of the screen, and a witness that watches the two places at which the video can be:
/// the player page, which is the whole window, and the mini player.
struct PageHarness {
    static let (width, height) = (640, 360)
    /// The small bar's height; its picture is at its left.
    static let barHeight = 90
    static let barPicture = (width: 160, height: 90)

    let glissade: Program
    let witness: Program
    let screen: Screen

    /// Plays `film`, waits until it is seen to go on, and ends it by its own key after `body`.
    ///
    /// - Returns: what the witness saw, from first to last.
    @discardableResult static func run(
        options: [String] = [], environment: [String: String?] = [:], film: String? = nil,
        _ body: (PageHarness) throws -> Void
    ) throws -> WitnessTool.WatchResult {
        let place = ["--size", "\(width)x\(height)", "--position", "0,0", "--no-controls", "--audio", "silent"]
        // Where the pointer rests, nothing is under it that would light up.
        try XScreen().movePointer(to: Point(x: 1200, y: 900))
        let bar = "bar=0,\(height - barHeight),\(barPicture.width),\(barPicture.height)"
        return try WitnessTool.watch(["page=0,0,\(width),\(height)", bar], options: ["--edges"]) { witness in
            try Glissade.run(place + options + [film ?? Clip.film.get()], environment: environment) { glissade in
                let harness = PageHarness(glissade: glissade, witness: witness, screen: try Screen(of: glissade))
                try body(harness)
                if glissade.hasEnded { return }
                try harness.screen.press("q")
                try glissade.expect(.exited(0))
                let errors = glissade.errors.split(separator: "\n").filter { !$0.hasPrefix("gestures: ") }
                #expect(errors.isEmpty)
            }
        }
    }

    // MARK: - Where the film is

    /// Waits until the film is in the small bar, and goes on there for some frames.
    func waitForBar() throws { try waitForFrames("the film in the small bar") { $0.region == "bar" } }

    /// Waits until the film is on its page, which lies where it belongs, and goes on there for some frames.
    func waitForPage() throws {
        try waitForFrames("the film on its page") { $0.region == "page" && $0.left == 0 && $0.right == Self.width }
    }

    /// Waits until the page lies at `left`, for some frames.
    func waitForPage(at left: ClosedRange<Int>) throws {
        try waitForFrames("the page at \(left)") { $0.region == "page" && $0.left.map(left.contains) == true }
    }

    /// Waits for several frames of the film in a row of which each `isRight`, from now on.
    func waitForFrames(_ what: String, _ isRight: (WitnessTool.Change) -> Bool) throws {
        let begun = WitnessTool.changes(of: witness).count
        try Program.untilTrue(what) {
            if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
            // Both places tell of themselves: one is seen at a time, and what the other tells is no frame.
            let frames = WitnessTool.changes(of: witness).dropFirst(begun).filter { Int($0.frame) != nil }
            return frames.count >= 5 && frames.suffix(5).allSatisfy(isRight)
                && Set(frames.suffix(5).map(\.frame)).count >= 3
        }
    }

    // MARK: - Input

    /// Clicks on the small bar, beside its buttons and its picture, once the page above it stands still.
    func clickBar() throws {
        _ = try screen.waitForStillPicture(height: Self.height - Self.barHeight)
        try click(Self.width * 2 / 5, Self.height - Self.barHeight / 2)
    }

    /// Clicks at a place of the window.
    func click(_ x: Int, _ y: Int) throws {
        try WitnessTool.drive("move:\(x),\(y)", "wait:0.1", "press", "wait:0.05", "release")
    }

    /// Takes the page at `start` points from the left, draws it `distance` points aside, and holds it there while `body`
    /// runs; then lets go, whatever happened.
    func hold(from start: Int, by distance: Int, _ body: (XScreen) throws -> Void) throws {
        let pointer = try XScreen()
        func move(to x: Int) { pointer.movePointer(to: Point(x: Double(x), y: Double(Self.height / 2))) }
        move(to: start)
        pointer.setButton(1, isPressed: true)
        defer { pointer.setButton(1, isPressed: false) }
        for step in 1...8 { move(to: start + distance * step / 8) }
        try body(pointer)
    }
}

extension WitnessTool.WatchResult {
    /// The frames seen at either place, each time one came: in the order of the film, and none black between two.
    func expectUnbroken(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(observed.isTold, "the server tells of drawing", sourceLocation: sourceLocation)
        #expect(summary.backwards == 0, sourceLocation: sourceLocation)
        #expect(summary.black == 0, sourceLocation: sourceLocation)
    }
}
