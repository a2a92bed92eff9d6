public import Time

/// A sleep that another thread can end, for a frame loop without a window system.
///
/// Threads: one thread waits, any thread raises. A raise before the wait is kept; several count as one.
public final class WakeSignal: Sendable {
    private let isRaised = Monitor(false)

    public init() {}

    /// Ends the current `wait`, else the next one.
    public func raise() { isRaised.update { $0 = true } }

    /// Sleeps until `raise`, or until `deadline`.
    public func wait(until deadline: HostTime?) {
        _ = isRaised.wait(until: deadline) { isRaised -> Void? in
            guard isRaised else { return nil }
            isRaised = false
            return ()
        }
    }
}
