import GlissadeCFFmpeg
import Synchronization

/// A memory limit shared by several allocations. Callers take bytes from the budget before they allocate memory, and
/// give the bytes back after they free the memory.
///
/// Threads: any thread may take and give back bytes; no call blocks.
package final class ByteBudget: Sendable {
    package let limit: Int
    private let taken = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// The number of bytes currently taken.
    var used: Int { taken.load(ordering: .relaxed) }

    /// Takes `count` bytes. Returns false and takes nothing if fewer bytes are left.
    func take(_ count: Int) -> Bool {
        let new = taken.wrappingAdd(count, ordering: .relaxed).newValue
        if new <= limit { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }

    /// Takes `count` bytes until the returned lease is released; nil if fewer bytes are left.
    func lease(_ count: Int) -> Lease? {
        guard count >= 0, take(count) else { return nil }
        return Lease(budget: self, count: count)
    }

    /// Bytes taken from a budget. They are given back when the last reference to the lease is released.
    final class Lease: Sendable {
        private let budget: ByteBudget
        private let count: Int

        fileprivate init(budget: ByteBudget, count: Int) { (self.budget, self.count) = (budget, count) }

        deinit { budget.give(back: count) }

        /// Keeps the lease until `frame` and all references made from `frame` are freed.
        ///
        /// - Returns: False if memory runs out.
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
