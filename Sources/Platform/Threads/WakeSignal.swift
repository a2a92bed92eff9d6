public import Time

/// A signal that ends another thread's sleep, for a frame loop without a window system.
///
/// If no thread is waiting, the signal stays raised until the next wait. Raising it twice has no further effect.
///
/// Threads: one thread waits; any thread raises the signal.
public final class WakeSignal: Sendable {
    private let isRaised = Monitor(false)

    public init() {}

    /// Ends the current `wait`, or the next one if there is none.
    public func raise() { isRaised.update { $0 = true } }

    /// Sleeps until the signal is raised, or until `deadline`.
    public func wait(until deadline: HostTime?) {
        _ = isRaised.wait(until: deadline) { isRaised -> Void? in
            guard isRaised else { return nil }
            isRaised = false
            return ()
        }
    }
}
