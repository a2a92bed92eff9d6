import Host

/// The program's version.
public let programVersion = "0.1.0"

/// From now on a crash leaves a report; says where those are that earlier runs have left, each once. Main thread.
@MainActor func beginCrashReports(_ console: Console) {
    CrashReports.begin(program: "Glissade \(programVersion)")
    for report in CrashReports.takeNew() {
        console.error("crashed the last time it ran; a report is in \(report.displayPath)")
    }
}
