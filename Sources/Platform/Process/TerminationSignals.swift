import CSystem
import Synchronization

/// Hears SIGINT, SIGTERM and SIGHUP (a terminal that is closed, a person who logs out) on a thread of its own, where, other
/// than in a signal handler, everything is allowed.
///
/// `block` must be called on the main thread before any other thread begins, so that none of them takes the signals.
///
/// Threads: `block` and `listen` on the main thread; `heard` runs on the signals' own thread.
public enum TerminationSignals {
    private static let wasHeard = Atomic<Bool>(false)

    /// Whether one of them has come. Any thread.
    public static var isHeard: Bool { wasHeard.load(ordering: .relaxed) }

    /// Blocks the signals in this thread and those that it starts.
    public static func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `heard` on its thread at the first signal. Who sends SIGINT or SIGTERM a second time does not want to wait: the
    /// process ends at once, with status 4. SIGHUP comes more than once by itself, from the terminal and from its shell.
    public static func listen(_ heard: @escaping @Sendable () -> Void) {
        let isStarted = Thread.detach(name: "signals") {
            var signals = Self.signals
            var wasSent = false
            while true {
                var number: CInt = 0
                guard sigwait(&signals, &number) == 0 else { return }
                if number != SIGHUP {
                    if wasSent { _exit(4) }
                    wasSent = true
                }
                if !wasHeard.exchange(true, ordering: .relaxed) { heard() }
            }
        }
        guard !isStarted else { return }
        // They end the program as they end any other, rather than not at all.
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Where nohup(1) has it ignored, it stays so: once blocked, it would be heard all the same.
        var hangUp = sigaction()
        if sigaction(SIGHUP, nil, &hangUp) == 0, glissade_ignores(&hangUp) == 0 { sigaddset(&signals, SIGHUP) }
        return signals
    }
}
