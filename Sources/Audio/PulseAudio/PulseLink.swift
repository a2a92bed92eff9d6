import CPulse
import Platform
import Synchronization
import Time

/// The server's address and the names shown to the user.
struct PulseClient: Sendable {
    let server: String?
    let applicationName: String
    let streamName: String
}

/// The thread that talks to the sound server.
///
/// Threads: any thread. All PulseAudio objects are confined to the link's own thread, in a `PulseSession`. Other
/// threads change the `AudioTransport` and then call `wake`. So they never wait for PulseAudio's own lock, as callers
/// of its threaded main loop do.
final class PulseLink: Sendable {
    /// PulseAudio's main loop. Other threads may only use its wake-up call, which writes a byte to a pipe.
    private struct Loop: @unchecked Sendable {
        // @unchecked: under the mutex, other threads use it for `pa_mainloop_wakeup`. Anything else is up to the
        // session's thread, until that is joined.
        let pointer: OpaquePointer
    }

    /// Remembers a wake-up that PulseAudio could lose. Set before the byte is written: PulseAudio empties its pipe
    /// when it *prepares* to sleep, including a byte that came after the session last looked at the transport.
    final class Bell: Sendable {
        let isRung = Atomic(false)
    }

    private let loop: Mutex<Loop?>
    private let bell = Bell()
    private let thread: Thread

    /// The reason why there is no connection to any server, as text for the user.
    struct Refusal: Error { let reason: String }

    /// The reason to report when no connection can be created. PulseAudio does not tell which resource ran out, and
    /// `errno` is left over from something else.
    static let noConnection = "cannot create a PulseAudio connection: out of memory or file descriptors"

    /// - Throws: `Refusal` if the system cannot provide a pipe or a thread. Nothing is reported in that case.
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

    func wake() {
        bell.isRung.store(true, ordering: .sequentiallyConsistent)
        loop.withLock { loop in
            if let loop { pa_mainloop_wakeup(loop.pointer) }
        }
    }

    /// Ends the thread and waits for it. `AudioTransport.isStopped` must already be set. May be called repeatedly.
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
