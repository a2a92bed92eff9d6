import GlissadeCSystem

/// The error thrown if the system refuses to create a thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number; EAGAIN if a limit on threads or memory was reached.
    public let code: Int32

    public var description: String { "cannot start another thread: \(systemError(code))" }
}

/// A named operating-system thread that runs one closure and can be joined.
///
/// If this object is released before the thread has been joined, the thread is detached.
///
/// Threads: any thread. Call `join` at most once, and never from the thread itself.
public final class NamedThread: @unchecked Sendable {
    // @unchecked: `handle` is written only in `init`, before the object is shared. `isJoined` is written by the only
    // call of `join` and read in `deinit`.
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

    /// Starts a thread. Linux limits the thread's name to 15 bytes, so a longer name is truncated.
    ///
    /// In the new thread and in the threads that it starts, all signals except `faults` are blocked.
    ///
    /// - Throws: `ThreadError` if the system refuses to create the thread.
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

    /// The signals that a thread's own instructions can raise. They must not be blocked: otherwise, the kernel would
    /// end the process without calling the handlers of `CrashReports` or of a sanitizer.
    static let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT, SIGSYS]

    /// Blocks until the thread's closure has returned.
    public func join() {
        isJoined = true
        pthread_join(handle, nil)
    }

    deinit { if !isJoined { pthread_detach(handle) } }
}

extension NamedThread {
    /// Starts a thread that is never joined, for work that the program can do without. Returns whether the thread was
    /// started.
    @discardableResult public static func detach(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        (try? NamedThread(name: name, body)) != nil
    }
}
