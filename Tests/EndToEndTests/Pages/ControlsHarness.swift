import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

/// The program with its controls over a film, in a window at the screen's corner: where they are, and what is seen there.
///
/// The film is black beneath the controls, and its code lies between them.
struct ControlsHarness {
    static let (width, height) = (960, 540)
    static let (frameCount, rate) = (900, 30)
    static let margins = (top: 100, bottom: 150)

    // Where the controls are, in pixels.
    static let bar = 72...876
    static let barRow = 476
    static let buttonRow = 512
    static let tracks = 806
    /// A place of the film that no control and no column under watch is near.
    static let aside = Point(x: 300, y: 250)

    let glissade: Program
    let witness: Program
    let screen: Screen
    let display: XScreen

    /// Plays a film and ends it by its own key after `body`, where `body` has not ended it.
    static func run(
        options: [String] = [], environment: [String: String?] = [:], film: String? = nil,
        _ body: (ControlsHarness) throws -> Void
    ) throws {
        let display = try XScreen()
        // The controls come with a move, not with the window.
        display.movePointer(to: aside)
        let place = ["--size", "\(width)x\(height)", "--position", "0,0", "--audio", "silent"]
        let region = "film=0,\(margins.top),\(width),\(height - margins.top - margins.bottom)"
        _ = try WitnessTool.watch([region]) { witness in
            let arguments = place + options + [try film ?? Clip.controlled.get()]
            try Glissade.run(arguments, environment: environment) { glissade in
                let harness = ControlsHarness(
                    glissade: glissade, witness: witness, screen: try Screen(of: glissade), display: display)
                try body(harness)
                if glissade.hasEnded { return }
                try harness.screen.press("q")
                try glissade.expect(.exited(0))
            }
        }
    }

    // MARK: - What is seen

    /// The frames seen until now, in their order.
    var frames: [Int] { WitnessTool.changes(of: witness).compactMap { Int($0.frame) } }

    /// Waits for a frame, seen from now on or on show already, that `isRight`.
    @discardableResult func waitForFrame(_ what: String, _ isRight: (Int) -> Bool) throws -> Int {
        try Program.until(what) {
            if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
            return frames.last.flatMap { isRight($0) ? $0 : nil }
        }
    }

    /// Waits until no other frame comes for as long as seven would take, and says which one stays.
    func waitForStandstill() throws -> Int {
        var (last, since) = (frames.last, Date())
        return try Program.until("the film stands still") {
            let now = frames.last
            if now != last { (last, since) = (now, Date()) }
            return Date().timeIntervalSince(since) > 0.25 ? last : nil
        }
    }

    /// Whether the progress bar is there: its whole length is brighter than the black that the film has there.
    var showsBar: Bool {
        guard let row = barPixels else { return false }
        return row.allSatisfy { $0 > 24 }
    }

    /// Where the played part ends, in pixels from the window's left edge; nil where there is none.
    var edge: Int? {
        guard let row = barPixels else { return nil }
        // What was read ahead, and what is left, is grey.
        return row.lastIndex { $0 > 180 }.map { $0 + Self.bar.lowerBound + 4 }
    }

    /// Without its rounded ends.
    private var barPixels: [UInt8]? {
        display.grey(x: Self.bar.lowerBound + 4..<Self.bar.upperBound - 4, y: Self.barRow..<Self.barRow + 1)
    }

    /// Whether something white stands above the controls, in the middle: subtitles.
    var showsSubtitle: Bool {
        let grey = display.grey(x: 400..<560, y: Self.height - Self.margins.bottom + 4..<Self.barRow - 12) ?? []
        return grey.count { $0 > 200 } > 40
    }

    /// Whether a menu lies over the film's black lower edge, at the window's right.
    var showsMenu: Bool {
        let grey = display.grey(x: 944..<948, y: Self.height - 140..<Self.height - 130) ?? []
        return !grey.isEmpty && grey.allSatisfy { $0 > 24 }
    }

    func waitUntil(_ what: String, _ isTrue: () -> Bool) throws { try Program.untilTrue(what) { isTrue() } }

    // MARK: - Input

    /// Where a frame lies on the progress bar.
    static func place(of frame: Double) -> Double {
        Double(bar.lowerBound) + Double(bar.count - 1) * frame / Double(frameCount)
    }

    /// Moves the pointer a little, until the controls are there.
    func showControls() throws {
        try Program.untilTrue("the controls come") {
            display.movePointer(to: Point(x: Self.aside.x + Double(Int.random(in: 1...20)), y: Self.aside.y))
            return showsBar
        }
    }

    func click(_ x: Int, _ y: Int) throws {
        try WitnessTool.drive("move:\(x - 8),\(y)", "glide:\(x),\(y),0.1", "press", "wait:0.06", "release")
    }
}
