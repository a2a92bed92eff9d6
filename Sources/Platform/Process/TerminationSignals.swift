import CSystem
import Synchronization

/// Waits for SIGINT, SIGTERM and SIGHUP (a closed terminal, a logout) on a separate thread. There, any function may be
/// called, which is not true of a signal handler.
///
/// `block` must be called on the main thread before any other thread starts, so that no other thread receives the
/// signals.
///
/// Threads: `block` and `listen` on the main thread; `heard` runs on the signals' own thread.
public enum TerminationSignals {
    private static let wasReceived = Atomic<Bool>(false)

    /// Whether one of the signals has arrived. Any thread.
    public static var haveArrived: Bool { wasReceived.load(ordering: .relaxed) }

    /// Blocks the signals in this thread and in those it starts.
    public static func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `onSignal` on the thread at the first signal. A second SIGINT or SIGTERM ends the process immediately with
    /// status 4, since the user does not want to wait. A second SIGHUP does not: it may come both from the terminal and
    /// from its shell.
    public static func listen(_ onSignal: @escaping @Sendable () -> Void) {
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
                if !wasReceived.exchange(true, ordering: .relaxed) { onSignal() }
            }
        }
        guard !isStarted else { return }
        // Without the thread, the signals end the process as usual, rather than having no effect.
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // If nohup(1) has set it to be ignored, it stays ignored: `sigwait` would receive it if it were blocked.
        var hangUp = sigaction()
        if sigaction(SIGHUP, nil, &hangUp) == 0, glissade_ignores(&hangUp) == 0 { sigaddset(&signals, SIGHUP) }
        return signals
    }
}
