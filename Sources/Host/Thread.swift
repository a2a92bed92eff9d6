import CSystem

/// A named operating-system thread that runs one closure and can be waited for.
///
/// Shared by any threads. `join` may be called once, not from the thread itself; a thread that nobody waits for by the time
/// this object goes cleans up after itself.
public final class Thread: @unchecked Sendable {
    // @unchecked: `handle` is written in `init` alone, before the object is handed to anyone; `isJoined` by the one call
    // of `join`, and read when nobody has the object any more.
    private var handle = pthread_t()
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
    /// Signals that end the program are blocked in it: they are the main thread's to hear.
    public init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: String(name.utf8.prefix(15)) ?? name, body: body))
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        let code = pthread_create(
            &handle, nil,
            { argument in
                // The argument is the retained `Start` that `init` passed: never null.
                let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                glissade_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &previous, nil)
        if code != 0 { fatalError("the system refuses another thread (\(name)): error \(code)") }
    }

    /// Waits for the closure to return.
    public func join() {
        isJoined = true
        pthread_join(handle, nil)
    }

    deinit { if !isJoined { pthread_detach(handle) } }
}
