import CSystem

/// The system refused to create a thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An `errno`: EAGAIN at a limit on threads or memory.
    public let code: Int32

    public var description: String { "cannot start another thread: \(systemError(code))" }
}

/// A named operating-system thread that runs one closure and can be joined.
///
/// Threads: any thread. `join` may be called once, and not from the thread itself. A thread that has not been joined
/// when this object is released is detached.
public final class Thread: @unchecked Sendable {
    // @unchecked: `handle` is written in `init` alone, before the object is shared. `isJoined` is written by the only
    // call of `join`, and read in `deinit`.
    private let handle: pthread_t
    private var isJoined = false

    private final class Start {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts immediately. `name` is truncated to 15 bytes, the limit of Linux.
    ///
    /// Signals sent to the process are blocked in the thread, and in threads that libraries start from it, so that the
    /// main thread receives them. Faults of the thread itself are not blocked.
    ///
    /// - Throws: If the system refuses. Nothing was started in that case, and `body` has been released.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let start = Unmanaged.passRetained(Start(name: String(name.utf8.prefix(15)) ?? name, body: body))
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        for fault in Self.faults { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_SETMASK, &signals, &previous)
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { argument in
                // The argument is the retained `Start` that `init` passed: never null.
                let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                glissade_name_thread(start.name)
                let stack = glissade_begin_fault_stack()
                start.body()
                glissade_end_fault_stack(stack)
                return nil
            }, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &previous, nil)
        guard code == 0 else {
            start.release()
            throw ThreadError(code: code)
        }
        self.handle = handle
    }

    /// Signals raised by a thread's own instructions. If they were blocked, they would end the process without running
    /// their handler, and there would be no report from `CrashReports` or a sanitizer.
    static let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT, SIGSYS]

    /// Waits for the closure to return.
    public func join() {
        isJoined = true
        pthread_join(handle, nil)
    }

    deinit { if !isJoined { pthread_detach(handle) } }
}

extension Thread {
    /// Starts a thread that is never joined, for work that the program can do without. Returns whether it was started.
    @discardableResult public static func detach(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        (try? Thread(name: name, body)) != nil
    }
}
