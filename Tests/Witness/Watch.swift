import ArgumentParser
import Foundation
import GlissadePlatform
import GlissadeTime
import GlissadeScreenProbe

/// Watches regions of the screen, and tells of every change.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch the screen until told to end (SIGINT, SIGTERM); a line for each change, then a summary.",
        discussion: """
            Lines: nanoseconds of the monotonic clock, region, frame number or 'black' or 'unreadable', the column in which \
            it was read, and the picture's left and right edge (with --edges). The summary is JSON: for each region, and \
            for all together where there are several (a frame counts as seen where any of them showed it).
            """)

    @Option(help: ArgumentHelp("The X server; DISPLAY's, if none is given.", valueName: ":number")) var display: String?
    @Option(
        help: ArgumentHelp(
            "Where the picture is; repeatable. The whole screen, if none is given.", valueName: "[name=]x,y,w,h"),
        transform: { text in
            guard let region = Region(text) else { throw ValidationError("a region is [NAME=]X,Y,WIDTH,HEIGHT") }
            return region
        })
    var region: [Region] = []
    @Option(
        help: ArgumentHelp("Columns to try in each region: percent or pixels.", valueName: "list"),
        transform: { text in
            let columns = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Column($0) }
            guard columns.count == text.split(separator: ",", omittingEmptySubsequences: false).count else {
                throw ValidationError("columns are like 90%,50%,12")
            }
            return columns
        })
    var columns: [Column] = [.fraction(0.9), .fraction(0.5), .fraction(0.1), .fraction(0.97), .fraction(0.03)]
    @Option(help: ArgumentHelp("Frames in the film, where it begins again.", valueName: "frames")) var length: Int?
    @Option(help: ArgumentHelp("End after so much time.", valueName: "seconds")) var seconds: Double?
    @Option(help: ArgumentHelp("End at that time of the monotonic clock.", valueName: "nanoseconds")) var until: Int64?
    @Option(help: ArgumentHelp("Where the summary goes, instead of to standard output.", valueName: "file.json"))
    var summary: String?
    @Flag(help: "Find where the picture begins and ends.") var edges = false
    @Flag(help: "No lines, only the summary.") var quiet = false
    @Flag(help: "Go before all other processes, where that is allowed: no look comes late on a busy machine.")
    var first = false

    func validate() throws {
        guard length ?? 1 > 0, seconds ?? 1 > 0 else { throw ValidationError("--length and --seconds are positive") }
        guard Set(region.map(\.name)).count == region.count else {
            throw ValidationError("regions need names of their own: --region NAME=X,Y,WIDTH,HEIGHT")
        }
    }

    func run() throws {
        TerminationSignals.block()
        TerminationSignals.listen {}
        if first { goFirst() }
        let screen = try XScreen(display)
        let regions = region.isEmpty ? [screen.whole] : region
        for region in regions where region.x.upperBound > screen.width || region.y.upperBound > screen.height {
            throw ValidationError("\(region.name) does not lie on the screen of \(screen.width)x\(screen.height)")
        }
        var observer = RegionObserver(
            trackers: regions.map { RegionTracker($0, columns: columns, filmLength: length, findsEdges: edges) },
            length: length)
        observer.isTold = screen.watchDrawing()

        if !quiet { print("time_ns,region,frame,column,left,right") }
        var end = until.map { HostTime(nanoseconds: $0) } ?? HostTime(nanoseconds: .max)
        if let seconds { end = min(end, .now() + .nanoseconds(Int64(clampingNanoseconds: seconds))) }
        // What is there already.
        observer.look(at: screen, drawn: [screen.whole], time: .now(), tell: tell)
        while !TerminationSignals.haveArrived, HostTime.now() < end {
            // Not for ever: a signal does not end the wait.
            guard let drawing = screen.waitForDrawing(until: min(end, .now() + .milliseconds(100))) else { continue }
            observer.look(at: screen, drawn: drawing.areas, time: drawing.time, tell: tell)
        }
        try write(observer.finished(), to: summary)
    }

    private func tell(_ line: String) {
        if !quiet { print(line) }
        // Whoever reads it wants to know now.
        fflush(nil)
    }
}
