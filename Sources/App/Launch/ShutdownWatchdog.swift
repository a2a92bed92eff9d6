import Glibc
import GlissadePlatform
import GlissadeTime

/// Ends the process if its shutdown hangs, for instance because a thread is stuck opening a pipe that has no writer.
/// Call `begin` after everything has been saved.
///
/// Thread-safe.
final class ShutdownWatchdog: Sendable {
    private let isOver = Monitor(false)

    /// The maximum duration of the shutdown. Short enough for the program to end within a second after a termination
    /// signal.
    static let timeout = Duration.milliseconds(500)

    /// Ends the process with `status` after `timeout`, unless `cancel` is called before then. If no thread can be
    /// started to wait, ends the process at once.
    func begin(_ status: ExitStatus) {
        let isStarted = NamedThread.detach(name: "end") { [isOver] in
            let end = HostTime.now() + Self.timeout
            if isOver.wait(until: end, { $0 ? () : nil }) == nil { _exit(status.rawValue) }
        }
        if !isStarted { _exit(status.rawValue) }
    }

    func cancel() { isOver.update { $0 = true } }
}
