package import GlissadePlatform
package import GlissadeTime

/// The start time of a run, and the resources that the process had used by that time. The run's report measures from
/// this point.
package struct RunStart: Sendable {
    /// When the process began or, for a later run in the same process, when that run began.
    package var time: HostTime
    /// The resources that the process had used by `time`; nil if it had used none.
    package var usage: ResourceUsage?

    package init(time: HostTime, usage: ResourceUsage? = nil) {
        self.time = time
        self.usage = usage
    }
}

/// Runs the player until the program must end, and returns the exit status. Main thread.
@MainActor package func launch(
    _ options: LaunchOptions, hooks: LaunchHooks = LaunchHooks(), start: RunStart
) -> ExitStatus {
    let watchdog = hooks.endsProcess ? ShutdownWatchdog() : nil
    defer { watchdog?.cancel() }
    let console = Console()
    guard let run = PlayerRun(options, hooks: hooks, console: console, watchdog: watchdog) else { return .failed }
    var status = ExitStatus.failed
    do {
        status = try run.play(start)
    } catch {
        // The error is a WindowingError or a RenderingError. Both have one-line descriptions.
        console.error("\(error)")
        watchdog?.begin(status)
    }
    return TerminationSignals.haveArrived ? .terminated : status
}
