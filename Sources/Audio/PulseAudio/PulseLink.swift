import CPulse
import Platform
import Synchronization
import Time

/// The properties of a connection: the server's address (nil for the user's default server), and the names shown in
/// the user's mixer.
struct PulseClient: Sendable {
    let server: String?
    let applicationName: String
    let streamName: String
}

/// Owns the thread that talks to the sound server, and wakes it.
///
/// Threads: any thread. All PulseAudio objects are confined to the link's own thread, in a `PulseSession`. Other
/// threads change the `AudioTransport` and then call `wake`. So they never wait for PulseAudio's own lock, unlike
/// callers of PulseAudio's threaded main loop.
final class PulseLink: Sendable {
    /// PulseAudio's main loop. Other threads may only wake it, which writes a byte to a pipe.
    private struct Loop: @unchecked Sendable {
        // @unchecked: under the mutex, other threads call `pa_mainloop_wakeup` with it. Only the session's thread
        // uses it for anything else, until that thread has been joined.
        let pointer: OpaquePointer
    }

    /// A flag that records a wake-up in case PulseAudio loses it. When PulseAudio *prepares* to sleep, it empties its
    /// pipe, including a byte written after the session last looked at the transport. So the flag is set before the
    /// byte is written.
    final class Bell: Sendable {
        let isRung = Atomic(false)
    }

    private let loop: Mutex<Loop?>
    private let bell = Bell()
    private let thread: Thread

    /// The error thrown if the link cannot be created, with the reason as text for the user.
    struct Refusal: Error { let reason: String }

    /// The reason to report if PulseAudio cannot create a main loop or a connection. PulseAudio does not tell which
    /// resource ran out, and `errno` is left over from something else.
    static let noConnection = "cannot create a PulseAudio connection: out of memory or file descriptors"

    /// Starts the thread, which connects to the server.
    ///
    /// - Throws: `Refusal` if the system cannot provide a pipe or a thread. In that case, `report` is not called.
    init(
        client: PulseClient, transport: Monitor<AudioTransport>, report: @escaping @Sendable (AudioEvent) -> Void
    ) throws(Refusal) {
        guard let pointer = pa_mainloop_new() else {
            throw Refusal(reason: Self.noConnection)
        }
        let loop = Loop(pointer: pointer)
        self.loop = Mutex(loop)
        do throws(ThreadError) {
            thread = try Thread(name: "audio-pulse") { [bell] in
                let session = PulseSession(
                    client: client, loop: loop.pointer, bell: bell, transport: transport, report: report)
                session.run()
            }
        } catch {
            pa_mainloop_free(pointer)
            throw Refusal(reason: "\(error)")
        }
    }

    /// Makes the session look at the transport soon. Does nothing after `stop`.
    func wake() {
        bell.isRung.store(true, ordering: .sequentiallyConsistent)
        loop.withLock { loop in
            if let loop { pa_mainloop_wakeup(loop.pointer) }
        }
    }

    /// Wakes the thread and waits for it to end. `AudioTransport.isStopped` must be set beforehand. May be called
    /// repeatedly.
    func stop() {
        bell.isRung.store(true, ordering: .sequentiallyConsistent)
        let ended = loop.withLock { loop -> Loop? in
            if let loop { pa_mainloop_wakeup(loop.pointer) }
            defer { loop = nil }
            return loop
        }
        guard let ended else { return }
        thread.join()
        pa_mainloop_free(ended.pointer)
    }
}
