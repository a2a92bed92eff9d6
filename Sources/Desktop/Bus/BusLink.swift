import GlissadeCSystemd
import Glibc
import Logging
import GlissadePlatform
import Synchronization
import GlissadeTime

/// Starts, wakes and ends the bus's thread.
///
/// Threads: any thread may call `wake`. Only the bus's own thread uses the bus. `end` blocks until that thread has
/// ended.
final class BusLink: Sendable {
    /// Wakes the thread, and tells it to stop. The thread retains this object rather than the link.
    final class WakeDescriptor: Sendable {
        /// An eventfd(2) that the thread polls; -1 if it could not be created.
        let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        let isOver = Atomic(false)

        deinit { if descriptor >= 0 { close(descriptor) } }

        func raise() { _ = eventfd_write(descriptor, 1) }

        func clear() {
            var count: eventfd_t = 0
            _ = eventfd_read(descriptor, &count)
        }
    }

    private let wakeDescriptor = WakeDescriptor()
    private let thread: NamedThread?

    init(identity: DesktopSession.Identity, address: String?, logger: Logger, shared: SharedDesktopState) {
        thread = try? NamedThread(name: "desktop bus") { [wakeDescriptor] in
            do throws(BusError) {
                guard wakeDescriptor.descriptor >= 0 else { throw BusError(code: -EMFILE) }
                let session = try BusSession(identity: identity, address: address, shared: shared)
                try session.run(wakeDescriptor)
            } catch {
                logger.debug("no desktop: \(error.reason)")
            }
            shared.busName = nil
            // After `end`, the state is no longer read.
            if !wakeDescriptor.isOver.load(ordering: .acquiring) { shared.report(.unavailable) }
        }
        // If the thread cannot start, report the same state as for a missing bus.
        if thread == nil { shared.report(.unavailable) }
    }

    /// Wakes the thread to check for a newly published state.
    func wake() { wakeDescriptor.raise() }

    /// Disconnects from the bus, and waits for the thread to end. Must be called exactly once.
    func end() {
        wakeDescriptor.isOver.store(true, ordering: .releasing)
        wakeDescriptor.raise()
        thread?.join()
    }
}
