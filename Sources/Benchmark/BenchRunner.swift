import App
import Platform
import Presentation
import Time

/// Runs the player several times in one process, and measures each run separately. Main thread.
@MainActor struct BenchRunner {
    /// The exit status of all runs so far: the last status other than `done`, or `done` if there is none.
    private(set) var status = ExitStatus.done
    /// When the process began; nil after the first run.
    private var started: HostTime?

    init(started: HostTime) { self.started = started }

    /// Runs the player and returns its report. Does not write the report to a file.
    ///
    /// - Returns: The report; nil if the run failed or was ended by a signal. The console has the error message of a
    ///   failure.
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

    /// Records a failure outside the runs in `status`, unless a run has failed before.
    mutating func fail() { if status == .done { status = .failed } }
}
