import App
import Platform
import Presentation
import Time

/// Runs the player several times in one process, and measures each run by itself. Main thread.
@MainActor struct BenchRunner {
    /// The exit status of all runs so far: the last one other than `done`.
    private(set) var status = ExitStatus.done
    /// When the process began; nil after the first run.
    private var started: HostTime?

    init(started: HostTime) { self.started = started }

    /// Runs the player and returns its report, which is not written to a file. Returns nil if the run failed (the
    /// console has the reason), or if the program was asked to end.
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

    /// Records that something other than a run failed.
    mutating func fail() { if status == .done { status = .failed } }
}
