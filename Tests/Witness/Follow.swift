import ArgumentParser
import Foundation
import GlissadePlatform
import GlissadeTime
import GlissadeScreenProbe

/// Follows marked pictures over the whole screen.
struct Follow: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follow the pictures of a marked film over the screen, until told to end (SIGINT, SIGTERM).",
        discussion: """
            Lines, one for each change: nanoseconds of the monotonic clock, frame number or 'black' (nothing of the film is \
            on the screen) or 'unreadable' (its marks are, or one of them; its code is not), the picture's left and right edge, its top and \
            its bottom, the number of its window, and how many pictures are on the screen. Of several the largest counts that \
            may follow what was seen before: not a still of the film that lies beside it. Then a \
            summary as JSON: of all, and of each phase.
            """)

    @Option(help: ArgumentHelp("The X server; DISPLAY's, if none is given.", valueName: ":number")) var display: String?
    @Option(help: ArgumentHelp("Frames in the film, where it begins again.", valueName: "frames")) var length: Int?
    @Option(help: ArgumentHelp("End after so much time.", valueName: "seconds")) var seconds: Double?
    @Option(
        help: ArgumentHelp(
            "Phases that the summary tells of, read at the end: in each line NAME,BEGIN,END in nanoseconds.",
            valueName: "file.csv"))
    var phases: String?
    @Option(help: ArgumentHelp("Where the summary goes, instead of to standard output.", valueName: "file.json"))
    var summary: String?
    @Flag(help: "No lines, only the summary.") var quiet = false
    @Flag(help: "Go before all other processes, where that is allowed: no look comes late on a busy machine.")
    var first = false

    func validate() throws {
        guard length ?? 1 > 0, seconds ?? 1 > 0 else { throw ValidationError("--length and --seconds are positive") }
    }

    func run() throws {
        TerminationSignals.block()
        TerminationSignals.listen {}
        if first { goFirst() }
        let screen = try XScreen(display)
        var observer = FilmObserver(filmLength: length)
        observer.isTold = screen.watchDrawing()
        if !quiet { tell("time_ns,frame,left,right,top,bottom,window,pictures") }
        var end = HostTime(nanoseconds: .max)
        if let seconds { end = .now() + .nanoseconds(Int64(clampingNanoseconds: seconds)) }
        // What is there already.
        observer.look(at: screen, drawn: [screen.whole], time: .now(), tell: tell)
        while !TerminationSignals.haveArrived, HostTime.now() < end {
            // Not for ever: a signal does not end the wait.
            guard let drawing = screen.waitForDrawing(until: min(end, .now() + .milliseconds(100))) else { continue }
            observer.look(at: screen, drawn: drawing.areas, time: drawing.time, tell: tell)
        }
        try write(observer.finished(try readPhases()), to: summary)
    }

    private func readPhases() throws -> [Phase] {
        guard let phases else { return [] }
        return try String(contentsOfFile: phases, encoding: .utf8).split(separator: "\n").map { line in
            guard let phase = Phase(line) else { throw ValidationError("no phase: \(line)") }
            return phase
        }
    }

    private func tell(_ line: String) {
        if !quiet { print(line) }
        // Whoever reads it wants to know now.
        fflush(nil)
    }
}
