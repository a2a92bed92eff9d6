import Glibc
import Platform
import Time

/// Ends the process if its threads do not end by themselves, for instance because one opens a pipe without a writer. By
/// then everything has been saved.
///
/// Shared by any threads.
final class ShutdownWatchdog: Sendable {
    private let isOver = Monitor(false)

    /// Half of the second in which a signal ends the program.
    static let patience = Duration.milliseconds(500)

    /// Ends the process with `status` after `patience`, unless cancelled; at once if no thread can be started.
    func begin(_ status: ExitStatus) {
        let isStarted = Thread.detach(name: "end") { [isOver] in
            let end = HostTime.now() + Self.patience
            if isOver.wait(until: end, { $0 ? () : nil }) == nil { _exit(status.rawValue) }
        }
        if !isStarted { _exit(status.rawValue) }
    }

    func cancel() { isOver.update { $0 = true } }
}
