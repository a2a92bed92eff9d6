import CSystem

/// For how long a thread works at a stretch where others want the processor too.
public enum TimeSlice {
    /// Has the threads that `body` makes, of this thread, work for `slice` at a stretch (0.1…100 ms), for as long as they
    /// live.
    ///
    /// They get as much of the processor as before. But a thread with a shorter slice that wakes up, as those do that show
    /// pictures, need not wait until theirs is over (Linux from 6.12 on: `Documentation/scheduler/sched-eevdf.rst`); without
    /// privileges. Elsewhere nothing happens.
    public static func lengthened<R>(to slice: Duration, _ body: () -> R) -> R {
        // Threads have at first what their maker has.
        let isSet = glissade_set_time_slice(UInt64(slice / .nanoseconds(1))) == 0
        defer { if isSet { _ = glissade_set_time_slice(0) } }
        return body()
    }
}
