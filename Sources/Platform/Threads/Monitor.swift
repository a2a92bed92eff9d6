import GlissadeCSystem
public import GlissadeTime

/// A value shared between threads. A lock protects the value, and threads can wait until it changes.
///
/// If no thread needs to wait for a change, use `Synchronization.Mutex` instead.
///
/// Threads: any thread. The lock is held while a closure runs, so a closure must not block, decode or draw.
public final class Monitor<State: ~Copyable>: @unchecked Sendable {
    // @unchecked: `state` is only accessed while `mutex` is locked.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a monitor that takes ownership of the initial state.
    public init(_ initial: consuming sending State) {
        state = initial
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the state without waking waiting threads.
    public func withLock<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes all waiting threads, which then check the state again.
    public func update<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Sleeps until `body` returns a value, and returns that value. Returns nil if `deadline` passes first.
    ///
    /// Calls `body` immediately and after each `update`. When `body` returns a value, wakes the other waiting threads,
    /// because `body` may have changed the state.
    public func wait<R: ~Copyable>(until deadline: HostTime? = nil, _ body: (inout State) -> R?) -> R? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var isOver = false
        while true {
            if let answer = body(&state) {
                pthread_cond_broadcast(condition)
                return answer
            }
            if isOver { return nil }
            if let deadline {
                // Treats a negative time as 0, because `pthread_cond_timedwait` fails with EINVAL for it, and the
                // loop would not end.
                let nanoseconds = Int(max(0, deadline.nanoseconds))
                var until = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
                isOver = pthread_cond_timedwait(condition, mutex, &until) == ETIMEDOUT
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
    }
}
