import Platform

/// The program's version.
public let programVersion = "0.2.0"

/// Starts writing a report if the program crashes. Main thread.
@MainActor func beginCrashReports() { CrashReports.begin(program: "Glissade \(programVersion)") }

/// A message about crashes of earlier runs.
enum CrashNotice {
    /// Takes the message about crash reports that were not mentioned before; nil if there are none.
    static func take() -> String? { text(CrashReports.takeNew()) }

    /// - Parameter reports: The oldest first.
    static func text(_ reports: [FilePath]) -> String? {
        guard let latest = reports.last else { return nil }
        let path = latest.displayPath
        if reports.count == 1 { return "crashed the last time it ran; a report is in \(path)" }
        let since = reports.first.flatMap(CrashReports.day).map { " since \($0)" } ?? ""
        return "crashed \(reports.count) times\(since); the latest report is in \(path)"
    }
}
