import CFFmpeg
import Synchronization

/// Bytes out of a limit, taken and given back. Shared by any threads.
///
/// Threads: any thread may take and give back; none waits.
package final class ByteBudget: Sendable {
    package let limit: Int
    private let taken = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// What has been taken, in bytes.
    var used: Int { taken.load(ordering: .relaxed) }

    /// Takes `count` bytes; false, and nothing is taken, where there are no more so many.
    func take(_ count: Int) -> Bool {
        let new = taken.wrappingAdd(count, ordering: .relaxed).newValue
        if new <= limit { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }

    /// Takes `count` bytes for as long as the lease is held; nil where there are no more so many.
    func lease(_ count: Int) -> Lease? {
        guard count >= 0, take(count) else { return nil }
        return Lease(budget: self, count: count)
    }

    /// Bytes that are given back with the last reference.
    final class Lease: Sendable {
        private let budget: ByteBudget
        private let count: Int

        fileprivate init(budget: ByteBudget, count: Int) { (self.budget, self.count) = (budget, count) }

        deinit { budget.give(back: count) }

        /// Has a frame, and whatever shares its samples, hold the lease. - Returns: false where there is no memory for that.
        func attach(to frame: UnsafeMutablePointer<AVFrame>) -> Bool {
            let lease = Unmanaged.passRetained(self)
            frame.pointee.opaque_ref = av_buffer_create(
                nil, 0, { opaque, _ in if let opaque { Unmanaged<Lease>.fromOpaque(opaque).release() } },
                lease.toOpaque(), 0)
            if frame.pointee.opaque_ref == nil { lease.release() }
            return frame.pointee.opaque_ref != nil
        }
    }
}
