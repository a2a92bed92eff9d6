package import GlissadeApp
import GlissadePlatform
import GlissadePresentation
package import GlissadeTime

/// Runs one scenario, prints a table of its costs, and writes the report and the frame log if `options` requests them.
///
/// Main thread. `started` is when the process began.
@MainActor package func bench(_ scenario: Scenario, _ options: LaunchOptions, started: HostTime) -> ExitStatus {
    let run = BenchRun(scenario, options)
    return launch(
        run.options, hooks: run.hooks { Console().print(FrameTable.text($0)) }, start: RunStart(time: started))
}

/// Runs all scenarios in turn, prints a table with a row for each scenario, and writes a combined report if one is
/// requested.
///
/// If the run is offscreen, skips scenarios that need a window. Stops at the first scenario that fails. Main thread.
/// `started` is when the process began.
@MainActor package func benchAllScenarios(_ options: LaunchOptions, started: HostTime) -> ExitStatus {
    let console = Console()
    var runner = BenchRunner(started: started)
    var reports: [FrameReport] = []
    for scenario in Scenario.allCases {
        if options.isOffscreen, scenario.needsWindow {
            console.error("\(scenario.rawValue): skipped: needs a window")
            continue
        }
        guard let report = runner.measure(BenchRun(scenario, options)) else { break }
        reports.append(report)
    }
    guard let all = ScenarioReport(reports, file: options.locations.first ?? "") else { return runner.status }
    console.print(all.table)
    if let path = options.reportPath, !ReportWriter.writeJSON(all, to: path, console) { runner.fail() }
    return runner.status
}

/// Measures how the cost of a frame grows, prints a table for each series of runs, and writes a report if one is
/// requested.
///
/// The series vary the size of the window, the size of the video, the number of layers on the page, and the number of
/// pages beneath a dragged page.
///
/// Main thread. `started` is when the process began.
///
/// - Parameter options: `locations` are one or more videos of different sizes. The series of video sizes uses all of
///   them; the other series use the first. `duration` is the length of each run.
@MainActor package func benchGrowth(_ options: LaunchOptions, started: HostTime) -> ExitStatus {
    let console = Console()
    var runner = BenchRunner(started: started)
    var series: [GrowthSeries] = []
    for kind in GrowthSeries.Kind.allCases {
        var points: [GrowthSeries.Point] = []
        for step in GrowthPlan.steps(of: kind, options) {
            guard let report = runner.measure(step.run) else { return runner.status }
            guard let point = GrowthSeries.Point(report, of: kind, count: step.count) else {
                console.error("\(step.run.options.locations.first ?? ""): contains no video")
                return .failed
            }
            points.append(point)
        }
        series.append(GrowthSeries(kind: kind, points: points))
    }
    guard let report = GrowthReport(series) else { return runner.status }
    console.print(report.table)
    if let path = options.reportPath, !ReportWriter.writeJSON(report, to: path, console) { runner.fail() }
    return runner.status
}
