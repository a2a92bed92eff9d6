import Geometry
import Library
import Platform
import Presentation
public import Time

/// Runs scenarios one after the other, each as `launch` does, and prints one table of all; the report, where one is asked
/// for, holds them all.
///
/// Ends with the first that fails. Main thread. `started` is when the process began.
///
/// - Parameter runs: the same file and window in each.
@MainActor public func bench(_ runs: [LaunchOptions], started: HostTime) -> ExitStatus {
    let console = Console()
    var runner = BenchRunner(started: started)
    var reports: [FrameReport] = []
    for options in runs {
        if options.isOffscreen, options.scenario?.needsWindow == true {
            console.error("\(options.scenario?.rawValue ?? ""): not measured: it needs a window")
            continue
        }
        guard let report = runner.run(options) else { break }
        reports.append(report)
    }
    guard let all = ScenarioReport(reports, file: runs.first?.locations.first ?? "") else { return runner.status }
    console.print(all.table)
    if let path = runs.first?.reportPath, !writeJSON(all, to: path, console) { runner.fail() }
    return runner.status
}

/// Measures how the cost of a frame grows with the window, with the film's pictures, with layers on a page and with pages
/// beneath one that is dragged; prints a table of each, and writes the report where one is asked for.
///
/// Main thread. `started` is when the process began.
///
/// - Parameter options: `locations` are films of several sizes, at least one; the first is the one for all that grows but
///   the film. `duration` is for each size of each thing.
@MainActor public func benchGrowth(_ options: LaunchOptions, started: HostTime) -> ExitStatus {
    let console = Console()
    var runner = BenchRunner(started: started)
    var series: [GrowthSeries] = []
    for kind in GrowthSeries.Kind.allCases {
        var points: [GrowthSeries.Point] = []
        for step in GrowthPlan.steps(of: kind, options) {
            guard let report = runner.run(step.options) else { return runner.status }
            guard let point = GrowthSeries.Point(report, of: kind, count: step.count) else {
                console.error("\(step.options.locations.first ?? ""): no picture in it")
                return .failed
            }
            points.append(point)
        }
        series.append(GrowthSeries(kind: kind, points: points))
    }
    guard let report = GrowthReport(series) else { return runner.status }
    console.print(report.table)
    if let path = options.reportPath, !writeJSON(report, to: path, console) { runner.fail() }
    return runner.status
}
