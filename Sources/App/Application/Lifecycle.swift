import GlissadeTime

/// The state of the run: whether the program must end, and its exit status. Main thread.
@MainActor final class Lifecycle {
    private(set) var isFinished = false
    private(set) var status = ExitStatus.done
    /// When the program reaches its time limit; nil if there is no limit, or if `startTimer` has not been called.
    private(set) var deadline: HostTime?
    private let duration: Duration?
    private let console: Console

    /// - Parameter duration: The time limit, counted from `startTimer`; nil for no limit.
    init(duration: Duration?, console: Console) {
        self.duration = duration
        self.console = console
    }

    func finish(_ status: ExitStatus) {
        if status != .done { self.status = status }
        isFinished = true
    }

    /// Sets the exit status to `failed` without ending the program.
    func setFailed() { status = .failed }

    /// Prints `text` on the console as an error, without ending the program. If the exit status is `done`, sets it to
    /// `failed`.
    func fail(_ text: String) {
        console.error(text)
        if status == .done { status = .failed }
    }

    /// Starts counting the time limit. Does nothing if there is no limit, or if counting has already started.
    func startTimer(at now: HostTime) {
        if deadline == nil, let duration { deadline = now + duration }
    }

    /// Takes over the exit status and the deadline of the previous application.
    func resume(status: ExitStatus, deadline: HostTime?) {
        if status != .done { self.status = status }
        self.deadline = deadline
    }
}
