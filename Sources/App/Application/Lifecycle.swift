import Time

/// Whether the program keeps running, and its exit status. Main thread.
@MainActor final class Lifecycle {
    private(set) var isFinished = false
    private(set) var status = ExitStatus.done
    /// When the program ends on its own.
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

    /// Makes the program's exit status a failure.
    func setFailed() { status = .failed }

    /// Reports that something the user asked for could not be done.
    func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    /// Starts the time limit, if there is one and it has not started.
    func startTimer(at now: HostTime) {
        if deadline == nil, let duration { deadline = now + duration }
    }

    /// Takes over the status and the deadline of a previous application.
    func resume(status: ExitStatus, deadline: HostTime?) {
        if status != .done { self.status = status }
        self.deadline = deadline
    }
}
