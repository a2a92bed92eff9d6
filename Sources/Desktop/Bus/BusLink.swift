import CSystemd
import Glibc
import Logging
import Platform
import Synchronization
import Time

/// The thread that speaks with the bus: its start, its sleep, its end. Shared by any threads.
///
/// Threads: any thread may wake it. Only the link's own thread uses the bus; `end` blocks until that thread has
/// ended.
final class BusLink: Sendable {
    /// What the thread and the link share; the thread does not keep the link itself.
    final class Bell: Sendable {
        /// A counter of the system's that a thread can sleep on; -1 where there is none to be had.
        let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        let isOver = Atomic(false)

        deinit { if descriptor >= 0 { close(descriptor) } }

        func ring() { _ = eventfd_write(descriptor, 1) }

        func silence() {
            var count: eventfd_t = 0
            _ = eventfd_read(descriptor, &count)
        }
    }

    private let bell = Bell()
    private let thread: Thread?

    init(identity: DesktopSession.Identity, address: String?, logger: Logger, exchange: DesktopMailbox) {
        thread = try? Thread(name: "desktop bus") { [bell] in
            do throws(BusError) {
                guard bell.descriptor >= 0 else { throw BusError(code: -EMFILE) }
                let session = try BusSession(identity: identity, address: address, exchange: exchange)
                try session.run(bell)
            } catch {
                logger.debug("no desktop: \(error.reason)")
            }
            exchange.busName = nil
            // At the end nobody asks any more.
            if !bell.isOver.load(ordering: .acquiring) { exchange.report(.unavailable) }
        }
        // As without a bus.
        if thread == nil { exchange.report(.unavailable) }
    }

    /// There is something new to tell.
    func wake() { bell.ring() }

    /// Takes leave of the bus and waits until that is done. To be called once.
    func end() {
        bell.isOver.store(true, ordering: .releasing)
        bell.ring()
        thread?.join()
    }
}
