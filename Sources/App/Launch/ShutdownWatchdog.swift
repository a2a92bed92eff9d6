import Glibc
import Platform
import Time

/// Ends the process if its threads do not, for instance because one is stuck opening a pipe without a writer.
/// Everything has been saved by then.
///
/// Thread-safe.
final class ShutdownWatchdog: Sendable {
    private let isOver = Monitor(false)

    /// Half a second: a signal must end the program within one.
    static let timeout = Duration.milliseconds(500)

    /// Ends the process with `status` after `timeout` unless cancelled; at once if no thread can be started.
    func begin(_ status: ExitStatus) {
        let isStarted = Thread.detach(name: "end") { [isOver] in
            let end = HostTime.now() + Self.timeout
            if isOver.wait(until: end, { $0 ? () : nil }) == nil { _exit(status.rawValue) }
        }
        if !isStarted { _exit(status.rawValue) }
    }

    func cancel() { isOver.update { $0 = true } }
}
