import Time

/// Whether the program keeps running, and its exit status. Main thread.
@MainActor final class Lifecycle {
    private(set) var isFinished = false
    private(set) var status = ExitStatus.done
    /// When the time limit ends the program; nil if there is no limit or it has not started.
    private(set) var deadline: HostTime?
    private let duration: Duration?
    private let console: Console

    /// - Parameter duration: The time limit, counted from `startTimer`; nil for none.
    init(duration: Duration?, console: Console) {
        self.duration = duration
        self.console = console
    }

    func finish(_ status: ExitStatus) {
        if status != .done { self.status = status }
        isFinished = true
    }

    /// Makes the exit status a failure without ending the program.
    func setFailed() { status = .failed }

    /// Reports on the console that something the user asked for failed, and makes the exit status a failure.
    func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    /// Starts the time limit, unless there is none or it has already started.
    func startTimer(at now: HostTime) {
        if deadline == nil, let duration { deadline = now + duration }
    }

    /// Takes over the status and the deadline of the previous application.
    func resume(status: ExitStatus, deadline: HostTime?) {
        if status != .done { self.status = status }
        self.deadline = deadline
    }
}
