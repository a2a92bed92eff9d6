import CSystem

/// Sets how long a thread may run without interruption while other threads wait for the CPU.
public enum TimeSlice {
    /// Gives every thread that `body` creates a time slice of `slice` (0.1…100 ms) for as long as the thread lives. The
    /// calling thread has the same time slice while `body` runs.
    ///
    /// This does not change how much CPU time the threads get. But a waking thread with a shorter time slice, such as a
    /// thread that presents frames, need not wait until the longer one is over.
    ///
    /// Requires Linux 6.12 (`Documentation/scheduler/sched-eevdf.rst`), but no privileges. On other systems, only runs
    /// `body`.
    public static func lengthened<R>(to slice: Duration, _ body: () -> R) -> R {
        // A new thread inherits its creator's time slice.
        let isSet = glissade_set_time_slice(UInt64(slice / .nanoseconds(1))) == 0
        defer { if isSet { _ = glissade_set_time_slice(0) } }
        return body()
    }
}
