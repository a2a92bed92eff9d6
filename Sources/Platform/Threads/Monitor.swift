import CSystem
public import Time

/// A value that threads share, and on whose changes they can wait: a lock and a condition in one.
///
/// Shared by any threads. The lock is held for the length of a closure and no longer; a closure must not block, decode
/// or draw. (`Synchronization.Mutex` has no way to wait for a change; where nobody waits, it is the one to use.)
///
/// Threads: any thread may call any method. `wait` sleeps without the lock; closures run with it, on the calling
/// thread.
public final class Monitor<State: ~Copyable>: @unchecked Sendable {
    // @unchecked: `state` is only ever touched under `mutex`.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Takes over `initial`, which nobody else may keep.
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

    /// Looks at or changes the state; wakes nobody.
    public func withLock<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes every waiter to look at it again.
    public func update<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Sleeps until `body` answers with something, asking it now and after each `update`; what `body` changed is told to
    /// the other waiters. Nil once `deadline` has passed without an answer.
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
                // A time before the clock's zero would be refused at once, for ever: it is over.
                let nanoseconds = Int(max(0, deadline.nanoseconds))
                var until = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
                isOver = pthread_cond_timedwait(condition, mutex, &until) == ETIMEDOUT
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
    }
}
