import Platform
import Presentation
import Time

/// Runs the program several times in one process, each with figures of its own. Main thread.
@MainActor struct BenchRunner {
    /// How it all ended so far.
    private(set) var status = ExitStatus.done
    /// When the process began, for its first run.
    private var started: HostTime?

    init(started: HostTime) { self.started = started }

    /// What a run measured; nil where it failed, as the console says, or the program was told to end.
    mutating func run(_ options: LaunchOptions) -> FrameReport? {
        var found: FrameReport?
        let ended = measure(options, started: started.take() ?? .now()) { found = $0 }
        if ended != .done { status = ended }
        return ended == .done ? found : nil
    }

    /// Something else than a run failed.
    mutating func fail() { if status == .done { status = .failed } }
}
