import GlissadePresentation

/// The report of `bench --scenario all`, version 1.
struct ScenarioReport: Encodable {
    let version = 1
    let scenario = "all"
    var file: String
    var renderer: String
    var window: FrameReport.Window
    /// The report of each scenario, in the order in which the scenarios ran.
    var scenarios: [FrameReport]

    /// Combines the reports of several runs; nil if there are none.
    init?(_ reports: [FrameReport], file: String) {
        guard let first = reports.first else { return nil }
        self.file = file
        (renderer, window, scenarios) = (first.renderer, first.window, reports)
    }

    /// The report as a table with a row for each scenario: the number of frames, their intervals, and the cost of
    /// each stage.
    var table: String {
        let pair = ["p50", "p99"]
        var table = TextTable(
            [.init("scenario"), .init("frames", ["due", "shown", "dropped"]), .init("interval", pair)]
                + FrameReport.Stage.allCases.map { .init($0.rawValue, $0 == .resolve ? ["frames"] + pair : pair) }
                + [.init("loop", pair)])
        for report in scenarios {
            func cells(_ times: FrameReport.Times?) -> [String] {
                [TextTable.milliseconds(times?.p50), TextTable.milliseconds(times?.p99)]
            }
            var row = [report.scenario] + [report.video.due, report.video.shown, report.video.dropped].map(String.init)
            row += cells(report.present.intervalMs)
            for stage in FrameReport.Stage.allCases {
                if stage == .resolve { row.append("\(report.video.resolved)") }
                row += cells(report.costMs[stage])
            }
            table.add(row + cells(report.costMs.loop))
        }
        return """
            \(file)  \(window.width)x\(window.height)  \(renderer)

            \(table.text)
            Times in milliseconds; p50 is the median. decode, prepare: CPU time per frame on other threads, in parallel with
            the frame loop. resolve: conversion to RGB on the frame loop, and how many frames needed it. loop: resolve to swap.

            """
    }
}
