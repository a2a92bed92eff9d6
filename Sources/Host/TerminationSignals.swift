import CSystem
import Synchronization

/// Hears SIGINT and SIGTERM on a thread of its own, where, other than in a signal handler, everything is allowed.
///
/// `block` must be called on the main thread before any other thread begins, so that none of them takes the signals.
public enum TerminationSignals {
    private static let wasHeard = Atomic<Bool>(false)

    /// Whether one of them has come. Any thread.
    public static var isHeard: Bool { wasHeard.load(ordering: .relaxed) }

    /// Blocks the two signals in this thread and those that it starts.
    public static func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `heard` on its thread at the first signal. A second one ends the process at once, with status 4.
    public static func listen(_ heard: @escaping @Sendable () -> Void) {
        _ = Thread(name: "signals") {
            var signals = Self.signals
            while true {
                var number: CInt = 0
                guard sigwait(&signals, &number) == 0 else { return }
                if wasHeard.exchange(true, ordering: .relaxed) { _exit(4) }
                heard()
            }
        }
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
