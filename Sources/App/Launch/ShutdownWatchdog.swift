import Glibc
import Platform
import Time

/// Ends the process where its threads do not end by themselves: one that opens a pipe to which nobody writes cannot be
/// called back, and everything that had to be saved is saved by then.
///
/// Shared by any threads.
final class ShutdownWatchdog: Sendable {
    private let isOver = Monitor(false)

    /// Half of the second within which a signal ends the program.
    static let patience = Duration.milliseconds(500)

    /// From now on the process ends with `status`, unless `cancel` comes first; at once where there is no thread to wait.
    func begin(_ status: ExitStatus) {
        let isStarted = Thread.detach(name: "end") { [isOver] in
            let end = HostTime.now() + Self.patience
            if isOver.wait(until: end, { $0 ? () : nil }) == nil { _exit(status.rawValue) }
        }
        if !isStarted { _exit(status.rawValue) }
    }

    func cancel() { isOver.update { $0 = true } }
}
