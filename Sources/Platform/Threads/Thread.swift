import CSystem

/// The system has no room for another thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An `errno`: EAGAIN at a limit of threads or of memory.
    public let code: Int32

    public var description: String { "cannot start another thread: \(systemError(code))" }
}

/// A named operating-system thread that runs one closure and can be waited for.
///
/// Shared by any threads. `join` may be called once, not from the thread itself; a thread that nobody waits for by the time
/// this object goes cleans up after itself.
///
/// Threads: any thread may start one and hold it. The closure runs on the new thread; `join` blocks until it returns.
public final class Thread: @unchecked Sendable {
    // @unchecked: `handle` is written in `init` alone, before the object is handed to anyone; `isJoined` by the one call
    // of `join`, and read when nobody has the object any more.
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

    /// Starts at once. `name` is cut to 15 bytes, which is what Linux keeps.
    ///
    /// Signals that are sent to the program are blocked in it, and in threads that libraries start from it: they are the main
    /// thread's to hear. Faults of its own are not.
    ///
    /// - Throws: where the system refuses it. Nothing has been started then, and `body` is gone.
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

    /// What a thread's own instructions raise. Blocked, they would end the process without their handler: no crash report, and
    /// none of a sanitizer either.
    static let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT, SIGSYS]

    /// Waits for the closure to return.
    public func join() {
        isJoined = true
        pthread_join(handle, nil)
    }

    deinit { if !isJoined { pthread_detach(handle) } }
}

extension Thread {
    /// Starts a thread for something that the program can do without, and that is not waited for. Whether it was started.
    @discardableResult public static func detach(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        (try? Thread(name: name, body)) != nil
    }
}
