import GlissadeCPulse
import GlissadePlatform
import Synchronization
import GlissadeTime

/// The server to connect to (nil for the user's default server), and the names shown in the volume mixer.
struct PulseClient: Sendable {
    let server: String?
    let applicationName: String
    let streamName: String
}

/// Owns and wakes the thread that talks to the sound server.
///
/// Threads: any thread. All PulseAudio objects are confined to the link's own thread, in a `PulseSession`. To control
/// the session, other threads change the `AudioTransport` and then call `wake`.
final class PulseLink: Sendable {
    /// PulseAudio's main loop. Other threads may only wake it.
    private struct Loop: @unchecked Sendable {
        // @unchecked: under the mutex, other threads call `pa_mainloop_wakeup` with it. Only the session's thread
        // uses it for anything else, until that thread has been joined.
        let pointer: OpaquePointer
    }

    /// A flag that keeps a wake-up from being lost. `pa_mainloop_prepare` empties the main loop's wake-up pipe, and
    /// thereby discards a wake-up that came after the session last read the transport. The session therefore checks
    /// this flag after `pa_mainloop_prepare`.
    final class Bell: Sendable {
        let isRung = Atomic(false)
    }

    private let loop: Mutex<Loop?>
    private let bell = Bell()
    private let thread: NamedThread

    /// The error thrown if the link cannot be created, with the reason as text for the user.
    struct Refusal: Error { let reason: String }

    /// The reason reported if PulseAudio cannot create a main loop or a connection.
    static let noConnection = "cannot create a PulseAudio connection: out of memory or file descriptors"

    /// Starts the thread, which connects to the server.
    ///
    /// - Throws: `Refusal` if the main loop or the thread cannot be created. In that case, `report` is not called.
    init(
        client: PulseClient, transport: Monitor<AudioTransport>, report: @escaping @Sendable (AudioEvent) -> Void
    ) throws(Refusal) {
        guard let pointer = pa_mainloop_new() else {
            throw Refusal(reason: Self.noConnection)
        }
        let loop = Loop(pointer: pointer)
        self.loop = Mutex(loop)
        do throws(ThreadError) {
            thread = try NamedThread(name: "audio-pulse") { [bell] in
                let session = PulseSession(
                    client: client, loop: loop.pointer, bell: bell, transport: transport, report: report)
                session.run()
            }
        } catch {
            pa_mainloop_free(pointer)
            throw Refusal(reason: "\(error)")
        }
    }

    /// Wakes the session's thread, which then checks the transport. Does nothing after `stop`.
    func wake() {
        bell.isRung.store(true, ordering: .sequentiallyConsistent)
        loop.withLock { loop in
            if let loop { pa_mainloop_wakeup(loop.pointer) }
        }
    }

    /// Wakes the thread and waits for it to end. Call `AudioTransport.stop` first. Further calls do nothing.
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
