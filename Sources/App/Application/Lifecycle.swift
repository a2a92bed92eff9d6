import Time

/// Whether the program keeps running, and its exit status. Main thread.
@MainActor final class Lifecycle {
    private(set) var isFinished = false
    private(set) var status = ExitStatus.done
    /// When the program ends by itself.
    private(set) var deadline: HostTime?
    private let duration: Duration?
    private let console: Console

    /// - Parameter duration: How long the program runs after its first frame; nil for no limit.
    init(duration: Duration?, console: Console) {
        self.duration = duration
        self.console = console
    }

    func finish(_ status: ExitStatus) {
        if status != .done { self.status = status }
        isFinished = true
    }

    /// Lets the program end with failure.
    func setFailed() { status = .failed }

    /// Reports that something the user asked for was not done.
    func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    /// Starts the time limit, if there is one and it is not running.
    func startTimer(at now: HostTime) {
        if deadline == nil, let duration { deadline = now + duration }
    }

    /// Continues with the status and the deadline of a previous application.
    func resume(status: ExitStatus, deadline: HostTime?) {
        if status != .done { self.status = status }
        self.deadline = deadline
    }
}
