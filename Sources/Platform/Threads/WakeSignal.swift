public import GlissadeTime

/// A signal that ends another thread's sleep. Used by frame loops that have no window system.
///
/// If no thread is waiting, the signal stays raised until the next wait. Raising a signal that is already raised has no
/// effect.
///
/// Threads: one thread waits. Any thread may raise the signal.
public final class WakeSignal: Sendable {
    private let isRaised = Monitor(false)

    public init() {}

    /// Ends the current `wait`. If no thread is waiting, the next `wait` returns at once.
    public func raise() { isRaised.update { $0 = true } }

    /// Sleeps until the signal is raised, and then lowers it. Returns once `deadline` has passed; nil means no
    /// deadline.
    public func wait(until deadline: HostTime?) {
        _ = isRaised.wait(until: deadline) { isRaised -> Void? in
            guard isRaised else { return nil }
            isRaised = false
            return ()
        }
    }
}
