import GlissadeCSystem
import Synchronization

/// Waits on a separate thread for SIGINT, SIGTERM and SIGHUP. Unlike a signal handler, the thread may call any
/// function.
///
/// Call `block` before any other thread starts, so that no other thread receives the signals.
///
/// Threads: `block` and `listen` are called on the main thread. `onSignal` runs on the thread that waits for the
/// signals.
package enum TerminationSignals {
    private static let wasReceived = Atomic<Bool>(false)

    /// Whether one of the signals has arrived since `listen` was called. Any thread.
    package static var haveArrived: Bool { wasReceived.load(ordering: .relaxed) }

    /// Blocks the signals in the calling thread and in the threads that it starts later.
    package static func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Starts the thread that waits for the signals. The thread calls `onSignal` when the first signal arrives.
    ///
    /// After a SIGINT or SIGTERM, another one ends the process immediately with status 4. SIGHUP never ends the process
    /// immediately, because the terminal and its shell may each send one.
    package static func listen(_ onSignal: @escaping @Sendable () -> Void) {
        let isStarted = NamedThread.detach(name: "signals") {
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
        // Without the thread, let the signals end the process as usual.
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Leaves SIGHUP out if it is ignored, as under nohup(1): `sigwait` would receive even an ignored signal.
        var hangUp = sigaction()
        if sigaction(SIGHUP, nil, &hangUp) == 0, glissade_ignores(&hangUp) == 0 { sigaddset(&signals, SIGHUP) }
        return signals
    }
}
