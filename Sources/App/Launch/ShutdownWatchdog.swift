import Glibc
import Platform
import Time

/// Ends the process if its shutdown hangs, for instance because a thread is stuck opening a pipe without a writer. The
/// watchdog is started after everything has been saved.
///
/// Thread-safe.
final class ShutdownWatchdog: Sendable {
    private let isOver = Monitor(false)

    /// The maximum duration of the shutdown: half a second, so that the program ends within a second of a termination
    /// signal.
    static let timeout = Duration.milliseconds(500)

    /// Ends the process with `status` after `timeout`, unless `cancel` is called before then. If no thread can be
    /// started to wait, ends the process at once.
    func begin(_ status: ExitStatus) {
        let isStarted = Thread.detach(name: "end") { [isOver] in
            let end = HostTime.now() + Self.timeout
            if isOver.wait(until: end, { $0 ? () : nil }) == nil { _exit(status.rawValue) }
        }
        if !isStarted { _exit(status.rawValue) }
    }

    func cancel() { isOver.update { $0 = true } }
}
