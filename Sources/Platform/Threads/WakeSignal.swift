public import Time

/// A signal that ends another thread's sleep. Frame loops without a window system use it.
///
/// If no thread is waiting, the signal stays raised until the next wait. Raising it twice has no further effect.
///
/// Threads: one thread waits; any thread raises the signal.
public final class WakeSignal: Sendable {
    private let isRaised = Monitor(false)

    public init() {}

    /// Ends the current `wait`. If no thread is waiting, ends the next `wait` at once.
    public func raise() { isRaised.update { $0 = true } }

    /// Sleeps until the signal is raised, or until `deadline` if it is not nil. Lowers the signal again.
    public func wait(until deadline: HostTime?) {
        _ = isRaised.wait(until: deadline) { isRaised -> Void? in
            guard isRaised else { return nil }
            isRaised = false
            return ()
        }
    }
}
