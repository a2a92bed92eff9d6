import GlissadePlatform

/// The program's version.
package let programVersion = "0.2.0"

/// Enables crash reports. After this call, the program writes a report if it crashes. Main thread.
@MainActor func beginCrashReports() { CrashReports.begin(program: "Glissade \(programVersion)") }

/// Composes the message about crashes of earlier runs.
enum CrashNotice {
    /// Returns the message about new crash reports, and marks these reports as shown. Returns nil if there are no new
    /// reports.
    static func take() -> String? { text(CrashReports.takeNew()) }

    /// Returns the message about `reports`; nil if there are none.
    ///
    /// - Parameter reports: The paths of the reports, oldest first.
    static func text(_ reports: [BytePath]) -> String? {
        guard let latest = reports.last else { return nil }
        let path = latest.displayPath
        if reports.count == 1 { return "crashed the last time it ran; a report is in \(path)" }
        let since = reports.first.flatMap(CrashReports.day).map { " since \($0)" } ?? ""
        return "crashed \(reports.count) times\(since); the latest report is in \(path)"
    }
}
