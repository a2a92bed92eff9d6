import GlissadeLibrary
import GlissadePresentation

/// Formats the report of one run as text for a terminal.
enum FrameTable {
    static func text(_ report: FrameReport) -> String {
        var lines: [String] = []
        let video = report.video
        let size = "\(report.window.width)x\(report.window.height)"
        lines.append("\(report.file)  \(report.scenario)  \(size)  \(report.renderer)")
        lines.append("")
        lines.append(
            "frames     due \(video.due)   shown \(video.shown)   dropped \(video.dropped)   "
                + "repeated \(video.repeated)")
        if let decoder = video.decoder { lines.append("decoder    \(decoder)") }
        if let wall = report.wallSeconds, let cpu = report.cpuSeconds {
            lines.append(
                "process    wall \(number(wall)) s   CPU \(number(cpu)) s   peak \(number(report.peakRssMib ?? 0)) MiB"
                    + (report.firstFrameMs.map { "   first frame \(number($0)) ms" } ?? ""))
        }
        if report.scenario == Scenario.throughput.rawValue, let wall = report.wallSeconds, wall > 0 {
            lines.append("rate       \(number(Double(video.shown) / wall)) frames/s, including startup")
        }
        lines.append("")
        lines.append(row("ms", "p50", "p95", "p99", "max"))
        lines.append(row("interval", report.present.intervalMs))
        lines.append(row("late", video.lateMs))
        for stage in FrameReport.Stage.allCases { lines.append(row(stage.rawValue, report.costMs[stage])) }
        lines.append(row("loop", report.costMs.loop))
        lines.append(row("A/V offset", report.avOffsetMs))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ times: FrameReport.Times?) -> String {
        guard let times else { return row(name, "–", "–", "–", "–") }
        return row(name, number(times.p50), number(times.p95), number(times.p99), number(times.max))
    }

    private static func row(_ name: String, _ values: String...) -> String {
        values.reduce(pad(name, 10, left: true)) { $0 + pad($1, 10, left: false) }
    }

    private static func pad(_ text: String, _ width: Int, left: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return left ? text + blanks : blanks + text
    }

    /// Formats a number with two decimals.
    static func number(_ value: Double) -> String { MediaFormatter.number(value) }
}
