import GlissadeCSystem

/// Sets how long a thread may run without interruption while other threads wait for the CPU.
package enum TimeSlice {
    /// Runs `body` with a time slice of `slice`, 0.1…100 ms. The threads that `body` creates keep this time slice for
    /// as long as they live.
    ///
    /// The time slice does not change how much CPU time a thread gets. However, when a thread with a shorter time slice
    /// wakes, it need not wait until a longer one is over.
    ///
    /// Requires Linux 6.12 (`Documentation/scheduler/sched-eevdf.rst`), but no privileges. On older kernels, the time
    /// slice stays unchanged.
    package static func lengthened<R>(to slice: Duration, _ body: () -> R) -> R {
        // A new thread inherits its creator's time slice.
        let isSet = glissade_set_time_slice(UInt64(slice / .nanoseconds(1))) == 0
        defer { if isSet { _ = glissade_set_time_slice(0) } }
        return body()
    }
}
