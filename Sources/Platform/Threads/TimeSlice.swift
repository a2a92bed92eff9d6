import CSystem

/// Sets how long a thread runs at a stretch while others also want the CPU.
public enum TimeSlice {
    /// Gives the threads that `body` creates from this thread a time slice of `slice` (0.1…100 ms), for as long as they
    /// live.
    ///
    /// Their share of the CPU stays the same. But a waking thread with a shorter slice, such as one that presents
    /// frames, need not wait until theirs is over. Linux from 6.12 on (`Documentation/scheduler/sched-eevdf.rst`),
    /// without privileges; does nothing elsewhere.
    public static func lengthened<R>(to slice: Duration, _ body: () -> R) -> R {
        // A new thread inherits the slice of its creator.
        let isSet = glissade_set_time_slice(UInt64(slice / .nanoseconds(1))) == 0
        defer { if isSet { _ = glissade_set_time_slice(0) } }
        return body()
    }
}
