import ArgumentParser
import Foundation
import GlissadePlatform
import GlissadeTime
import GlissadeScreenProbe

/// Moves the pointer and its buttons.
struct Drive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move the pointer and press buttons as with a mouse; print a line for each step.",
        discussion: """
            Steps, one after the other: key:NAME (of its symbol in X)  move:X,Y  press[:BUTTON]  release[:BUTTON]  wait:S  glide:X,Y,S  \
            swing:X0,X1,S[,PERIOD] (a sine that begins at X0)  throw:DISTANCE,VELOCITY (faster and faster, and let go). \
            Pixels, seconds, pixels a second. Lines: nanoseconds of the monotonic clock, the step.
            """)

    @Option(help: ArgumentHelp("The X server; DISPLAY's, if none is given.", valueName: ":number")) var display: String?
    @Option(help: ArgumentHelp("Reports a second.", valueName: "hertz")) var rate = 125.0
    @Argument(help: "What to do.") var steps: [String]

    func validate() throws {
        guard (1...8000).contains(rate) else { throw ValidationError("--rate is 1 to 8000") }
        for step in steps where PointerStep(step) == nil { throw ValidationError("no step: \(step)") }
    }

    func run() throws {
        let screen = try XScreen(display)
        guard screen.hasPointer else { throw ValidationError("the X server has no XTEST extension") }
        let parsed = steps.compactMap { PointerStep($0) }
        for case .key(let name) in parsed where !screen.hasKey(name) {
            throw ValidationError("the X server's keyboard has no \(name)")
        }
        var driver = PointerDriver(screen)
        driver.rate = rate
        var words = steps.makeIterator()
        driver.perform(parsed) { _, time in
            print("\(time.nanoseconds),\(words.next() ?? "")")
            fflush(nil)
        }
    }
}
