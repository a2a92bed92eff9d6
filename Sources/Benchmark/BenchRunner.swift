import GlissadeApp
import GlissadePlatform
import GlissadePresentation
import GlissadeTime

/// Runs the player several times in one process, measuring each run separately. Main thread.
@MainActor struct BenchRunner {
    /// The exit status of all runs so far: the last status other than `done`, or `done` if there is none.
    private(set) var status = ExitStatus.done
    /// When the process began; nil once the first run has started.
    private var started: HostTime?

    init(started: HostTime) { self.started = started }

    /// Runs the player and returns its report. Does not write the report to a file.
    ///
    /// - Returns: The report; nil if the run failed or was ended by a signal. The error message of a failed run is
    ///   printed on the console.
    mutating func measure(_ run: BenchRun) -> FrameReport? {
        ResourceUsage.forgetPeak()
        var options = run.options
        options.reportPath = nil
        var report: FrameReport?
        var hooks = run.hooks { report = $0 }
        hooks.endsProcess = false
        let start = RunStart(time: started.take() ?? .now(), usage: ResourceUsage())
        let ended = launch(options, hooks: hooks, start: start)
        if ended != .done { status = ended }
        return ended == .done ? report : nil
    }

    /// Sets `status` to `failed`, unless an earlier run has already changed it.
    mutating func fail() { if status == .done { status = .failed } }
}
