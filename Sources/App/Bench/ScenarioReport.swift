import Windowing

/// The reports of several scenarios in one, version 1.
struct ScenarioReport: Encodable {
    let version = 1
    let scenario = "all"
    var file: String
    var renderer: String
    var window: FrameReport.Window
    /// A report each, in the order in which they ran.
    var scenarios: [FrameReport]

    /// Nil where there are none.
    init?(_ reports: [FrameReport], file: String) {
        guard let first = reports.first else { return nil }
        self.file = file
        (renderer, window, scenarios) = (first.renderer, first.window, reports)
    }

    /// One row a scenario: frames, what lay between them, and what each stage took.
    var table: String {
        let pair = ["p50", "p99"]
        var table = TextTable(
            [.init("scenario"), .init("frames", ["due", "shown", "dropped"]), .init("interval", pair)]
                + FrameReport.Stage.allCases.map { .init($0.rawValue, pair) })
        for report in scenarios {
            let times = [report.present.intervalMs] + FrameReport.Stage.allCases.map { report.costMs[$0] }
            table.add(
                [
                    report.scenario, "\(report.video.due)", "\(report.video.shown)", "\(report.video.dropped)",
                ] + times.flatMap { [TextTable.milliseconds($0?.p50), TextTable.milliseconds($0?.p99)] })
        }
        return """
            \(file)  \(window.width)x\(window.height)  \(renderer)

            \(table.text)
            Milliseconds. decode and prepare: what threads beside the frame loop worked for a frame.

            """
    }
}
