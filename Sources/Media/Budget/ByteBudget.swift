import CFFmpeg
import Synchronization

/// A limited number of bytes that can be taken and given back.
///
/// Threads: any thread may take and give back; none waits.
package final class ByteBudget: Sendable {
    package let limit: Int
    private let taken = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// Bytes currently taken.
    var used: Int { taken.load(ordering: .relaxed) }

    /// Takes `count` bytes. Returns false and takes nothing if fewer are left.
    func take(_ count: Int) -> Bool {
        let new = taken.wrappingAdd(count, ordering: .relaxed).newValue
        if new <= limit { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }

    /// Takes `count` bytes for the lifetime of the lease; nil if fewer are left.
    func lease(_ count: Int) -> Lease? {
        guard count >= 0, take(count) else { return nil }
        return Lease(budget: self, count: count)
    }

    /// Bytes that are given back when the last reference is released.
    final class Lease: Sendable {
        private let budget: ByteBudget
        private let count: Int

        fileprivate init(budget: ByteBudget, count: Int) { (self.budget, self.count) = (budget, count) }

        deinit { budget.give(back: count) }

        /// Ties the lease to a frame and every frame that shares its buffers. - Returns: false if out of memory.
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
