import Platform

/// The program's version.
public let programVersion = "0.2.0"

/// From now on a crash leaves a report. Main thread.
@MainActor func beginCrashReports() { CrashReports.begin(program: "Glissade \(programVersion)") }

/// What is said of crashes that nobody was told of yet.
enum CrashNotice {
    /// Of the reports that earlier runs have left, each once; nil where there are none.
    static func take() -> String? { text(CrashReports.takeNew()) }

    /// - Parameter reports: the oldest first.
    static func text(_ reports: [FilePath]) -> String? {
        guard let latest = reports.last else { return nil }
        let path = latest.displayPath
        if reports.count == 1 { return "crashed the last time it ran; a report is in \(path)" }
        let since = reports.first.flatMap(CrashReports.day).map { " since \($0)" } ?? ""
        return "crashed \(reports.count) times\(since); the latest report is in \(path)"
    }
}
